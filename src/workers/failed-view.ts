import { fromEngineError, grpcCodeOf, type InterfaceViewReply } from "../ledger/on-engine-threads.js";
import type { EngineError } from "../lf/errors.js";

/** A view that could not be computed is told by its status; the contract is shown all the same. */
export function failedView(engineError: EngineError): InterfaceViewReply {
  const error = fromEngineError(engineError);
  return { status: { code: grpcCodeOf(error.category), message: `${error.code}(${error.category},0): ${error.cause}` } };
}
