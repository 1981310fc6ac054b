import { fromEngineError, ledgerError, type InterfaceViewReply } from "../ledger/engine/index.js";
import type { EngineError } from "../lf/index.js";

/**
 * A view that could not be computed is told by its status; the contract is shown all the same. That the package which is to compute it
 * lacks the contract's template is no fault of who reads.
 */
export const failedView = (error: EngineError): InterfaceViewReply => ({
  error: error.phase === "lookup" ? ledgerError("COMMAND_PREPROCESSING_FAILED", error.message) : fromEngineError(error),
});
