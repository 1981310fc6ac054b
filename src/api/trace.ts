import { randomHex } from "../base/random.js";
import type { Spans } from "../base/spans.js";
import type { TraceContext } from "../ledger/index.js";

/** The W3C trace of a request: what updates and completions carry, and the id that errors and logs name. */
export interface Trace {
  readonly traceId: string;
  readonly context: TraceContext;
}

/** W3C's: no version `ff`, no ids of zeros only, and of later versions more may follow. */
const traceparent = /^(?!ff)(?!00.{53}-)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-([0-9a-f]{2})(?:-.*)?$/;
const parentStart = 36,
  parentEnd = 52,
  traceparentLength = 55;
const spanIdBytes = 8;
const traceIdBytes = 16;

/** Continues the caller's trace with a span of our own, or begins one. */
export function traceOf(headers: ReadonlyMap<string, string>, spans?: Spans): Trace {
  const given = traceparent.exec(headers.get("traceparent") ?? "");
  const traceId = given?.[1] ?? randomHex(traceIdBytes);
  return {
    traceId,
    context: {
      traceparent: `00-${traceId}-${randomHex(spanIdBytes)}-${given?.[2] ?? (spans?.samples() === false ? "00" : "01")}`,
      tracestate: given === null ? null : headers.get("tracestate") || null,
    },
  };
}

/** As an answer names it: as the caller did, of whichever version he writes; else the one that began here. */
export function namedTrace(headers: ReadonlyMap<string, string>, { context }: Trace): string {
  const given = headers.get("traceparent") ?? "";
  return traceparent.test(given) ? given.slice(0, traceparentLength) : context.traceparent!;
}

/** The caller's span. */
export function parentOf(headers: ReadonlyMap<string, string>): string | undefined {
  const given = headers.get("traceparent") ?? "";
  return traceparent.test(given) ? given.slice(parentStart, parentEnd) : undefined;
}
