import type { Splice } from "../../splice/index.js";
import { operationFor } from "../operation.js";

export interface ScanServices {
  readonly splice: Splice;
  /** False while the node starts or shuts down. */
  readonly ready: () => boolean;
  readonly version: string;
}

export const declare = operationFor<ScanServices>();
