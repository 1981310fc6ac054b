/** Readers that go through more than is kept in memory, as if they had done so already. */
import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { limits } from "../../src/config.js";
import type { EventFormatRequest } from "../../src/ledger/index.js";
import { decodeUpdate } from "../../src/ledger/records/index.js";
import { UpdateLog } from "../../src/ledger/reading/update-log.js";
import { Batch, type Stretch } from "../../src/store/index.js";
import { drain, startLedger, submission, updates, viewsOf, wildcard, type Fixture, type Step } from "./support.js";

type Parties = { alice: string; bob: string; carol: string; dave: string };

const count = 300;

async function startHistory(t: TestContext): Promise<Fixture> {
  const fixture = await startLedger(t),
    { alice, bob, carol } = fixture.parties as Parties;
  const steps = (n: number): Step[] => [
    { create: `c ${n}`, template: n % 3 === 0 ? "M:Other" : "M:Asset", signatories: [alice], observers: n % 2 === 0 ? [bob] : [] },
    ...(n % 5 === 0 ? [{ create: `d ${n}`, signatories: [alice, carol] }] : []),
    ...(n % 40 === 0 ? Array.from({ length: 12 }, (_, index) => ({ create: `e ${n} ${index}`, signatories: [alice] })) : []),
  ];
  for (let from = 0; from < count; from += 50)
    await Promise.all(Array.from({ length: 50 }, (_, index) => fixture.ledger.submit(submission([alice, carol], steps(from + index)))));
  await Promise.all(
    Array.from({ length: 50 }, (_, n) =>
      fixture.ledger.submit(
        submission([alice], [{ exercise: `c ${6 * n}`, by: [alice], consuming: n % 2 === 0, choice: "Use" }], { commandId: `use ${n}` }),
      ),
    ),
  );
  await fixture.store.caughtUp();
  return fixture;
}

/** As if each had gone through as much as it may bring into memory. */
function readersPass(t: TestContext): void {
  const { reader } = UpdateLog.prototype;
  t.after(() => (UpdateLog.prototype.reader = reader));
  UpdateLog.prototype.reader = function (this: UpdateLog) {
    const made = reader.call(this);
    made.pass(limits.logReaderKeptBytesMax + 1);
    return made;
  };
}

/** As if nothing were in memory. */
function forgetUpdates(t: TestContext): void {
  const { kept } = UpdateLog.prototype;
  t.after(() => (UpdateLog.prototype.kept = kept));
  UpdateLog.prototype.kept = () => undefined;
}

async function readAll({ ledger, parties }: Fixture): Promise<unknown[]> {
  const { alice, bob, carol } = parties as Parties,
    end = ledger.ledgerEnd();
  const formats: EventFormatRequest[] = [wildcard(alice), wildcard(bob), wildcard(alice, bob, carol), viewsOf(alice)];
  const all: unknown[] = [];
  for (const format of formats) {
    for (const descending of [false, true])
      for (const shape of ["acsDelta", "ledgerEffects"] as const)
        for (const form of ["update", "tree"] as const)
          all.push(
            await drain(ledger.openUpdates({ beginExclusive: 0, endInclusive: end, format: updates(format, shape), form, descending })),
          );
    const contracts: { streamContinuationToken?: string }[] = await drain(ledger.openActiveContracts({ activeAtOffset: end, format }));
    all.push(contracts.map((contract) => ({ ...contract, streamContinuationToken: undefined })));
  }
  return all;
}

describe("histories that do not fit in memory", () => {
  it("who goes through one gets what others get, however he reads", async (t) => {
    const fixture = await startHistory(t),
      expected = await readAll(fixture);
    let stretches = 0;
    const { updates: table } = fixture.store.tables,
      readStretch = table.readStretch.bind(table);
    table.readStretch = (key: number, into: Stretch) => {
      readStretch(key, into);
      if (into.count > 0) stretches++;
    };
    readersPass(t);
    forgetUpdates(t);
    const found = await readAll(fixture);
    assert.ok(stretches > 0, "some of it was read in stretches");
    assert.equal(found.length, expected.length);
    for (const [index, list] of found.entries()) assert.deepEqual(list, expected[index]);
    assert.ok((found[0] as unknown[]).length >= count);
  });

  it("what was read once is kept for nobody, what is read again is", async (t) => {
    const { store } = await startHistory(t),
      log = new UpdateLog(store.tables, { offset: 0 }),
      offsets = store.tables.updates.keys({ start: 1, end: 10_000 });
    const readThrough = (): string[] => {
      const reader = log.reader();
      return offsets.map((offset) => {
        const { bytes, text, textEnd } = reader.get(offset);
        return bytes.toString("utf8", text, textEnd);
      });
    };
    const keptNow = (): number => offsets.filter((offset) => log.kept(offset) !== undefined).length;
    const first = readThrough();
    assert.equal(keptNow(), 0);
    assert.deepEqual(readThrough(), first);
    assert.equal(keptNow(), offsets.length);
    assert.deepEqual(readThrough(), first);
  });

  it("he brings nothing into memory, and takes nothing out of it", async (t) => {
    const { store } = await startHistory(t),
      log = new UpdateLog(store.tables, { offset: 0 }),
      reader = log.reader();
    const offsets = store.tables.updates.keys({ start: 1, end: 10_000 }),
      [first] = offsets;
    log.reader().get(first!);
    assert.equal(reader.get(first!).bytes, log.kept(first!)!.bytes);
    reader.pass(limits.logReaderKeptBytesMax + 1);
    for (const offset of offsets) {
      const { bytes, text, textEnd } = reader.get(offset),
        stored = decodeUpdate(store.tables.updates.read(offset)!, offset);
      assert.ok(bytes.subarray(text, textEnd).equals(stored.bytes.subarray(stored.start, stored.end)), `the text of ${offset}`);
      assert.equal(log.kept(offset) !== undefined, offset === first);
    }
  });

  it("a record that is not as it was written is damage, and named, also where many are read together", async (t) => {
    const { store } = await startHistory(t),
      { updates: table } = store.tables,
      offsets = table.keys({ start: 1, end: 10_000 }),
      broken = offsets[200]!,
      misplaced = offsets[220]!;
    const batch = new Batch(),
      changed = table.read(broken)!;
    changed[changed.length - 3]! ^= 1;
    batch.put(table, broken, changed);
    batch.put(table, misplaced, table.read(offsets[221]!)!);
    await batch.flush();
    const reader = new UpdateLog(store.tables, { offset: 0 }).reader();
    reader.pass(limits.logReaderKeptBytesMax + 1);
    for (const offset of offsets) {
      const read = (): unknown => reader.get(offset);
      if (offset === broken) assert.throws(read, { message: /table updates, offset \d+: the record is damaged: its checksum/ });
      else if (offset === misplaced) assert.throws(read, { message: /the update of offset \d+ lies here/ });
      else read();
    }
  });
});
