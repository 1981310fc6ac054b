/** What clients are told in one fixed sentence, for the operator: the log has the reason under the trace id of the answer. */
import type { Log } from "../base/log.js";
import { limits } from "../config.js";
import { isRedacted, type RequestFailure } from "./errors.js";
import type { Trace } from "./trace.js";

/** Anyone can have requests refused, as many as he likes: the log gets a bounded number of lines, and how many were left out. */
export class HiddenFailures {
  readonly #log: Log;
  #lines = 0;
  #leftOut = 0;
  #isCounting = false;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Reasons are our own words: no token, no claim of one, no request body. */
  tell(operation: string, failure: RequestFailure, trace: Trace): void {
    if (!isRedacted(failure) || failure.cause === "") return;
    this.#count();
    if (++this.#lines > limits.refusalLinesMax) {
      this.#leftOut++;
      return;
    }
    this.#log.warn("a request was refused", { operation, code: failure.code, reason: failure.cause, traceId: trace.traceId });
  }

  #count(): void {
    if (this.#isCounting) return;
    this.#isCounting = true;
    setTimeout(() => this.#endInterval(), limits.refusalIntervalMs).unref();
  }

  #endInterval(): void {
    if (this.#leftOut > 0) this.#log.warn("more requests were refused", { leftOut: this.#leftOut, intervalMs: limits.refusalIntervalMs });
    this.#lines = this.#leftOut = 0;
    this.#isCounting = false;
  }
}
