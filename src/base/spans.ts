/** What the layers need of tracing; `telemetry/tracing.ts` sends it on. Who was handed none makes no spans, and asks no clock. */
export interface Spans {
  /** Whether a trace that begins here is told of. */
  samples(): boolean;
  /** A step of a request that has ended. `traceparent`: that of the request; the times are of `performance.now()`. */
  step(name: StepName, traceparent: string | null | undefined, fromMs: number, toMs: number): void;
  /** A request that was answered. */
  request(request: RequestSpan): void;
}

/**
 * `admit`: stands in line for a place among the commands in flight; `decode`: from bytes to a checked request; `queue`: waits for an
 * engine thread; `interpret`: on the thread, with what travels in the same message; `commit`: gathers with others and is written down;
 * `flush`: until it is durable.
 */
export type StepName = "admit" | "decode" | "queue" | "interpret" | "commit" | "flush";

export interface RequestSpan {
  /** Of the span itself. */
  readonly traceparent: string;
  readonly tracestate: string | null;
  /** Span id of the caller, hex. */
  readonly parent: string | undefined;
  readonly operation: string;
  readonly method: string;
  readonly route: string;
  readonly status: number;
  /** "ok" or an error code. */
  readonly outcome: string;
  readonly fromMs: number;
  readonly toMs: number;
}
