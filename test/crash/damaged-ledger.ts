/** A small ledger with all kinds of records, how its file can be damaged, and what its readers should get from it. */
import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { storyDar, storyTemplate } from "../scenarios/story-model.js";
import { create, eventFormat, exercise, ofTemplate, World, type Command, type Json } from "../scenarios/world.js";
import { Client, type Reply } from "../support/node-process.js";

const note = storyTemplate("Note"),
  cash = storyTemplate("Cash");
const names = ["data.mdb", "lock.mdb"] as const;

export interface Read {
  readonly path: string;
  readonly body: Json;
}

export interface SampleLedger {
  /** Of the same file, earlier ones first; the last is as the ledger was left. */
  readonly versions: readonly Buffer[];
  readonly reads: readonly Read[];
  readonly answers: readonly string[];
}

export const copyLedger = (from: string, to: string): void => {
  mkdirSync(to, { recursive: true });
  for (const name of names) copyFileSync(join(from, name), join(to, name));
};

/** Written in three lives of a node, with creates, archives and rejections of two parties. */
export async function sampleLedger(folder: string): Promise<SampleLedger> {
  const versions: Buffer[] = [],
    contracts: Json[] = [];
  let parties: readonly string[] = [];
  for (let life = 0; life < 3; life++) {
    const world = await World.start(life === 0 ? [storyDar] : [], ["--data", folder, "--workers", "1"]);
    if (life === 0) parties = await world.parties("alice", "bob");
    const [alice, bob] = parties as [string, string];
    for (let round = 0; round < 12; round++) {
      const text = "x".repeat((round * 37) % 400);
      const noteTo = (reader: string, index: number): Command =>
        create(note, { owner: alice, reader, text: `${life} ${round} ${index} ${text}` });
      const notes = Array.from({ length: 6 }, (_, index) => noteTo(index % 2 === 0 ? alice : bob, index));
      const [made] = await Promise.all([
        world.create([bob], note, { owner: bob, reader: alice, text }),
        world.submit([alice], notes),
        world.submit([alice, bob], [create(cash, { bank: alice, owner: bob, amount: String(round) })]),
      ]);
      contracts.push(made);
      if (round % 3 === 2) {
        const gone = exercise(note, contracts.splice(0, 1)[0].contractId, "Discard");
        await world.submit([bob], [gone]);
        assert.equal((await world.submit([bob], [gone])).json().code, "CONTRACT_NOT_FOUND");
      }
    }
    await world.stop();
    versions.push(readFileSync(join(folder, "data.mdb")));
  }
  const world = await World.start([], ["--data", folder, "--workers", "1"]);
  const reads = readsOf(parties, await world.ledgerEnd(), contracts[0].contractId),
    answers: string[] = [];
  for (const read of reads) {
    const reply = await answerOf(world.client, read);
    assert.equal(reply.status, 200, `${read.path}: ${reply.text}`);
    answers.push(reply.text);
  }
  await world.stop();
  versions[2] = readFileSync(join(folder, "data.mdb"));
  return { versions, reads, answers };
}

function readsOf(parties: readonly string[], end: number, contractId: string): Read[] {
  const post = (path: string, body: Json): Read => ({ path, body }),
    get = (path: string): Read => ({ path, body: undefined });
  const updates = (of: Json, more: Json = {}): Read => {
    const includeTransactions = { transactionShape: "TRANSACTION_SHAPE_LEDGER_EFFECTS", eventFormat: eventFormat(of) };
    const body = { beginExclusive: 0, endInclusive: end, updateFormat: { includeTransactions }, ...more };
    return post("/v2/updates?stream_idle_timeout_ms=50", body);
  };
  const active = (of: Json, activeAtOffset: number): Read =>
    post("/v2/state/active-contracts", { activeAtOffset, eventFormat: eventFormat(of) });
  const ofParty = (party: string): Read[] => [
    updates({ parties: [party] }),
    updates({ parties: [party], filters: [ofTemplate(note)] }),
    active({ parties: [party] }, end),
    active({ parties: [party], filters: [ofTemplate(note, true)] }, Math.floor(end / 3)),
  ];
  return [
    updates({}),
    updates({}, { descendingOrder: true }),
    updates({ filters: [ofTemplate(cash, true)] }),
    active({}, end),
    active({}, Math.floor(end / 2)),
    ...parties.flatMap(ofParty),
    post("/v2/commands/completions?stream_idle_timeout_ms=50&limit=500", { userId: "tester", parties: [...parties], beginExclusive: 0 }),
    post("/v2/events/events-by-contract-id", { contractId, eventFormat: eventFormat({ parties }) }),
    post("/v2/state/active-contracts-page", { activeAtOffset: end, eventFormat: eventFormat({}), maxPageSize: 1_000 }),
    get("/v2/state/ledger-end"),
    get("/v2/parties"),
    get("/v2/packages"),
    get("/v2/users"),
  ];
}

/** Checkpoints come by the clock, and page tokens are the node's own; all else must be the same. */
export async function answerOf(client: Client, { path, body }: Read): Promise<Reply> {
  const headers = { "Ledgerline-List-Elements-Max": "100000" };
  const reply = await client.request(body === undefined ? "GET" : "POST", path, body, headers);
  if (!path.startsWith("/v2/commands") || reply.status !== 200) return reply;
  return { ...reply, text: JSON.stringify((reply.json() as Json[]).filter((element) => element.completionResponse.Completion)) };
}

/** Numbers below `max` that a seed gives. */
export type Random = (max: number) => number;

const pageBytes = 8_192,
  metaBytes = 168;
const pageAt = (file: Buffer, page: number): Buffer => file.subarray(page * pageBytes, (page + 1) * pageBytes);
const pagesOf = (file: Buffer): number => Math.floor(file.length / pageBytes);

/** Pages that differ from an earlier version and were something there. */
function changedPages(file: Buffer, earlier: Buffer, from: number): number[] {
  const changed: number[] = [];
  for (let page = from; page < Math.min(pagesOf(file), pagesOf(earlier)); page++) {
    const before = pageAt(earlier, page);
    if (!before.equals(pageAt(file, page)) && before.some((byte) => byte !== 0)) changed.push(page);
  }
  return changed;
}

/** Each gives the damaged file. */
export const damages: Readonly<Record<string, (versions: readonly Buffer[], random: Random) => Buffer>> = {
  bit: (versions, random) => {
    const file = Buffer.from(versions.at(-1)!),
      at = random(file.length);
    file[at]! ^= 1 << random(8);
    return file;
  },
  page: (versions, random) => {
    const file = Buffer.from(versions.at(-1)!),
      page = pageAt(file, random(pagesOf(file)));
    for (let at = 0; at < page.length; at++) page[at] = random(256);
    return file;
  },
  zero: (versions, random) => {
    const file = Buffer.from(versions.at(-1)!);
    pageAt(file, random(pagesOf(file))).fill(0);
    return file;
  },
  truncated: (versions, random) => {
    const file = versions.at(-1)!;
    return Buffer.from(file.subarray(0, random(2) === 0 ? random(file.length) : random(pagesOf(file)) * pageBytes));
  },
  swapped: (versions, random) => {
    const file = Buffer.from(versions.at(-1)!),
      one = pageAt(file, random(pagesOf(file))),
      other = pageAt(file, random(pagesOf(file)));
    const kept = Buffer.from(one);
    other.copy(one);
    kept.copy(other);
    return file;
  },
  old: (versions, random) => {
    const file = Buffer.from(versions.at(-1)!),
      earlier = versions[random(versions.length - 1)]!;
    const changed = changedPages(file, earlier, 2),
      page = changed[random(changed.length)]!;
    pageAt(earlier, page).copy(pageAt(file, page));
    return file;
  },
  meta: (versions, random) => {
    const file = Buffer.from(versions.at(-1)!),
      meta = pageAt(file, random(2));
    switch (random(4)) {
      case 0:
        meta[random(metaBytes)]! ^= 1 << random(8);
        break;
      case 1:
        meta.fill(0);
        break;
      case 2:
        pageAt(versions[random(versions.length - 1)]!, meta.readUInt8(0)).copy(meta);
        break;
      default:
        for (let at = 0; at < metaBytes; at++) meta[at] = random(256);
    }
    return file;
  },
};

export function writeDamaged(source: string, folder: string, file: Buffer): void {
  copyLedger(source, folder);
  writeFileSync(join(folder, "data.mdb"), file);
}
