/**
 * How soon is a node ready: without a folder, on one that is new, on one with contracts, and behind a kill while commands came? Beside it
 * stands how soon the bare server is, which has the same native server and an empty file of LMDB. And how soon has who begins with nothing
 * his first contract, as tests do that want a fresh ledger each?
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { completeDar } from "../test/support/lf-builder.js";
import { Client, type NodeProcess, startNodeProcess } from "../test/support/node-process.js";
import { testData } from "../test/support/paths.js";
import type { BenchCase, BenchRow } from "./support/bench.js";
import { commandPuts, withCeiling } from "./support/ceiling.js";
import { create, createMany, expect, startBenchLedger, type BenchLedger } from "./support/ledger.js";
import { httpRequest, runLoad } from "./support/load.js";
import type { Paced } from "./support/pace.js";
import { median } from "./support/quantile.js";

interface Size {
  readonly contracts: number;
  readonly starts: number;
  /** Creates that are under way when the node is killed, or were shortly before. */
  readonly creates: number;
}

export const start: BenchCase<Size> = {
  name: "start",
  smoke: { contracts: 400, starts: 1, creates: 40 },
  full: { contracts: 100_000, starts: 9, creates: 20_000 },
  async run(size) {
    const ledger = await startBenchLedger();
    try {
      await createMany(ledger, size.contracts);
      await ledger.node.stop();
      return rowsOf(await inTurns(kindsOf(ledger, size), size), size);
    } finally {
      await ledger.stop();
    }
  },
};

/** Give the milliseconds of one start. */
type Kinds = Readonly<Record<"bare" | "memory" | "fresh" | "first" | "stopped" | "killed", () => Promise<number>>>;

async function msUntil<R>(begin: () => Promise<R>, end: (begun: R) => Promise<unknown>): Promise<number> {
  const began = performance.now(),
    begun = await begin(),
    ms = performance.now() - began;
  await end(begun);
  return ms;
}

const stop = (node: NodeProcess): Promise<unknown> => node.stop();

function kindsOf(ledger: BenchLedger, { creates }: Size): Kinds {
  return {
    bare: () => {
      const began = performance.now();
      return withCeiling({ ...commandPuts, elements: 0, elementBytes: 0 }, async () => performance.now() - began);
    },
    memory: () => msUntil(() => startNodeProcess(["--memory"]), stop),
    fresh: () => onFreshFolder((data) => msUntil(() => startNodeProcess(["--data", data]), stop)),
    first: () => onFreshFolder((data) => msUntil(() => firstContract(data), stop)),
    stopped: () => msUntil(() => startNodeProcess(["--data", ledger.data]), stop),
    killed: async () => {
      await killUnderLoad(ledger, creates);
      return msUntil(() => startNodeProcess(["--data", ledger.data]), stop);
    },
  };
}

async function onFreshFolder<R>(use: (data: string) => Promise<R>): Promise<R> {
  const folder = mkdtempSync(join(tmpdir(), "ledgerline-bench-"));
  try {
    return await use(join(folder, "data"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function firstContract(data: string): Promise<NodeProcess> {
  const node = await startNodeProcess(["--data", data]),
    client = new Client(node.port);
  await expect(client.post("/v2/dars", completeDar(readFileSync(testData("canton", "model1.dar")))));
  const party = (await expect(client.post("/v2/parties", { partyIdHint: "first" }))).json().partyDetails.party as string;
  await expect(client.post("/v2/commands/submit-and-wait", create(party, "first")));
  client.close();
  return node;
}

let commands = 0;

/** When half of them are answered; the others are lost to their clients, as the node is. */
async function killUnderLoad({ data, party }: BenchLedger, creates: number): Promise<void> {
  const node = await startNodeProcess(["--data", data]);
  let asked = 0,
    isKilled = false;
  const next = (): Buffer => {
    if (++asked === Math.ceil(creates / 2)) isKilled = node.child.kill("SIGKILL");
    return httpRequest("POST", "/v2/commands/submit-and-wait", JSON.stringify(create(party, `start-${++commands}`)));
  };
  await runLoad({ port: node.port, connections: 64, requests: creates, next }).catch((error: unknown) => {
    if (!isKilled) throw error; // then they break off
  });
  await node.stop("SIGKILL");
}

/** All in each round, in one order and the next time in the other; the first round warms up. */
async function inTurns(kinds: Kinds, { starts, pace }: Size & Paced): Promise<Readonly<Record<keyof Kinds, readonly number[]>>> {
  const names = Object.keys(kinds) as (keyof Kinds)[],
    times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<keyof Kinds, number[]>;
  for (let round = 0; round <= starts; round++)
    for (const name of round % 2 === 0 ? names : [...names].reverse()) {
      pace.look();
      const ms = await kinds[name]();
      if (round > 0) times[name].push(ms);
    }
  return times;
}

function rowsOf(times: Readonly<Record<keyof Kinds, readonly number[]>>, { contracts, creates }: Size): readonly BenchRow[] {
  const bare = median(times.bare),
    count = contracts.toLocaleString("en");
  const row = (name: string, of: readonly number[], note?: string): BenchRow => {
    const value = median(of),
      spread = `${Math.min(...of).toFixed(0)} to ${Math.max(...of).toFixed(0)} ms`;
    return {
      case: name,
      value,
      unit: "ms",
      ceiling: { value: bare, ratio: bare / value },
      note: note === undefined ? spread : `${spread}; ${note}`,
    };
  };
  return [
    row("ready, in memory", times.memory),
    row("ready, on a new folder", times.fresh),
    row("a first contract, on a new folder", times.first, "start, DAR, party and command"),
    row(`ready, with ${count} contracts`, times.stopped),
    row(`ready, with ${count} contracts and more, killed under load`, times.killed, `after some ${Math.ceil(creates / 2)} creates`),
  ];
}
