/**
 * How long does a durable create take when a node has a part of what it can do to do, and five times as much? Requests come at a rate, and
 * a latency counts from when one was due, so that nothing is hidden by clients that wait.
 */
import type { BenchCase, BenchRow } from "./support/bench.js";
import { create, startBenchLedger, type BenchLedger } from "./support/ledger.js";
import { httpRequest, runLoad } from "./support/load.js";
import type { Paced } from "./support/pace.js";
import { runOpenLoad } from "./support/open-load.js";

interface Size {
  /** For the best rate that there is. */
  readonly requests: number;
  readonly connections: number;
  /** Of the best rate. */
  readonly shares: readonly number[];
  readonly clients: number;
  readonly seconds: number;
}

export const latency: BenchCase<Size> = {
  name: "latency",
  smoke: { requests: 300, connections: 4, shares: [0.5], clients: 32, seconds: 0.3 },
  full: { requests: 8_000, connections: 64, shares: [0.1, 0.25, 0.5, 0.75, 5], clients: 1_000, seconds: 20 },
  async run(size) {
    const ledger = await startBenchLedger();
    try {
      await bestRate(ledger, size);
      const best = await bestRate(ledger, size),
        rows: BenchRow[] = [];
      for (const share of size.shares) rows.push(await atShare(ledger, size, share, best));
      return rows;
    } finally {
      await ledger.stop();
    }
  },
};

let commands = 0;
const nextCreate = ({ party }: BenchLedger): Buffer =>
  httpRequest("POST", "/v2/commands/submit-and-wait", JSON.stringify(create(party, `latency-${++commands}`)));

async function bestRate(ledger: BenchLedger, { requests, connections }: Size): Promise<number> {
  const { seconds } = await runLoad({ port: ledger.node.port, connections, requests, next: () => nextCreate(ledger) });
  return requests / seconds;
}

async function atShare(ledger: BenchLedger, { clients, seconds, pace }: Size & Paced, share: number, best: number): Promise<BenchRow> {
  pace.look();
  const { node } = ledger,
    plan = { port: node.port, connections: clients, perSecond: share * best, seconds, next: () => nextCreate(ledger) };
  const { accepted, refused, seconds: taken, latencyMs } = await runOpenLoad(plan);
  return {
    case: `99th percentile at ${Math.round(share * 100)} % of the best rate`,
    value: latencyMs.p99,
    unit: "ms",
    note: `${Math.round(best * share)} /s asked for, ${Math.round(accepted / taken)} /s done, ${refused} refused; p50 ${latencyMs.p50.toFixed(1)} ms, at most ${latencyMs.max.toFixed(0)} ms`,
  };
}
