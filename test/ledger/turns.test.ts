/** How much readers and commits look at, and whether others have their turn meanwhile. Counted, as a busy machine has no times. */
import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import type { Cursor } from "../../src/base/element-writer.js";
import { limits } from "../../src/config.js";
import { readWhile } from "../../src/base/reading.js";
import { Turns } from "../../src/base/turns.js";
import type { Result } from "../../src/base/result.js";
import type { EventFormatRequest, LedgerErrorData } from "../../src/ledger/index.js";
import { Batch, type Table } from "../../src/store/index.js";
import { Collector, drain, startLedger, submission, success, updates, viewsOf, wildcard, type Fixture } from "./support.js";

/** Every question whether the turn is over is answered by yes. */
const noTime = (): Turns => new Turns(0);

/** Turns of the event loop that others have while something goes on. */
async function turnsDuring<T>(work: () => Promise<T>): Promise<{ readonly turns: number; readonly result: T }> {
  let turns = 0,
    done = false;
  const count = (): void => {
    if (!done) {
      turns++;
      setImmediate(count);
    }
  };
  setImmediate(count);
  const result = await work();
  done = true;
  return { turns, result };
}

/** What was read from the store since this was called. */
function countReads({ store: { tables } }: Fixture): {
  readonly indexKeys: () => number;
  readonly holders: () => number;
  readonly updates: () => number;
} {
  let indexKeys = 0,
    holders = 0,
    updatesRead = 0;
  for (const table of [tables.active, tables.archived, tables.updates, tables.completions] as { keys: (range: never) => unknown[] }[]) {
    const keys = table.keys.bind(table);
    table.keys = (range) => {
      const found = keys(range);
      indexKeys += found.length;
      return found;
    };
  }
  for (const table of [tables.updateIndex, tables.completionIndex] as unknown as Table<object>[]) {
    const entriesOfIndex = table.entries.bind(table);
    table.entries = function* (range) {
      for (const entry of entriesOfIndex(range)) {
        indexKeys++;
        yield entry;
      }
    };
  }
  const entries = tables.activeKeys.entries.bind(tables.activeKeys);
  tables.activeKeys.entries = function* (range) {
    for (const entry of entries(range)) {
      holders++;
      yield entry;
    }
  };
  const readShared = tables.updates.readShared.bind(tables.updates);
  tables.updates.readShared = (key) => {
    updatesRead++;
    return readShared(key);
  };
  return { indexKeys: () => indexKeys, holders: () => holders, updates: () => updatesRead };
}

type Parties = { alice: string; bob: string };
/** Updates that the index has for a reader of changes, and that change nothing for him. */
async function useInVain({ ledger, parties }: Fixture, times: number): Promise<{ readonly begin: number }> {
  const { alice } = parties as Parties;
  success(await ledger.submit(submission([alice], [{ create: "used", signatories: [alice] }])));
  const use = async (): Promise<unknown> =>
    success(await ledger.submit(submission([alice], [{ exercise: "used", by: [alice], consuming: false, choice: "Look" }])));
  const begin = ledger.ledgerEnd();
  for (let done = 0; done < times; done += atOnce) await Promise.all(Array.from({ length: Math.min(atOnce, times - done) }, use));
  return { begin };
}

const inVain = 1_000,
  /** Of one who does not rest, and reads what nobody read before. */
  turnsOfReaderMax = 200,
  atOnce = 200;

describe("turns of readers", () => {
  for (const [title, format] of [
    ["with interface views", viewsOf],
    ["without views", wildcard],
  ] as const)
    it(`updates ${title} that match nothing: others have their turn all along`, async (t) => {
      const fixture = await startLedger(t, { turns: noTime(), readerTurns: noTime() }),
        { alice } = fixture.parties as Parties,
        { begin } = await useInVain(fixture, inVain);
      const request = {
        beginExclusive: begin,
        endInclusive: fixture.ledger.ledgerEnd(),
        format: updates(format(alice)),
        form: "update",
        descending: false,
      } as const;
      const { turns, result } = await turnsDuring(() => drain(fixture.ledger.openUpdates(request)));
      t.diagnostic(`${inVain} updates in vain: ${turns} turns`);
      assert.deepEqual(result, []);
      assert.ok(turns >= inVain / 64, `${turns} turns`);
    });

  it("updates that match nothing: who reads them rests between his turns while commands are under way", async (t) => {
    let running = 0;
    const fixture = await startLedger(t, { submissionsRunning: () => running }),
      { ledger } = fixture,
      { alice } = fixture.parties as Parties,
      { begin } = await useInVain(fixture, 2 * inVain);
    const turnsWith = async (submissions: number): Promise<number> => {
      running = submissions;
      const request = { beginExclusive: begin, endInclusive: ledger.ledgerEnd(), format: updates(wildcard(alice)) } as const;
      return (await turnsDuring(() => drain(ledger.openUpdates({ ...request, form: "update", descending: false })))).turns;
    };
    const beside = await turnsWith(1),
      alone = await turnsWith(0);
    t.diagnostic(`${2 * inVain} updates in vain: ${beside} turns beside commands, ${alone} alone`);
    assert.ok(beside > 3 * alone + turnsOfReaderMax, `${beside} and ${alone} turns`);
  });

  it("active contracts and completions that match nothing: others have their turn all along", async (t) => {
    const fixture = await startLedger(t, { turns: noTime(), readerTurns: noTime() }),
      { alice } = fixture.parties as Parties,
      { ledger } = fixture;
    await useInVain(fixture, inVain);
    const completions = success(ledger.openCompletions({ userId: "nobody", parties: [alice], beginExclusive: 0 }));
    const { turns } = await turnsDuring(() => untilCaughtUp(completions));
    t.diagnostic(`${inVain} completions of others: ${turns} turns`);
    assert.ok(turns >= 3, `${turns} turns`);
    const ofEverything: EventFormatRequest = {
      filtersByParty: Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`${n}::1220`, { cumulative: [] }])),
      filtersForAnyParty: { cumulative: [] },
      verbose: true,
    };
    assert.equal((await drain(ledger.openActiveContracts({ activeAtOffset: ledger.ledgerEnd(), format: ofEverything }))).length, 1);
  });

  for (const [title, open] of [
    [
      "updates",
      ({ ledger }: Fixture, party: string, beginExclusive: number) =>
        ledger.openUpdates({
          beginExclusive,
          endInclusive: ledger.ledgerEnd(),
          format: updates(viewsOf(party)),
          form: "update",
          descending: false,
        }),
    ],
    [
      "completions",
      ({ ledger }: Fixture, party: string, beginExclusive: number) =>
        ledger.openCompletions({ userId: "nobody", parties: [party], beginExclusive }),
    ],
  ] as const)
    it(`${title} that match nothing: when the client leaves, the search ends`, async (t) => {
      const fixture = await startLedger(t, { turns: noTime(), readerTurns: noTime() }),
        { alice } = fixture.parties as Parties;
      const { begin } = await useInVain(fixture, inVain);
      const reads = countReads(fixture),
        cursor = success(open(fixture, alice, begin)),
        leaving = new AbortController();
      const read = readWhile(() => leaving.signal, cursor, 100, new Collector());
      await new Promise((resolve) => setImmediate(resolve));
      leaving.abort();
      const atLeave = reads.indexKeys() + reads.updates();
      assert.equal(await read, 0);
      assert.equal(cursor.ended, true);
      const after = reads.indexKeys() + reads.updates() - atLeave;
      t.diagnostic(`${atLeave} reads until the client left, ${after} after`);
      assert.ok(after <= 32, `${after} reads after the client left`);
    });
});

it("pruning: others have their turn all along while a large transaction goes", async (t) => {
  const fixture = await startLedger(t, { turns: noTime() }),
    { ledger, parties } = fixture,
    { alice } = parties as Parties,
    ids = Array.from({ length: 20 * limits.commitStepEvents }, (_, n) => `c${n}`);
  success(
    await ledger.submit(
      submission(
        [alice],
        ids.map((id) => ({ create: id, signatories: [alice] })),
      ),
    ),
  );
  success(
    await ledger.submit(
      submission(
        [alice],
        ids.map((id) => ({ exercise: id, by: [alice] })),
      ),
    ),
  );
  success(await ledger.submit(submission([alice], [{ create: "last", signatories: [alice] }])));
  const { remove } = Batch.prototype;
  let removed = 0,
    removedInTurn = 0,
    removedMost = 0;
  t.mock.method(Batch.prototype, "remove", function (this: Batch, ...entry: Parameters<Batch["remove"]>) {
    if (removedInTurn === 0) setImmediate(() => (removedInTurn = 0));
    removedMost = Math.max(removedMost, ++removedInTurn);
    removed++;
    return remove.apply(this, entry);
  });
  success(await ledger.prune(ledger.ledgerEnd() - 1));
  t.diagnostic(`two transactions of ${ids.length} events: ${removed} entries removed, ${removedMost} in a turn`);
  assert.ok(removed > 2 * ids.length && removedMost <= removed / 5, `${removedMost} of ${removed}`);
});

/** Has memory for elements only at times. */
class Scarce extends Collector {
  readonly answers: boolean[] = [];
  mayBegin(): boolean {
    return this.answers.shift() ?? true;
  }
}

describe("readers who share memory", () => {
  const cursors: Readonly<Record<string, (fixture: Fixture, party: string) => Result<Cursor, LedgerErrorData>>> = {
    updates: ({ ledger }, party) =>
      ledger.openUpdates({
        beginExclusive: 0,
        endInclusive: undefined,
        format: updates(wildcard(party)),
        form: "update",
        descending: false,
      }),
    "updates with interface views": ({ ledger }, party) =>
      ledger.openUpdates({
        beginExclusive: 0,
        endInclusive: undefined,
        format: updates(viewsOf(party)),
        form: "update",
        descending: false,
      }),
    "active contracts": ({ ledger }, party) => ledger.openActiveContracts({ activeAtOffset: ledger.ledgerEnd(), format: wildcard(party) }),
    "active contracts with interface views": ({ ledger }, party) =>
      ledger.openActiveContracts({ activeAtOffset: ledger.ledgerEnd(), format: viewsOf(party) }),
    completions: ({ ledger }, party) => ledger.openCompletions({ userId: "nobody", parties: [party], beginExclusive: 0 }),
  };
  for (const [title, open] of Object.entries(cursors))
    it(`${title}: who gave way and finds none left reads nothing, and all of it once there is some`, async (t) => {
      const readerTurns = noTime(),
        fixture = await startLedger(t, { readerTurns }),
        { alice } = fixture.parties as Parties;
      for (const id of ["a", "b", "c"])
        success(await fixture.ledger.submit({ ...submission([alice], [{ create: id, signatories: [alice] }]), userId: "nobody" }));
      const cursor = success(open(fixture, alice)),
        out = new Scarce();
      // Views take a while, so it is asked once more behind them.
      for (const answers of title.includes("views") ? [[false], [true, false], [true, false]] : [[false], [false]]) {
        out.answers.push(...answers);
        void readerTurns.isOver; // from the second question on
        assert.equal(await cursor.read(100, out), 0);
        assert.deepEqual([out.answers, out.elements.length, cursor.ended], [[], 0, false]);
      }
      while ((await cursor.read(1, out)) > 0);
      assert.equal(out.elements.length, 3);
      cursor.close();
    });
});

async function untilCaughtUp(cursor: Cursor): Promise<void> {
  for (const out = new Collector(); (await cursor.read(100, out)) > 0;);
  cursor.close();
}

/** Parties `p0`, `p1`, ... */
async function manyParties({ ledger }: Fixture, count: number): Promise<string[]> {
  const details = await Promise.all(
    Array.from({ length: count }, (_, n) =>
      ledger.allocateParty({ hint: `p${n}`, annotations: {}, identityProviderId: "", synchronizerId: "", userId: "" }),
    ),
  );
  return details.map((one) => success(one).party);
}

describe("readers of many parties", () => {
  const partyCount = 100,
    contractsEach = 20;

  async function filled(t: TestContext): Promise<{ fixture: Fixture; parties: string[] }> {
    const fixture = await startLedger(t),
      parties = await manyParties(fixture, partyCount);
    for (let round = 0; round < contractsEach; round++)
      await Promise.all(
        parties.map((party, n) =>
          fixture.ledger.submit(
            submission([party], [{ create: `${n} in ${round}`, signatories: [party], observers: [parties[(n + 1) % partyCount]!] }]),
          ),
        ),
      );
    return { fixture, parties };
  }

  it("an index entry of each party is read about once, whatever the number of parties", async (t) => {
    const { fixture, parties } = await filled(t),
      { ledger } = fixture,
      end = ledger.ledgerEnd(),
      entries = 2 * partyCount * contractsEach;
    const reads = countReads(fixture);
    const contracts = await drain(ledger.openActiveContracts({ activeAtOffset: end, format: wildcard(...parties) }));
    assert.equal(contracts.length, partyCount * contractsEach);
    const places = contracts.map(
      ({
        contractEntry: {
          JsActiveContract: { createdEvent },
        },
      }) => createdEvent.offset,
    );
    assert.deepEqual(
      places,
      [...places].sort((a, b) => a - b),
    );
    const ofContracts = reads.indexKeys();
    t.diagnostic(`${contracts.length} active contracts of ${partyCount} parties: ${ofContracts} index keys for ${entries} entries`);
    assert.ok(ofContracts <= 2 * entries, `${ofContracts} keys`);

    for (const descending of [false, true]) {
      const before = reads.indexKeys();
      const found = await drain(
        ledger.openUpdates({ beginExclusive: 0, endInclusive: end, format: updates(wildcard(...parties)), form: "update", descending }),
      );
      const offsets = found.map(
          ({
            update: {
              Transaction: { value },
            },
          }) => value.offset,
        ),
        sorted = [...offsets].sort((a, b) => (descending ? b - a : a - b));
      assert.equal(offsets.length, partyCount * contractsEach);
      assert.deepEqual(offsets, sorted);
      const ofUpdates = reads.indexKeys() - before;
      t.diagnostic(`${offsets.length} updates ${descending ? "backwards" : "forwards"}: ${ofUpdates} index keys`);
      assert.ok(ofUpdates <= 2 * entries, `${ofUpdates} keys`);
    }
  });

  it("a commit costs a reader at the end no look at each of his parties", async (t) => {
    const { fixture, parties } = await filled(t),
      { ledger } = fixture;
    const cursor = success(
      ledger.openUpdates({
        beginExclusive: ledger.ledgerEnd(),
        endInclusive: undefined,
        format: updates(wildcard(...parties)),
        form: "update",
        descending: false,
      }),
    );
    await cursor.read(10, new Collector());
    success(await ledger.submit(submission([parties[7]!], [{ create: "one more", signatories: [parties[7]!] }])));
    let ranges = 0;
    const { updates: log, updateIndex } = fixture.store.tables,
      keys = log.keys.bind(log),
      entries = updateIndex.entries.bind(updateIndex);
    log.keys = (range) => {
      ranges++;
      return keys(range);
    };
    updateIndex.entries = (range) => {
      ranges++;
      return entries(range);
    };
    const out = new Collector();
    assert.equal(await cursor.read(10, out), 1);
    t.diagnostic(`${ranges} ranges read for one commit`);
    assert.ok(ranges <= 3, `${ranges} ranges`);
    cursor.close();
  });
});

describe("contract keys that many hold", () => {
  it("a create, an archive and a look-up read none of those who hold it but the new ones", async (t) => {
    const fixture = await startLedger(t),
      { ledger } = fixture,
      { alice } = fixture.parties as Parties,
      holders = 300;
    const createOf = (...names: readonly string[]): ReturnType<typeof submission> =>
      submission(
        [alice],
        names.map((name) => ({ create: name, template: "M:Keyed", signatories: [alice], key: "k" })),
      );
    success(await ledger.submit(createOf(...Array.from({ length: holders }, (_, n) => `holder ${n}`))));
    const reads = countReads(fixture),
      step = async (title: string, one: ReturnType<typeof submission>): Promise<void> => {
        const before = reads.holders();
        success(await ledger.submit(one));
        const read = reads.holders() - before;
        t.diagnostic(`${title} beside ${holders} holders: ${read} read`);
        assert.ok(read <= 2, `${title}: ${read} holders were read`);
      };
    const newestFirst = Array.from({ length: holders }, (_, n) => `holder ${holders - 1 - n}`);
    await step("a create", createOf("one more"));
    await step("a look-up of all", submission([alice], [{ lookup: "k", found: ["one more", ...newestFirst] }]));
    await step("an archive", submission([alice], [{ exercise: "holder 5", by: [alice] }]));
    await step(
      "a look-up after it",
      submission([alice], [{ lookup: "k", found: ["one more", ...newestFirst.filter((name) => name !== "holder 5")] }]),
    );
  });
});
