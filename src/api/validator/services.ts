import type { Splice } from "../../splice/index.js";
import { operationFor } from "../operation.js";

export interface ValidatorServices {
  readonly splice: Splice;
  readonly ready: () => boolean;
  readonly version: string;
}

export const declare = operationFor<ValidatorServices>();
