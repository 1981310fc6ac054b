import { authenticated } from "../../auth/index.js";
import type { Splice } from "../../splice/index.js";
import { operationFor } from "../operation.js";
import type { Health } from "../splice/health.js";

export interface ValidatorServices extends Health {
  readonly splice: Splice;
}

export const declare = operationFor<ValidatorServices>();

/** Whoever has a good token is let in; what his user may do is for the operation to judge. */
export const claims = () => authenticated;
