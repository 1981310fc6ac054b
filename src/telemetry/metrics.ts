import { createRequire } from "node:module";
import type { Counter, Histogram, Registry } from "prom-client";
import { EventLoopDelay } from "./event-loop-delay.js";
import { gauges, type Figures } from "./gauges.js";

type Library = typeof import("prom-client");

export interface MetricsOptions {
  readonly figures: Figures;
  readonly build: () => { readonly version: string; readonly transport: string };
  /** Loads the library; a test's may fail. */
  readonly library?: () => Library;
}

interface Instruments {
  /** In the order in which they are told. */
  readonly registries: readonly Registry[];
  readonly requests: Counter<"operation" | "outcome">;
  readonly refusals: Counter<"code">;
  readonly seconds: Histogram<"operation">;
  readonly droppedSpans: Counter;
  readonly automationTasks: Counter<"trigger" | "outcome">;
  readonly automationLag: Histogram<"trigger">;
  readonly delay: EventLoopDelay;
}

/** Of one operation. */
interface WentWell {
  readonly requests: Counter.Internal;
  /** That `requests` does not have yet: it takes longer to count there. */
  uncounted: number;
  readonly seconds: Histogram.Internal<"operation">;
}

/** Not by `import()`: that remembers a failure for the life of the process. */
const require = createRequire(import.meta.url);

const requestMetrics = {
  requests: {
    name: "ledgerline_requests_total",
    labelNames: ["operation", "outcome"],
    help: "Requests by operation and outcome (ok, or the error code).",
  },
  refusals: { name: "ledgerline_refusals_total", help: "Requests that were refused, by error code.", labelNames: ["code"] },
  seconds: {
    name: "ledgerline_request_seconds",
    help: "Time from a request's last byte to its answer.",
    labelNames: ["operation"],
    buckets: [0.000_25, 0.000_5, 0.001, 0.001_5, 0.002, 0.003, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30],
  },
} as const;
/** There from the start: where a series begins with its first refusals, collectors see no increase. */
const alertedCode = "SERVICE_NOT_RUNNING";
const tracingMetrics = {
  dropped: {
    name: "ledgerline_spans_dropped_total",
    help: "Spans that the collector of traces did not take; 0 without one.",
    labelNames: [],
  },
} as const;
const automationMetrics = {
  tasks: {
    name: "ledgerline_automation_tasks_total",
    labelNames: ["trigger", "outcome"],
    help: "What automation of the Splice network did, by trigger and outcome (ok, or the error code).",
  },
  lag: {
    name: "ledgerline_automation_lag_seconds",
    labelNames: ["trigger"],
    help: "Ledger time from when something was due until automation did it.",
    buckets: [0.01, 0.1, 0.5, 1, 5, 30, 60, 600, 3_600, 86_400],
  },
} as const;
const buildInfo = { name: "ledgerline_build_info", help: "What runs; always 1.", labelNames: ["version", "node", "transport"] } as const;

/** The node's figures in Prometheus text form. Labels are registry keys and error codes, so their number is bounded. */
export class Metrics {
  readonly #options: MetricsOptions;
  #instruments: Instruments | undefined;
  /** Of what went well, by operation: most of all requests, and looking labels up takes longer than counting. */
  readonly #wentWell = new Map<string, WentWell>();

  constructor(options: MetricsOptions) {
    this.#options = options;
  }

  /** Counts from now on. Apart from the constructor, because a start should not wait for the library; what fails is tried again. */
  load(): void {
    this.#instruments ??= createInstruments(this.#options);
  }

  close(): void {
    this.#instruments?.delay.close();
    this.#instruments = undefined;
    this.#wentWell.clear();
  }

  observe(operation: string, outcome: string, seconds: number): void {
    const instruments = this.#instruments;
    if (instruments === undefined) return;
    if (outcome === "ok") return this.#observeWell(instruments, operation, seconds);
    instruments.requests.inc({ operation, outcome });
    instruments.seconds.observe({ operation }, seconds);
    instruments.refusals.inc({ code: outcome });
  }

  #observeWell({ requests, seconds: taken }: Instruments, operation: string, seconds: number): void {
    let wentWell = this.#wentWell.get(operation);
    if (wentWell === undefined) {
      wentWell = { requests: requests.labels(operation, "ok"), uncounted: 0, seconds: taken.labels(operation) };
      this.#wentWell.set(operation, wentWell);
    }
    wentWell.uncounted++;
    wentWell.seconds.observe(seconds);
  }

  observeAutomation(trigger: string, outcome: string, lagSeconds: number): void {
    this.#instruments?.automationTasks.inc({ trigger, outcome });
    if (outcome === "ok") this.#instruments?.automationLag.observe({ trigger }, lagSeconds);
  }

  observeDroppedSpans(spans: number): void {
    this.#instruments?.droppedSpans.inc(spans);
  }

  async text(): Promise<string> {
    this.load();
    for (const wentWell of this.#wentWell.values()) {
      wentWell.requests.inc(wentWell.uncounted);
      wentWell.uncounted = 0;
    }
    return (await Promise.all(this.#instruments!.registries.map((registry) => registry.metrics()))).join("\n");
  }
}

/** Node.js' figures are of the process, which may have several nodes one after the other, and what observes it for them does not end. */
let processRegistry: Registry | undefined;

function registryOfProcess({ collectDefaultMetrics, Registry }: Library): Registry {
  if (processRegistry === undefined) {
    const register = new Registry();
    collectDefaultMetrics({ register });
    processRegistry = register;
  }
  return processRegistry;
}

function createInstruments({ figures, build, library = () => require("prom-client") as Library }: MetricsOptions): Instruments {
  const loaded = library(),
    { Counter, Gauge, Histogram, Registry } = loaded;
  const registry = new Registry(),
    registers = [registry],
    delay = new EventLoopDelay();
  new Gauge({ ...buildInfo, registers }).set({ ...build(), node: process.version }, 1);
  for (const { name, help, value } of gauges)
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(value(figures, delay));
      },
    });
  const refusals = new Counter({ ...requestMetrics.refusals, registers });
  refusals.inc({ code: alertedCode }, 0);
  return {
    registries: [registryOfProcess(loaded), registry],
    delay,
    refusals,
    requests: new Counter({ ...requestMetrics.requests, registers }),
    seconds: new Histogram({ ...requestMetrics.seconds, buckets: [...requestMetrics.seconds.buckets], registers }),
    droppedSpans: new Counter({ ...tracingMetrics.dropped, registers }),
    automationTasks: new Counter({ ...automationMetrics.tasks, registers }),
    automationLag: new Histogram({ ...automationMetrics.lag, buckets: [...automationMetrics.lag.buckets], registers }),
  };
}

/** The table of the README beside it. */
export function metricTable(): string {
  const { requests, refusals, seconds } = requestMetrics,
    none: readonly string[] = [];
  const rows = [
    ...gauges.map(({ name, help }) => ({ name, help, labels: none, type: "gauge" })),
    ...[requests, refusals, tracingMetrics.dropped, automationMetrics.tasks].map(({ name, help, labelNames }) => ({
      name,
      help,
      labels: labelNames,
      type: "counter",
    })),
    ...[seconds, automationMetrics.lag].map(({ name, help, labelNames }) => ({ name, help, labels: labelNames, type: "histogram" })),
    { ...buildInfo, labels: buildInfo.labelNames, type: "gauge" },
  ];
  const code = (text: string): string => `\`${text}\``;
  const cells = rows.map(({ name, labels, type, help }) => [code(name), type, labels.map(code).join(", "), help]);
  return ["| metric | type | labels | what |", "|---|---|---|---|", ...cells.map((row) => `| ${row.join(" | ")} |`)].join("\n");
}
