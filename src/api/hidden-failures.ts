/** What clients are told in one fixed sentence, for the operator: the log has the reason under the trace id of the answer. */
import type { Log } from "../base/log.js";
import { isRedacted, type RequestFailure } from "./errors.js";
import type { Trace } from "./trace.js";

/** Reasons are our own words: no token, no claim of one, no request body. */
export function logHiddenFailure(operation: string, failure: RequestFailure, trace: Trace, log: Log): void {
  if (isRedacted(failure) && failure.cause !== "") log.warn("a request was refused", { operation, code: failure.code, reason: failure.cause, traceId: trace.traceId });
}
