/** Daml exceptions that reach a place where no handler may run. */
import type { Type } from "../ast.js";
import { assert } from "../../base/assert.js";
import { limits } from "../../config.js";
import { fatal, FatalError } from "../errors.js";
import { type CompiledPackages, DamlException } from "../runtime/index.js";
import type { AnyValue } from "../value/index.js";

/** Category InvalidGivenCurrentSystemStateOther of the Ledger API. */
const failureCategory = 9;

function exceptionName(type: Type): string {
  assert(type.kind === "con", "the type of an exception is a type constructor");
  return `${type.id.module}:${type.id.name}`;
}

function failure(errorName: string, message: string): FatalError {
  const errorId = `UNHANDLED_EXCEPTION/${errorName}`;
  return fatal("FailureStatus", `User failure: ${errorId} (error category ${failureCategory}): ${message}`, {
    errorId,
    failureCategory,
    errorMessage: message,
    metadata: [],
  });
}

/** What an exception becomes at the top of a run. A message function that throws itself does not hide the first exception. */
export function asFailureStatus(compiled: Pick<CompiledPackages, "exceptionMessage">, exception: AnyValue): FatalError {
  const name = exceptionName(exception.type);
  try {
    return failure(name, compiled.exceptionMessage(exception));
  } catch (error) {
    if (!(error instanceof DamlException)) throw error;
    return failure(name, `<Failed to calculate message as ${exceptionName(error.exception.type)} was thrown during conversion>`);
  }
}

/** The same off the ledger, where the exception of a message function takes the place of the first one. */
export function asFailureOffLedger(compiled: Pick<CompiledPackages, "exceptionMessage">, exception: AnyValue): FatalError {
  let last = exception;
  for (let count = 0; count < limits.replacedExceptionsMax; count += 1)
    try {
      return failure(exceptionName(last.type), compiled.exceptionMessage(last));
    } catch (error) {
      if (!(error instanceof DamlException)) throw error;
      last = error.exception;
    }
  return fatal("LimitExceeded", `the limit replacedExceptionsMax (${limits.replacedExceptionsMax}) was exceeded`, {
    limit: "replacedExceptionsMax",
  });
}

/** What is thrown where no handler of the ledger's code may catch an exception. */
export const uncatchable = (compiled: Pick<CompiledPackages, "exceptionMessage">, error: unknown): unknown =>
  error instanceof DamlException ? asFailureStatus(compiled, error.exception) : error;
