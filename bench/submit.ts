/**
 * How many durable commands a second, and how far that is from the same server with the same puts and flush but no ledger?
 * A request is answered only when its transaction is flushed.
 */
import type { BenchCase, BenchRow } from "./support/bench.js";
import { commandPuts, withCeiling } from "./support/ceiling.js";
import { create, exercise, withLedger, type BenchLedger } from "./support/ledger.js";
import { httpRequest, runLoad, type LoadResult } from "./support/load.js";
import type { Paced } from "./support/pace.js";
import { median } from "./support/quantile.js";
import { medianSeconds } from "./support/rounds.js";

interface Size {
  readonly connections: readonly number[];
  readonly requests: number;
  readonly rounds: number;
  /** Requests of each kind before the first is timed: code that runs for the first thousand times is not what a node runs. */
  readonly warmUp: number;
}

export const submit: BenchCase<Size> = {
  name: "submit",
  smoke: { connections: [4], requests: 40, rounds: 1, warmUp: 40 },
  full: { connections: [1, 16, 64, 256], requests: 4_000, rounds: 5, warmUp: 40_000 },
  run: (size) => {
    const work = { ...commandPuts, elements: 0, elementBytes: 0 };
    return withLedger((ledger) => withCeiling(work, ({ port }) => measureAll(ledger, port, size)));
  },
};

async function measureAll(
  ledger: BenchLedger,
  ceilingPort: number,
  { connections, requests, rounds, warmUp, pace }: Size & Paced,
): Promise<BenchRow[]> {
  const rows: BenchRow[] = [],
    loads = await loadsOf(ledger, ceilingPort);
  for (const load of Object.values(loads)) await load(Math.max(...connections), warmUp);
  for (const count of connections) {
    const total = count === 1 ? Math.ceil(requests / 8) : requests;
    rows.push(...(await measure(loads, { connections: count, requests: total, rounds, pace })));
  }
  return rows;
}

type Load = (connections: number, requests: number) => Promise<LoadResult>;
type Loads = Readonly<Record<"createCeiling" | "exerciseCeiling" | "create" | "exercise", Load>>;

async function loadsOf(ledger: BenchLedger, ceilingPort: number): Promise<Loads> {
  const contract = await firstContract(ledger);
  const creates = (id: string): object => create(ledger.party, id),
    exercises = (id: string): object => exercise(ledger.party, id, contract, "GetAmount", {});
  const load =
    (port: number, next: (index: number) => Buffer): Load =>
    async (connections, requests) => {
      const result = await runLoad({ port, connections, requests, next });
      if (result.failures > 0) throw new Error(`${result.failures} of ${requests} requests failed`);
      return result;
    };
  return {
    createCeiling: load(ceilingPort, requestsTo("/create", creates)),
    exerciseCeiling: load(ceilingPort, requestsTo("/exercise", exercises)),
    create: load(ledger.node.port, requestsTo(submitPath, creates)),
    exercise: load(ledger.node.port, requestsTo(submitPath, exercises)),
  };
}

interface Rounds extends Paced {
  readonly connections: number;
  readonly requests: number;
  readonly rounds: number;
}

async function measure(loads: Loads, { connections, requests, ...rounds }: Rounds): Promise<BenchRow[]> {
  const names = Object.keys(loads) as (keyof Loads)[],
    latencies = Object.fromEntries(names.map((name) => [name, [] as LoadResult["latencyMs"][]]));
  const round = (name: keyof Loads) => async (): Promise<void> => {
    latencies[name]!.push((await loads[name](connections, requests)).latencyMs);
  };
  const ofRounds = (name: keyof Loads, of: keyof LoadResult["latencyMs"]): number =>
    median(latencies[name]!.map((latencyMs) => latencyMs[of]));
  const seconds = await medianSeconds(rounds, Object.fromEntries(names.map((name) => [name, round(name)])));
  return (["create", "exercise"] as const).map((name) => {
    const value = requests / seconds[name]!,
      ceiling = requests / seconds[`${name}Ceiling`]!,
      p50 = ofRounds(name, "p50"),
      times = p50 / ofRounds(`${name}Ceiling`, "p50");
    return {
      case: `${name}, ${connections} connection${connections === 1 ? "" : "s"}`,
      value,
      unit: "/s",
      ceiling: { value: ceiling, ratio: value / ceiling },
      note: `p50 ${p50.toFixed(2)} ms (${times.toFixed(1)} times the ceiling's), p99 ${ofRounds(name, "p99").toFixed(2)} ms`,
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
