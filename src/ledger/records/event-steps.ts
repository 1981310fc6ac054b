/** How a transaction is gone through that may have many events. */
import { limits } from "../../config.js";

/** Whether a part of a long list has been gone through. */
export const isStep = (index: number): boolean => index > 0 && index % limits.commitStepEvents === 0;
