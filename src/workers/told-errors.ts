/**
 * Why something failed, as it crosses. The engine's errors hold values and texts of a model, which can be as large as the memory of a
 * thread, and the main thread would make objects of all of it again: so what a client is told of them is said where they were found.
 */
import { limits } from "../config.js";
import {
  type EngineRefusal,
  fromEngineError,
  type LedgerErrorData,
  type PreparationError,
  type SelectionError,
} from "../ledger/engine/index.js";
import type { EngineError } from "../lf/index.js";

export function toldError(error: EngineError | SelectionError): EngineRefusal {
  if (error.phase === "selection") return error;
  return error.phase === "lookup" && error.class === "UnresolvedPackageName" ? error : fromEngineError(error);
}

/** Of a signed transaction: that it was stopped, or in words why it is not what its model makes of it. */
export function toldOfReplay(error: EngineError): LedgerErrorData | PreparationError {
  if (error.phase === "interpretation" && error.class === "LimitExceeded") return fromEngineError(error);
  return { phase: "preparation", message: error.message.slice(0, limits.errorCauseCharsMax + 1) };
}
