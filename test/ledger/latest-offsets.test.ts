import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { limits } from "../../src/config.js";
import { LatestOffsets } from "../../src/ledger/reading/latest-offsets.js";
import { drain, startLedger, submission, success, updates, wildcard } from "./support.js";

const even = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index).filter((offset) => offset % 2 === 0);

describe("offsets that were read last", () => {
  it("are given to who asks for them, or for the last of them, and for no other span or range", () => {
    const latest = new LatestOffsets();
    let reads = 0;
    const read = (party: number, from: number, to: number, limit = 100): readonly number[] =>
      latest.read({ party, template: 0 }, { from, to }, limit, () => {
        reads++;
        return even(from, to).slice(0, limit);
      });
    assert.deepEqual(read(1, 11, 20), even(11, 20));
    assert.deepEqual([read(1, 11, 20), read(1, 15, 20), read(1, 12, 14), reads], [even(11, 20), even(15, 20), even(12, 14), 1]);
    assert.deepEqual([read(1, 11, 20, 2), reads], [[12, 14], 1]);
    assert.deepEqual([read(1, 10, 20), reads], [even(10, 20), 2]);
    assert.deepEqual([read(1, 15, 21), reads], [even(15, 21), 3]);
    assert.deepEqual([read(2, 15, 21), reads], [even(15, 21), 4]);
    assert.deepEqual([read(1, 16, 16), reads], [[16], 4]);
  });

  it("are not remembered where there may be more of them, or where they are many", () => {
    const latest = new LatestOffsets();
    let reads = 0;
    const read = (to: number, limit: number): readonly number[] =>
      latest.read({ party: 1, template: 0 }, { from: 1, to }, limit, () => {
        reads++;
        return even(1, to).slice(0, limit);
      });
    for (const [to, limit] of [
      [20, 5],
      [4 * limits.latestOffsetsMax, 1_000],
    ] as const) {
      reads = 0;
      assert.deepEqual(read(to, limit), read(to, limit));
      assert.equal(reads, 2);
    }
  });

  it("many who follow the same parties read the index once for each commit", async (t) => {
    const fixture = await startLedger(t),
      { ledger, store } = fixture,
      { alice, bob } = fixture.parties as { alice: string; bob: string };
    const { updateIndex } = store.tables,
      entries = updateIndex.entries.bind(updateIndex);
    let reads = 0;
    updateIndex.entries = (range) => {
      reads++;
      return entries(range);
    };
    const begin = ledger.ledgerEnd(),
      create = async (n: number): Promise<unknown> =>
        success(
          await ledger.submit(submission([alice], [{ create: `c ${n}`, signatories: [alice], observers: n % 2 === 0 ? [bob] : [] }])),
        );
    for (let n = 1; n <= 4; n++) {
      await create(n);
      const end = ledger.ledgerEnd();
      reads = 0;
      for (let reader = 0; reader < 20; reader++)
        for (const beginExclusive of [begin, end - 1]) {
          const follow = {
            beginExclusive,
            endInclusive: end,
            format: updates(wildcard(alice)),
            form: "update",
            descending: false,
          } as const;
          assert.equal((await drain(ledger.openUpdates(follow))).length, beginExclusive === begin ? n : 1);
        }
      assert.equal(reads, 1, "reads of the index");
    }
  });
});
