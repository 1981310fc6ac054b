/**
 * Spans to a collector by OTLP/HTTP in JSON (OpenTelemetry protocol 1.x, `opentelemetry/proto/trace/v1/trace.proto`). Requests only
 * put a record into a bounded list; batches go out beside them, one at a time. What a slow or dead collector does not take is dropped
 * and counted: no command waits for it.
 */
import { Agent as HttpAgent, request as httpRequest } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { Log } from "../base/log.js";
import { randomHex } from "../base/random.js";
import type { RequestSpan, Spans, StepName } from "../base/spans.js";
import { limits } from "../config.js";

export interface TracingOptions {
  /** Where batches are posted to. */
  readonly url: string;
  /** Of traces that begin here one of so many is told of; those of others are as their caller says. */
  readonly oneIn: number;
  readonly version: string;
  /** What the collector calls this process; asked for when there is something to tell. */
  instance(): string;
  readonly log: Log;
  readonly onDropped: (spans: number) => void;
}

type Attributes = readonly (readonly [key: string, value: string | number])[];

interface Span {
  readonly traceparent: string;
  readonly spanId: string;
  readonly parent: string | undefined;
  readonly tracestate: string | null;
  readonly name: string;
  readonly kind: number;
  readonly attributes: Attributes;
  readonly isError: boolean;
  readonly fromMs: number;
  readonly toMs: number;
}

/** Numbers of `SpanKind` and `StatusCode`. */
const internalKind = 1,
  serverKind = 2,
  errorStatus = 2;
const spanIdBytes = 8,
  serverErrorMin = 500;
const noAttributes: Attributes = [];

/** A clock that was set is followed when it is so far away; in between the steps of one trace fit together. */
const clockStepMs = 1_000;

export class Tracing implements Spans {
  readonly #options: TracingOptions;
  readonly #url: URL;
  readonly #agent: HttpAgent;
  #waiting: Span[] = [];
  #begun = 0;
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;
  #isClosed = false;
  #isFailing = false;
  /** Unix time of zero in `performance.now()`. */
  #originMs = performance.timeOrigin;

  constructor(options: TracingOptions) {
    this.#options = options;
    this.#url = collectorUrl(options.url);
    this.#agent = new (this.#url.protocol === "https:" ? HttpsAgent : HttpAgent)({ keepAlive: true, maxSockets: 1 });
  }

  samples(): boolean {
    return this.#begun++ % this.#options.oneIn === 0;
  }

  step(name: StepName, traceparent: string | null | undefined, fromMs: number, toMs: number): void {
    if (!isSampled(traceparent)) return;
    const spanId = randomHex(spanIdBytes),
      parent = spanIdOf(traceparent);
    this.#add({
      traceparent,
      spanId,
      parent,
      tracestate: null,
      name,
      kind: internalKind,
      attributes: noAttributes,
      isError: false,
      fromMs,
      toMs,
    });
  }

  request({ traceparent, tracestate, parent, operation, method, route, status, outcome, fromMs, toMs }: RequestSpan): void {
    if (!isSampled(traceparent)) return;
    const attributes: Attributes = [
      ["http.request.method", method],
      ["http.route", route],
      ["http.response.status_code", status],
      ["ledgerline.operation", operation],
      ["ledgerline.outcome", outcome],
    ];
    const spanId = spanIdOf(traceparent),
      isError = status >= serverErrorMin;
    this.#add({ traceparent, spanId, parent, tracestate, name: `${method} ${route}`, kind: serverKind, attributes, isError, fromMs, toMs });
  }

  #add(span: Span): void {
    if (this.#isClosed || this.#waiting.length >= limits.spansWaitingMax) return this.#options.onDropped(1);
    this.#waiting.push(span);
    if (this.#waiting.length >= limits.spansPerExportMax) this.#export();
    else this.#timer ??= setTimeout(() => this.#export(), limits.spanExportIntervalMs).unref();
  }

  #export(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#sending !== undefined || this.#waiting.length === 0) return;
    this.#sending = this.#send(this.#waiting.splice(0, limits.spansPerExportMax)).finally(() => {
      this.#sending = undefined;
      if (this.#isClosed) return; // what waits then is sent by who closes, who knows how long that may take
      if (this.#waiting.length >= limits.spansPerExportMax) this.#export();
      else if (this.#waiting.length > 0) this.#timer ??= setTimeout(() => this.#export(), limits.spanExportIntervalMs).unref();
    });
  }

  async #send(spans: readonly Span[]): Promise<void> {
    try {
      await this.#post(this.#textOf(spans));
      if (this.#isFailing) this.#options.log.info("the collector of traces takes spans again");
      this.#isFailing = false;
    } catch (error) {
      this.#options.onDropped(spans.length);
      if (!this.#isFailing)
        this.#options.log.warn("spans are dropped: the collector of traces does not take them", { reason: (error as Error).message });
      this.#isFailing = true;
    }
  }

  /** Resolves once it was taken. */
  #post(body: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const bytes = Buffer.from(body);
      const request = (this.#url.protocol === "https:" ? httpsRequest : httpRequest)(this.#url, {
        method: "POST",
        headers: { "content-type": "application/json", "content-length": bytes.length },
        agent: this.#agent,
        signal: AbortSignal.timeout(limits.spanExportTimeoutMs),
      });
      request.on("error", reject);
      request.on("response", (response) => {
        const status = response.statusCode ?? 0;
        let received = 0;
        response.on("data", (chunk: Buffer) => {
          if ((received += chunk.length) > limits.spanExportReplyBytesMax) request.destroy(new Error("its answer is too long"));
        });
        response.on("error", reject);
        response.on("end", () => (status >= 200 && status < 300 ? resolve() : reject(new Error(`it answered ${status}`))));
      });
      request.end(bytes);
    });
  }

  #textOf(spans: readonly Span[]): string {
    const originMs = Date.now() - performance.now();
    if (Math.abs(originMs - this.#originMs) > clockStepMs) this.#originMs = originMs;
    const { version } = this.#options;
    const resource = {
      attributes: written([
        ["service.name", "ledgerline"],
        ["service.version", version],
        ["service.instance.id", this.#options.instance()],
      ]),
    };
    const scope = { name: "ledgerline", version };
    return JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ scope, spans: spans.map((span) => this.#written(span)) }] }] });
  }

  #written({ traceparent, spanId, parent, tracestate, name, kind, attributes, isError, fromMs, toMs }: Span): object {
    return {
      traceId: traceIdOf(traceparent),
      spanId,
      ...(parent === undefined ? {} : { parentSpanId: parent }),
      ...(tracestate === null ? {} : { traceState: tracestate }),
      name,
      kind,
      startTimeUnixNano: this.#nanos(fromMs),
      endTimeUnixNano: this.#nanos(toMs),
      ...(attributes.length === 0 ? {} : { attributes: written(attributes) }),
      ...(isError ? { status: { code: errorStatus } } : {}),
    };
  }

  /** Microseconds are as exact as a number of this size can be. */
  readonly #nanos = (ms: number): string => `${Math.round((this.#originMs + ms) * 1_000)}000`;

  /** Sends what waits, as long as that is allowed to take at a stop. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    const deadline = performance.now() + limits.spanExportStopMs;
    const overdue = setTimeout(() => this.#agent.destroy(), limits.spanExportStopMs);
    await this.#sending;
    while (this.#waiting.length > 0 && performance.now() < deadline && !this.#isFailing)
      await this.#send(this.#waiting.splice(0, limits.spansPerExportMax));
    clearTimeout(overdue);
    this.#options.onDropped(this.#waiting.length);
    this.#agent.destroy();
  }
}

/** The path of the protocol is added where there is none. */
function collectorUrl(text: string): URL {
  const url = new URL(text);
  if (url.pathname === "/") url.pathname = "/v1/traces";
  return url;
}

/** Of a traceparent of ours: version, trace id, span id and flags at fixed places. */
const traceIdOf = (traceparent: string): string => traceparent.slice(3, 35),
  spanIdOf = (traceparent: string): string => traceparent.slice(36, 52),
  isSampled = (traceparent: string | null | undefined): traceparent is string =>
    traceparent != null && (parseInt(traceparent.slice(-1), 16) & 1) === 1;

const written = (attributes: Attributes): readonly object[] =>
  attributes.map(([key, value]) => ({ key, value: typeof value === "number" ? { intValue: String(value) } : { stringValue: value } }));
