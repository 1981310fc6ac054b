import assert from "node:assert/strict";
import { test } from "node:test";
import { FirstOf } from "../../src/base/first-of.js";

interface One {
  readonly rank: number;
  readonly came: number;
}
const byRank = (a: One, b: One): number => a.rank - b.rank;

test("the first of many are those that a stable sort of all of them begins with, whatever came first", () => {
  for (const max of [1, 2, 7, 100]) {
    const all = Array.from({ length: 1_000 }, (_, came): One => ({ rank: (came * 7_919) % 97, came })),
      first = new FirstOf(max, byRank);
    for (const one of all) first.add(one);
    assert.deepEqual(first.all(), [...all].sort(byRank).slice(0, max));
  }
});

test("fewer than were asked for are all of them, in their order", () => {
  const first = new FirstOf(10, byRank);
  for (const rank of [3, 1, 2]) first.add({ rank, came: 0 });
  assert.deepEqual(
    first.all().map(({ rank }) => rank),
    [1, 2, 3],
  );
});
