/**
 * Does a command, a page or a start cost more when a ledger is large? A large ledger and a small one do the same in turn, on the same
 * machine in the same minutes; what counts is processor time of the whole server for each request, and for starts the time until ready.
 */
import { statSync } from "node:fs";
import { join } from "node:path";
import { startNodeProcess } from "../test/support/node-process.js";
import { count } from "../test/support/knobs.js";
import type { BenchCase, BenchRow } from "./support/bench.js";
import { allocateMany, create, createMany, exercise, expect, startBenchLedger, type BenchLedger } from "./support/ledger.js";
import { httpRequest, runLoad } from "./support/load.js";
import type { Paced } from "./support/pace.js";
import { microsSince, processorTimes } from "./support/processor.js";
import { median } from "./support/quantile.js";

interface Size {
  readonly small: number;
  /** Contracts of the large ledger, rising: half of them are of one party, half of so many others. */
  readonly large: readonly number[];
  readonly parties: number;
  readonly connections: number;
  readonly requests: number;
  readonly pages: number;
  readonly rounds: number;
}

const pageElements = 100,
  /** Of contracts that commands use; they lie all over the ledger. */
  usedContracts = 1_000;

export const growth: BenchCase<Size> = {
  name: "growth",
  smoke: { small: 200, large: [800], parties: 2, connections: 4, requests: 40, pages: 4, rounds: 1 },
  full: {
    small: 1_000,
    large: [100_000, count("LEDGERLINE_GROWTH") ?? 1_000_000],
    parties: 100,
    connections: 64,
    requests: 2_500,
    pages: 300,
    rounds: 7,
  },
  async run(size) {
    const ledgers = [await startBenchLedger(), await startBenchLedger()] as const;
    try {
      const rows: BenchRow[] = [],
        populations: Population[] = [];
      for (const ledger of ledgers) populations.push({ ledger, others: await allocateMany(ledger, size.parties) });
      const [small, large] = populations as [Population, Population];
      await addContracts(small, size.small);
      let stored = 0;
      for (const contracts of size.large) {
        await addContracts(large, contracts - stored);
        stored = contracts;
        rows.push(...(await compare(small, large, contracts, size)), await compareStarts(small.ledger, large.ledger, contracts, size));
      }
      return rows;
    } finally {
      for (const ledger of ledgers) await ledger.stop();
    }
  },
};

interface Population {
  readonly ledger: BenchLedger;
  readonly others: readonly string[];
}

async function addContracts({ ledger, others }: Population, contracts: number): Promise<void> {
  await createMany(ledger, contracts / 2);
  await createMany(ledger, contracts / 2, others);
}

interface Case {
  readonly name: string;
  readonly requests: number;
  readonly next: (side: Side) => Buffer;
}
interface Side extends Population {
  readonly contractIds: readonly string[];
  readonly end: number;
  readonly micros: Map<string, number[]>;
}

async function compare(small: Population, large: Population, contracts: number, size: Size & Paced): Promise<BenchRow[]> {
  const sides = [await sideOf(small), await sideOf(large)],
    cases: readonly Case[] = [
      { name: "create", requests: size.requests, next: ({ ledger }) => command(create(ledger.party, nextId())) },
      {
        name: `create of any of ${size.parties} parties`,
        requests: size.requests,
        next: ({ others }) => command(create(anyOf(others), nextId())),
      },
      {
        name: "exercise",
        requests: size.requests,
        next: ({ ledger, contractIds }) => command(exercise(ledger.party, nextId(), anyOf(contractIds), "GetAmount", {})),
      },
      { name: `page of ${pageElements} active contracts`, requests: size.pages, next: ({ ledger, end }) => page(ledger.party, end) },
    ];
  for (let round = 0; round <= size.rounds; round++)
    for (const each of cases)
      for (const side of round % 2 === 0 ? sides : [...sides].reverse()) {
        size.pace.look();
        const micros = await take(side, each, size.connections);
        if (round > 0 && micros !== undefined) side.micros.set(each.name, [...(side.micros.get(each.name) ?? []), micros]);
      }
  return cases.map(({ name }) => {
    const [ofSmall = [], ofLarge = []] = sides.map(({ micros }) => micros.get(name) ?? []);
    const title = `${name}, ${contracts.toLocaleString("en")} contracts`;
    if (ofSmall.length === 0) return { case: title, value: 0, unit: "us", unmeasured: "what processes take is not told here" };
    const times = median(ofLarge.map((micros, round) => micros / ofSmall[round]!));
    return {
      case: title,
      value: median(ofLarge),
      unit: "us of CPU",
      note: `${times.toFixed(2)} times that of ${size.small.toLocaleString("en")}`,
    };
  });
}

/** The contracts that commands use are spread over the whole ledger. */
async function sideOf(population: Population): Promise<Side> {
  const { ledger } = population;
  const end = (await expect(ledger.client.get("/v2/state/ledger-end"))).json().offset as number,
    contractIds: string[] = [];
  const steps = Math.min(end, usedContracts / pageElements);
  for (let step = 0; step < steps; step++) {
    const beginExclusive = Math.floor((end * step) / steps),
      request = { beginExclusive, endInclusive: end, updateFormat: updateFormat(ledger.party) };
    const updates = (await expect(ledger.client.post("/v2/updates?limit=2", request))).json() as any[];
    for (const { update } of updates)
      for (const { CreatedEvent: created } of update.Transaction?.value.events ?? []) if (created) contractIds.push(created.contractId);
  }
  return { ...population, contractIds, end, micros: new Map() };
}

const updateFormat = (party: string): object => ({
  includeTransactions: {
    eventFormat: { filtersByParty: { [party]: { cumulative: [] } }, verbose: false },
    transactionShape: "TRANSACTION_SHAPE_ACS_DELTA",
  },
});

async function take({ ledger, ...side }: Side, { name, requests, next }: Case, connections: number): Promise<number | undefined> {
  const { port, child } = ledger.node,
    before = processorTimes(child.pid!);
  const { failures } = await runLoad({ port, connections, requests, next: () => next({ ledger, ...side }) });
  if (failures > 0) throw new Error(`${failures} of ${requests} requests failed: ${name}`);
  const micros = microsSince(before, child.pid!);
  return micros && micros / requests;
}

/** Each is stopped, and started again on its folder so many times. */
async function compareStarts(small: BenchLedger, large: BenchLedger, contracts: number, { rounds, pace }: Size & Paced): Promise<BenchRow> {
  const times: number[][] = [[], []];
  for (const ledger of [small, large]) await ledger.node.stop();
  for (let round = 0; round < rounds; round++)
    for (const [index, { data }] of [small, large].entries()) {
      pace.look();
      const began = performance.now(),
        node = await startNodeProcess(["--data", data]);
      times[index]!.push(performance.now() - began);
      await node.stop();
    }
  for (const ledger of [small, large]) await ledger.restart();
  const [ofSmall, ofLarge] = times.map(median) as [number, number],
    gigabytes = statSync(join(large.data, "data.mdb")).size / 1e9;
  return {
    case: `start, ${contracts.toLocaleString("en")} contracts`,
    value: ofLarge,
    unit: "ms",
    note: `${(ofLarge / ofSmall).toFixed(2)} times ${ofSmall.toFixed(0)} ms; file ${gigabytes.toFixed(2)} GB`,
  };
}

const anyOf = (texts: readonly string[]): string => texts[Math.floor(Math.random() * texts.length)]!;

let commands = 0;
const nextId = (): string => `growth-${++commands}`;
const command = (body: object): Buffer => httpRequest("POST", "/v2/commands/submit-and-wait", JSON.stringify(body));

function page(party: string, activeAtOffset: number): Buffer {
  const eventFormat = { filtersByParty: { [party]: { cumulative: [] } }, verbose: false };
  return httpRequest("POST", "/v2/state/active-contracts-page", JSON.stringify({ activeAtOffset, maxPageSize: pageElements, eventFormat }));
}
