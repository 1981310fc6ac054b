import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { limits } from "../../src/config.js";
import { KeptEntries } from "../../src/ledger/records/kept-entries.js";
import { offsetOrder } from "../../src/ledger/reading/update-scan.js";
import { Random } from "../support/random.js";

const order = offsetOrder;
const range = { party: 1, template: 2 };

/** An index of one range, and how often somebody looked into it. */
class Stored {
  looks = 0;
  constructor(public items: number[]) {}

  read = ({ from, to }: { readonly from: number; readonly to: number }, limit: number): number[] => {
    this.looks++;
    return this.items.filter((one) => one >= from && one <= to).slice(0, limit);
  };
}

/** All of a stretch, piece by piece, as readers go through it. */
function all(kept: KeptEntries<number>, stored: Stored, from: number, to: number, limit: number): number[] {
  const found: number[] = [];
  for (let start = from; ;) {
    const { items, reached } = kept.read(range, { from: start, to }, limit, stored.read);
    assert.ok(items.length <= limit, "no more than was asked for");
    found.push(...items);
    if (reached === undefined) return found;
    assert.ok(items.length > 0 && reached === items.at(-1), "a piece with more behind it ends where it says");
    start = reached + 1;
  }
}

const numbers = (count: number, step = 1): number[] => Array.from({ length: count }, (_, index) => 1 + index * step);

describe("kept entries", () => {
  it("whatever was read and removed before, a stretch has what the index has", () => {
    for (let seed = 1; seed <= 12; seed++) {
      const random = new Random(seed),
        kept = new KeptEntries(order),
        stored = new Stored(numbers(4_000, 1 + random.below(4)).filter(() => random.below(3) > 0)),
        last = stored.items.at(-1)!;
      for (let round = 0; round < 40; round++) {
        const from = random.below(last),
          to = from + random.below(last - from + 20),
          limit = [1, 10, 64, 100, 256][random.below(5)]!;
        assert.deepEqual(
          all(kept, stored, from, to, limit),
          stored.items.filter((one) => one >= from && one <= to),
          `seed ${seed}, round ${round}: ${from} to ${to} by ${limit}`,
        );
        for (let removed = 0; removed < 20; removed++) {
          const place = stored.items[random.below(stored.items.length)]!;
          stored.items = stored.items.filter((one) => one !== place);
          kept.remove(range, place);
        }
        if (random.below(20) === 0) kept.clear();
        stored.items.push(stored.items.at(-1)! + 1 + random.below(3)); // what comes is behind all that was read
      }
    }
  });

  it("what was read in pieces is not read again, wherever a reader begins", () => {
    const kept = new KeptEntries(order),
      stored = new Stored(numbers(3_000, 3));
    for (const from of [5_000, 100, 1, 4_000]) all(kept, stored, from, 9_000, 100);
    stored.looks = 0;
    for (let from = 1; from < 8_000; from += 7) {
      const { items } = kept.read(range, { from, to: 8_500 }, 100, stored.read);
      assert.equal(
        items[0],
        stored.items.find((one) => one >= from),
      );
    }
    assert.equal(stored.looks, 0);
  });

  it("what comes at the end is seen, as the end is not kept", () => {
    const kept = new KeptEntries(order),
      stored = new Stored(numbers(150));
    assert.deepEqual(all(kept, stored, 1, 1_000, 100), numbers(150));
    stored.items.push(151);
    assert.deepEqual(all(kept, stored, 1, 1_000, 100), numbers(151));
  });

  it("ranges are apart", () => {
    const kept = new KeptEntries(order),
      one = new Stored(numbers(200)),
      other = new Stored(numbers(200, 2));
    all(kept, one, 1, 1_000, 100);
    assert.deepEqual(kept.read({ party: 2, template: 2 }, { from: 1, to: 1_000 }, 100, other.read).items, numbers(100, 2));
    kept.remove({ party: 2, template: 2 }, 3);
    assert.deepEqual(all(kept, one, 1, 100, 100), numbers(100));
  });

  it("few entries a piece are not kept, and of many no more than the limit", () => {
    const kept = new KeptEntries(order);
    all(kept, new Stored(numbers(1_000)), 1, 1_000, limits.keptEntriesPieceMin - 1);
    assert.equal(kept.entries, 0);
    for (let party = 1; party <= limits.keptEntriesMax / 800; party++) {
      const many = new Stored(numbers(1_200)),
        read = (from: number): unknown => kept.read({ party, template: 1 }, { from, to: 2_000 }, 256, many.read);
      for (const from of [1, 257, 513, 769]) read(from);
      assert.ok(kept.entries <= limits.keptEntriesMax, `${kept.entries} entries`);
      many.looks = 0;
      read(1);
      assert.equal(many.looks, 0, "the newest stay");
    }
    assert.ok(kept.entries > limits.keptEntriesMax / 2);
    kept.clear();
    assert.equal(kept.entries, 0);
  });
});
