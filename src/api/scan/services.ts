import type { Splice } from "../../splice/index.js";
import { operationFor } from "../operation.js";
import type { Health } from "../splice/health.js";

export interface ScanServices extends Health {
  readonly splice: Splice;
}

export const declare = operationFor<ScanServices>();
