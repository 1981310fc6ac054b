/** How the ledger answers what may be refused. */
import type { Result } from "../../base/result.js";
import type { LedgerErrorData } from "./model.js";

export type Answer<T> = Promise<Result<T, LedgerErrorData>>;
