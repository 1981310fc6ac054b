import { fromEngineError, type InterfaceViewReply } from "../ledger/engine/index.js";
import type { EngineError } from "../lf/index.js";

/** A view that could not be computed is told by its status; the contract is shown all the same. */
export const failedView = (error: EngineError): InterfaceViewReply => ({ error: fromEngineError(error) });
