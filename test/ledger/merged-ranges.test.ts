import assert from "node:assert/strict";
import { test } from "node:test";
import { MergedRanges, type RangeReader } from "../../src/ledger/reading/merged-ranges.js";
import { Random } from "../support/random.js";

const ascending = (a: number, b: number): number => a - b;

interface Counts {
  reads: number;
  items: number;
}

/** Reads an ordered list; now and then less than it could, or nothing though there is more. */
const readerOf =
  (list: readonly number[], counts: Counts, random?: Random): RangeReader<number> =>
  (after, limit) => {
    const from = after === undefined ? 0 : list.findIndex((one) => one > after),
      rest = from < 0 ? [] : list.slice(from, from + limit);
    const items = random === undefined || rest.length < 2 ? rest : rest.slice(0, random.below(rest.length) + 1);
    counts.reads++;
    counts.items += items.length;
    const last = items.at(-1),
      isCut = last !== undefined && last !== list.at(-1);
    if (isCut && random?.below(4) === 0) return { items: [], reached: items[0]! - 1 };
    return { items, reached: isCut ? last : undefined };
  };

function all(merged: MergedRanges<number>, max: number): number[] {
  const found: number[] = [];
  for (let steps = 0; !merged.isAtEnd; steps++) {
    const items = merged.step(max);
    assert.ok(items.length <= max, `${items.length} items in a step for ${max}`);
    found.push(...items);
    assert.ok(steps < 100_000, "it comes to an end");
  }
  return found;
}

test("merged ranges: whatever the ranges, sizes and pieces, everything comes once and in order", () => {
  const random = new Random(3);
  for (let round = 0; round < 300; round++) {
    const lists = Array.from({ length: random.below(12) }, () =>
      [...new Set(Array.from({ length: random.below(40) }, () => random.below(100)))].sort(ascending),
    );
    const sizes = { aheadMax: 1 + random.below(60), pieceMin: 1 + random.below(4), pieceMax: 4 + random.below(30) },
      counts = { reads: 0, items: 0 };
    const merged = new MergedRanges(
      lists.map((list) => readerOf(list, counts, round % 2 === 0 ? undefined : random)),
      ascending,
      sizes,
    );
    assert.deepEqual(all(merged, 1 + random.below(20)), [...new Set(lists.flat())].sort(ascending));
  }
});

test("merged ranges: of a thousand ranges each step reads one, and every item is read once", () => {
  const lists = Array.from({ length: 1_000 }, (_, n) => Array.from({ length: 50 }, (_, index) => index * 1_000 + n)),
    counts = { reads: 0, items: 0 };
  const merged = new MergedRanges(
    lists.map((list) => readerOf(list, counts)),
    ascending,
    { aheadMax: 4_096, pieceMin: 4, pieceMax: 256 },
  );
  let most = 0,
    found = 0;
  while (!merged.isAtEnd) {
    const before = counts.items;
    found += merged.step(256).length;
    most = Math.max(most, counts.items - before);
  }
  assert.equal(found, 50_000);
  assert.equal(counts.items, 50_000);
  assert.ok(most <= 5, `${most} items read in one step`);
});

test("merged ranges: a single range comes in the pieces in which it is read", () => {
  const counts = { reads: 0, items: 0 },
    list = Array.from({ length: 600 }, (_, n) => n);
  const merged = new MergedRanges([readerOf(list, counts)], ascending, { aheadMax: 4_096, pieceMin: 4, pieceMax: 256 });
  assert.deepEqual([merged.step(1_000).length, merged.step(1_000).length, merged.step(1_000).length, merged.isAtEnd], [256, 256, 88, true]);
  assert.equal(counts.reads, 3);
});

test("merged ranges: a step gives no more than it was asked for, also where one range has more at once", () => {
  const list = Array.from({ length: 500 }, (_, index) => index),
    generous: RangeReader<number> = (after, limit) => {
      const from = after === undefined ? 0 : after + 1,
        items = list.slice(from, from + limit + 3);
      return { items, reached: items.at(-1) === list.at(-1) ? undefined : items.at(-1) };
    };
  for (const max of [1, 7, 100, 600])
    assert.deepEqual(all(new MergedRanges([generous], ascending, { aheadMax: 400, pieceMin: 4, pieceMax: 200 }), max), list);
});
