import type { Counter, Histogram, Registry } from "prom-client";

interface Instruments {
  readonly registry: Registry;
  readonly requests: Counter<"operation" | "outcome">;
  readonly seconds: Histogram<"operation">;
}

export interface Figures {
  readonly ledgerEnd: () => number;
  /** How far the oldest snapshot that is held lies behind. */
  readonly oldestReaderCommits: () => number;
}

/**
 * The node's figures in Prometheus text form. Labels are registry keys and error codes, so their number is bounded. The
 * library is loaded when the node is ready: a start should not wait for it.
 */
export class Metrics {
  readonly #figures: Figures;
  #instruments: Instruments | undefined;
  #loading: Promise<Instruments> | undefined;
  readonly #early: (readonly [operation: string, outcome: string, seconds: number])[] = [];

  constructor(figures: Figures) { this.#figures = figures; }

  async load(): Promise<void> {
    this.#instruments = await (this.#loading ??= createInstruments(this.#figures));
    for (const observation of this.#early.splice(0)) this.observe(...observation);
  }

  observe(operation: string, outcome: string, seconds: number): void {
    if (this.#instruments === undefined) {
      this.#early.push([operation, outcome, seconds]);
      return;
    }
    this.#instruments.requests.inc({ operation, outcome });
    this.#instruments.seconds.observe({ operation }, seconds);
  }

  async text(): Promise<string> {
    await this.load();
    return this.#instruments!.registry.metrics();
  }
}

async function createInstruments({ ledgerEnd, oldestReaderCommits }: Figures): Promise<Instruments> {
  const { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } = await import("prom-client");
  const registry = new Registry(), registers = [registry];
  collectDefaultMetrics({ register: registry });
  new Gauge({ name: "ledgerline_ledger_end", help: "Offset of the last durable update or completion.", registers, collect() { this.set(ledgerEnd()); } });
  new Gauge({
    name: "ledgerline_store_oldest_reader_commits", registers, collect() { this.set(oldestReaderCommits()); },
    help: "Commits since the oldest snapshot that a reader of the file holds was taken; the file grows while it rises.",
  });
  return {
    registry,
    requests: new Counter({ name: "ledgerline_requests_total", help: "Requests by operation and outcome (ok, or the error code).", labelNames: ["operation", "outcome"], registers }),
    seconds: new Histogram({ name: "ledgerline_request_seconds", help: "Time from a request's last byte to its answer.", labelNames: ["operation"], buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 20], registers }),
  };
}
