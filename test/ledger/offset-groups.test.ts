/** Indexes of offsets, in which what a commit adds to a range is one entry: they read as if every offset had one of its own. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { limits } from "../../src/config.js";
import type { CommitGroup } from "../../src/ledger/commit/index.js";
import { type Ledger, verifyLedger } from "../../src/ledger/index.js";
import { allOffsets, anyParty, hasOffset, readOffsets, readOffsetsBack } from "../../src/ledger/records/index.js";
import { Batch, RecordWriter, openStore, type UpdateIndexKey } from "../../src/store/index.js";
import { openCommitter } from "./committer.js";
import { drawFrom } from "../support/random.js";
import { closeFixture, drain, soundAgain, startLedger, submission, success, updates, wildcard } from "./support.js";

const range = { party: 3, template: 5 },
  others = [
    { party: 3, template: 4 },
    { party: 3, template: 6 },
    { party: 4, template: 5 },
  ];

const offsetOf = (element: any): number => element.update.Transaction.value.offset as number;
const end = (ledger: Ledger): number => ledger.ledgerEnd();

describe("indexes of offsets", () => {
  it("give any span of a range from either end, however commits put its offsets together", async (t) => {
    const { committer, store } = await openCommitter(t),
      { updateIndex } = store.tables,
      upTo = drawFrom(7),
      expected: number[] = [];
    const add = (group: CommitGroup, fails: boolean): void => {
      const { offset } = group.take();
      const isIn = upTo(3) > 0;
      if (isIn) group.indexUpdate(range.party, range.template, offset);
      for (const { party, template } of others) if (upTo(2) > 0) group.indexUpdate(party, template, offset);
      if (fails) throw new Error("the job fails");
      if (isIn) expected.push(offset);
    };
    for (let commit = 0; commit < 40; commit++)
      await Promise.allSettled(Array.from({ length: 1 + upTo(12) }, (_, job) => committer.commit((group) => add(group, job % 5 === 3))));

    const entries = [...updateIndex.all()].filter(({ key }) => key.party === 3 && key.template === 5);
    assert.ok(entries.length < expected.length / 2, `${entries.length} entries for ${expected.length} offsets`);
    assert.deepEqual(
      [...allOffsets(updateIndex, 0)].filter(({ key }) => key.party === 3 && key.template === 5).map(({ key }) => key.offset),
      expected,
    );
    const last = expected.at(-1)!;
    for (let offset = 0; offset <= last + 1; offset++)
      assert.equal(hasOffset(updateIndex, { ...range, offset }), expected.includes(offset));
    for (let round = 0; round < 2_000; round++) {
      const from = 1 + upTo(last + 3),
        to = from + upTo(40),
        limit = 1 + upTo(20),
        within = expected.filter((offset) => offset >= from && offset <= to);
      assert.deepEqual(readOffsets(updateIndex, range, { from, to }, limit), within.slice(0, limit), `${limit} from ${from} to ${to}`);
      assert.deepEqual(
        readOffsetsBack(updateIndex, range, { from, to }, limit),
        [...within].reverse().slice(0, limit),
        `${limit} back from ${to} to ${from}`,
      );
    }
  });

  it("have no entry of more offsets than a record should hold", async (t) => {
    const { committer, store } = await openCommitter(t),
      count = 2 * limits.indexEntryOffsetsMax + 7;
    await committer.commit((group) => {
      for (let index = 0; index < count; index++) group.indexCompletion(9, group.take().offset);
    });
    const { completionIndex } = store.tables;
    assert.deepEqual(
      [...completionIndex.all()].map(({ key }) => key.offset),
      [limits.indexEntryOffsetsMax, 2 * limits.indexEntryOffsetsMax, count],
    );
    assert.equal(readOffsets(completionIndex, { party: 9 }, { from: 1, to: count }, count + 1).length, count);
  });

  it("are read beside entries of earlier formats, which have one offset each", async (t) => {
    const { committer, store } = await openCommitter(t),
      { updateIndex } = store.tables,
      batch = new Batch();
    for (const offset of [1, 2, 3]) batch.insert(updateIndex, { ...range, offset });
    await batch.flush();
    store.refresh();
    await committer.commit((group) => {
      for (let index = 0; index < 6; index++) {
        const { offset } = group.take();
        if (offset > 3) group.indexUpdate(range.party, range.template, offset);
      }
    });
    assert.deepEqual(readOffsets(updateIndex, range, { from: 2, to: 5 }, 10), [2, 3, 4, 5]);
    assert.deepEqual(readOffsetsBack(updateIndex, range, { from: 2, to: 5 }, 10), [5, 4, 3, 2]);
  });

  it("of a ledger that is pruned within an entry give what is behind, and the entry goes with its last offset", async (t) => {
    const fixture = await startLedger(t),
      { ledger, store } = fixture,
      alice = fixture.parties["alice"]!;
    const submitAll = async (name: string): Promise<void> => {
      const accepted = await Promise.all(
        Array.from({ length: 8 }, (_, index) => ledger.submit(submission([alice], [{ create: `${name}${index}`, signatories: [alice] }]))),
      );
      for (const each of accepted) success(each);
    };
    await submitAll("a");
    await submitAll("b");
    const read = async (begin: number, descending: boolean): Promise<number[]> => {
      const found = await drain(
        ledger.openUpdates({
          beginExclusive: begin,
          endInclusive: end(ledger),
          format: updates(wildcard(alice)),
          form: "update",
          descending,
        }),
      );
      return found.map(offsetOf);
    };
    const ofAlice = (): UpdateIndexKey[] =>
        [...store.tables.updateIndex.all()].map(({ key }) => key).filter(({ party }) => party !== anyParty),
      before = ofAlice(),
      pruned = end(ledger) - 11;
    assert.ok(
      before.some(({ offset }) => offset > pruned && offset <= pruned + 7),
      "an entry ends a little behind what is pruned",
    );
    success(await ledger.prune(pruned));
    const left = Array.from({ length: 11 }, (_, index) => pruned + 1 + index);
    assert.deepEqual(await read(pruned, false), left);
    assert.deepEqual(await read(pruned, true), [...left].reverse());
    assert.deepEqual((await drain(ledger.openCompletions({ userId: "user", parties: [alice], beginExclusive: pruned }))).length, 11);
    assert.deepEqual(
      ofAlice(),
      before.filter(({ offset }) => offset > pruned),
    );
    await soundAgain(fixture);
  });

  it("are found out where an entry does not tell what the log does", async (t) => {
    const fixture = await startLedger(t),
      alice = fixture.parties["alice"]!;
    await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        fixture.ledger.submit(submission([alice], [{ create: `a${index}`, signatories: [alice] }])).then(success),
      ),
    );
    await closeFixture(fixture);
    const rewritten = async (write: (offset: number, distances: number[]) => number[]): Promise<string> => {
      const store = await openStore({ folder: fixture.folder }),
        { completionIndex } = store.tables,
        [entry] = [...completionIndex.all()].filter(({ value }) => value.length > 0);
      assert.ok(entry, "some offsets share an entry");
      const distances: number[] = [];
      for (let at = 8; at < entry.value.length; at += 4) distances.push(entry.value.readUInt32LE(at));
      const record = new RecordWriter(),
        put = async (value: Buffer): Promise<void> => {
          const batch = new Batch();
          batch.put(completionIndex, entry.key, value);
          await batch.flush();
        };
      for (const distance of write(entry.key.offset, [...distances])) record.u32(distance);
      await put(record.finish(1));
      await store.close();
      const { sound, text } = await verifyLedger(fixture.folder);
      assert.equal(sound, false);
      const again = await openStore({ folder: fixture.folder }),
        batch = new Batch();
      batch.put(again.tables.completionIndex, entry.key, entry.value);
      await batch.flush();
      await again.close();
      return text;
    };
    assert.match(await rewritten((_, distances) => distances.slice(1)), /index completionIndex: offset \d+ party \d+ is missing/);
    assert.match(
      await rewritten((offset, distances) => [offset - 1, ...distances]),
      /index completionIndex: offset 1 .* stands for nothing/,
    );
    assert.match(await rewritten((_, distances) => [...distances, 0]), /its offsets are not in order/);
    assert.match(await rewritten((_, [first = 0, ...rest]) => [first, first, ...rest]), /its offsets are not in order/);
    const { sound, text } = await verifyLedger(fixture.folder);
    assert.ok(sound, text);
  });
});
