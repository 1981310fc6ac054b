/**
 * How many durable commands a second, and how far that is from the same server with the same puts and flush but no ledger?
 * A request is answered only when its transaction is flushed.
 */
import type { BenchCase, BenchRow } from "./support/bench.js";
import { commandPuts, startCeiling } from "./support/ceiling.js";
import { create, exercise, startBenchLedger, type BenchLedger } from "./support/ledger.js";
import { httpRequest, runLoad, type LoadResult } from "./support/load.js";
import { medianSeconds } from "./support/rounds.js";

interface Size {
  readonly connections: readonly number[];
  readonly requests: number;
  readonly rounds: number;
}

export const submit: BenchCase<Size> = {
  name: "submit",
  smoke: { connections: [4], requests: 40, rounds: 1 },
  full: { connections: [1, 16, 64, 256], requests: 4_000, rounds: 5 },
  async run({ connections, requests, rounds }) {
    const ledger = await startBenchLedger();
    const ceiling = await startCeiling({ ...commandPuts, elements: 0, elementBytes: 0 });
    try {
      const rows: BenchRow[] = [];
      for (const count of connections) {
        const total = count === 1 ? Math.ceil(requests / 8) : requests;
        rows.push(...(await measure(ledger, ceiling.port, count, total, rounds)));
      }
      return rows;
    } finally {
      await Promise.all([ledger.stop(), ceiling.stop()]);
    }
  },
};

async function measure(
  ledger: BenchLedger,
  ceilingPort: number,
  connections: number,
  requests: number,
  rounds: number,
): Promise<BenchRow[]> {
  const contract = await firstContract(ledger);
  const creates = (id: string): object => create(ledger.party, id);
  const exercises = (id: string): object => exercise(ledger.party, id, contract, "GetAmount", {});
  let last: LoadResult | undefined;
  const load = (port: number, next: (index: number) => Buffer) => async (): Promise<void> => {
    last = await runLoad({ port, connections, requests, next });
    if (last.failures > 0) throw new Error(`${last.failures} of ${requests} requests failed`);
  };
  const seconds = await medianSeconds(rounds, {
    createCeiling: load(ceilingPort, requestsTo("/create", creates)),
    exerciseCeiling: load(ceilingPort, requestsTo("/exercise", exercises)),
    create: load(ledger.node.port, requestsTo(submitPath, creates)),
    exercise: load(ledger.node.port, requestsTo(submitPath, exercises)),
  });
  const latency = last!.latencyMs;
  return (["create", "exercise"] as const).map((name) => {
    const value = requests / seconds[name]!;
    const ceiling = requests / seconds[`${name}Ceiling`]!;
    return {
      case: `${name}, ${connections} connection${connections === 1 ? "" : "s"}`,
      value,
      unit: "/s",
      ceiling: { value: ceiling, ratio: value / ceiling },
      ...(name === "exercise" ? { note: `p50 ${latency.p50.toFixed(2)} ms, p99 ${latency.p99.toFixed(2)} ms` } : {}),
    };
  });
}

const submitPath = "/v2/commands/submit-and-wait";
let commands = 0;
/** Requests for the ceiling are made like ours, so that the client's cost is the same on both sides. */
const requestsTo = (path: string, command: (id: string) => object) => (): Buffer =>
  httpRequest("POST", path, JSON.stringify(command(`bench-${++commands}`)));

async function firstContract(ledger: BenchLedger): Promise<string> {
  const reply = await ledger.client.post("/v2/commands/submit-and-wait-for-transaction", {
    commands: create(ledger.party, `bench-${++commands}`),
  });
  return reply.json().transaction.events[0].CreatedEvent.contractId as string;
}
