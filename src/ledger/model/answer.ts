/** How the ledger answers what may be refused. */
import type { Result } from "../../base/result.js";
import type { LedgerErrorData } from "./model.js";

/** Of what is there at once. */
export type Outcome<T> = Result<T, LedgerErrorData>;

export type Answer<T> = Promise<Outcome<T>>;
