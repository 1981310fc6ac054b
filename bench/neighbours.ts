/**
 * How long does a durable create take beside somebody who behaves badly? Creates come at a rate, and a latency counts from when one was
 * due; before each neighbour they have the node to themselves, which shows as well whether the one before left anything behind.
 */
import { memoryMb } from "../test/support/node-process.js";
import { freePort } from "../test/support/ports.js";
import type { BenchCase, BenchRow } from "./support/bench.js";
import { create, createMany, startBenchLedger, type BenchLedger } from "./support/ledger.js";
import { httpRequest, runLoad } from "./support/load.js";
import { beside, type NeighbourName, type NeighbourPlace } from "./support/neighbour.js";
import type { Paced } from "./support/pace.js";
import { runOpenLoad, type OpenLoadResult } from "./support/open-load.js";

interface Size extends Pick<NeighbourPlace, "bodyBytes" | "leaversPerSecond" | "pipelined" | "darBytes" | "calls" | "pieces"> {
  readonly warmUp: number;
  readonly contracts: number;
  readonly perSecond: number;
  readonly clients: number;
  readonly seconds: number;
}

const neighbourNames: Readonly<Record<NeighbourName, string>> = {
  leavers: "clients that leave in the middle of a body",
  pipeliner: "a connection that pipelines all it has",
  reader: "a reader of all active contracts",
  uploader: "the upload of a large DAR",
  callers: "a connection that calls over gRPC what nobody serves",
  bytewise: "connections that send messages over gRPC in single bytes",
  resetters: "connections that reset calls over gRPC at once",
};

export const neighbours: BenchCase<Size> = {
  name: "neighbours",
  smoke: {
    warmUp: 40,
    contracts: 400,
    perSecond: 50,
    clients: 8,
    seconds: 0.5,
    bodyBytes: 20_000,
    leaversPerSecond: 100,
    pipelined: 10,
    darBytes: 400_000,
    calls: 20,
    pieces: 500,
  },
  full: {
    warmUp: 40_000,
    contracts: 1_000_000,
    perSecond: 1_000,
    clients: 200,
    seconds: 15,
    bodyBytes: 200_000,
    leaversPerSecond: 1_000,
    pipelined: 500,
    darBytes: 60_000_000,
    calls: 200,
    pieces: 5_000,
  },
  async run(size) {
    const grpcPort = await freePort(),
      ledger = await startBenchLedger({ flags: ["--grpc-port", String(grpcPort)] });
    try {
      await createMany(ledger, size.contracts);
      await runLoad({ port: ledger.node.port, connections: 16, requests: size.warmUp, next: () => nextCreate(ledger) });
      const end = (await ledger.client.get("/v2/state/ledger-end")).json().offset as number,
        place: NeighbourPlace = { ...size, port: ledger.node.port, grpcPort, party: ledger.party, end },
        rows: BenchRow[] = [];
      for (const [name, sentence] of Object.entries(neighbourNames) as [NeighbourName, string][]) {
        const alone = await measure(ledger, size),
          [figures, did] = await beside(name, place, () => measure(ledger, size));
        rows.push(
          rowOf("alone", alone),
          rowOf(`beside ${sentence}`, figures, `${(figures.latencyMs.p99 / alone.latencyMs.p99).toFixed(1)} times alone; ${did}`),
        );
      }
      return [...rows, rowOf("alone", await measure(ledger, size))];
    } finally {
      await ledger.stop();
    }
  },
};

let commands = 0;
const nextCreate = ({ party }: BenchLedger): Buffer =>
  httpRequest("POST", "/v2/commands/submit-and-wait", JSON.stringify(create(party, `beside-${++commands}`)));

interface Figures extends OpenLoadResult {
  /** At most. */
  readonly memoryMb: number;
}

const lookMs = 50;

async function measure(ledger: BenchLedger, { perSecond, clients, seconds, pace }: Size & Paced): Promise<Figures> {
  pace.look();
  let most = memoryMb(ledger.node);
  const watch = setInterval(() => (most = Math.max(most, memoryMb(ledger.node))), lookMs);
  try {
    const plan = { port: ledger.node.port, connections: clients, perSecond, seconds, next: () => nextCreate(ledger) };
    return { ...(await runOpenLoad(plan)), memoryMb: most };
  } finally {
    clearInterval(watch);
  }
}

function rowOf(name: string, { latencyMs, accepted, refused, unsent, memoryMb: memory }: Figures, more?: string): BenchRow {
  const did = `${accepted} creates, ${refused} refused, ${unsent} unsent`,
    note = `p50 ${latencyMs.p50.toFixed(1)} ms, at most ${latencyMs.max.toFixed(0)} ms; ${did}; memory at most ${memory.toFixed(0)} MB`;
  return { case: `${name}, 99th percentile`, value: latencyMs.p99, unit: "ms", note: more === undefined ? note : `${more}; ${note}` };
}
