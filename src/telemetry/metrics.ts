import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from "prom-client";

/** The node's figures in Prometheus text form. Labels are registry keys and error codes, so their number is bounded. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests: Counter<"operation" | "outcome">;
  readonly #seconds: Histogram<"operation">;

  constructor(figures: { readonly ledgerEnd: () => number }) {
    collectDefaultMetrics({ register: this.#registry });
    this.#requests = new Counter({ name: "ledgerline_requests_total", help: "Requests by operation and outcome (ok, or the error code).", labelNames: ["operation", "outcome"], registers: [this.#registry] });
    this.#seconds = new Histogram({ name: "ledgerline_request_seconds", help: "Time from a request's last byte to its answer.", labelNames: ["operation"], buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 20], registers: [this.#registry] });
    new Gauge({ name: "ledgerline_ledger_end", help: "Offset of the last durable update or completion.", registers: [this.#registry], collect() { this.set(figures.ledgerEnd()); } });
  }

  observe(operation: string, outcome: string, seconds: number): void {
    this.#requests.inc({ operation, outcome });
    this.#seconds.observe({ operation }, seconds);
  }

  text(): Promise<string> { return this.#registry.metrics(); }
}
