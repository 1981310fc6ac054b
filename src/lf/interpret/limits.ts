/** The bounds of one run, and what happens when one is reached. */
import { fail, ok, type Result } from "../../base/result.js";
import { type EngineError, fatal, FatalError } from "../errors.js";
import type { Budget } from "../runtime/index.js";
import type { EngineLimits } from "./submission.js";

export const limitExceeded = (limit: string, value: number): FatalError =>
  fatal("LimitExceeded", `the limit ${limit} (${value}) was exceeded`, { limit, value });

export function refill(budget: Budget, limits: EngineLimits): void {
  budget.steps = limits.stepsMax;
  budget.allocation = limits.allocationMax;
}

/**
 * The command boundary: fatal errors become results, and so do those of the JavaScript engine when code of the ledger
 * recurses or allocates without end. Anything else is a bug of ours and stays an exception.
 */
export function guarded<T>(run: () => T): Result<T, EngineError> {
  try {
    return ok(run());
  } catch (error) {
    if (error instanceof FatalError) return fail(error.error);
    if (error instanceof RangeError) return fail(rangeError(error));
    throw error;
  }
}

/** V8 throws a RangeError for an exhausted stack as well as for strings, arrays and integers beyond its own bounds. */
function rangeError(error: RangeError): EngineError {
  const limit = error.message.includes("call stack") ? "stack" : "allocation";
  return fatal("LimitExceeded", `the ${limit} limit was exceeded: ${error.message}`, { limit }).error;
}
