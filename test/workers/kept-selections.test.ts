/** Choices of packages on an engine thread, which depend on names that clients choose. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { limits } from "../../src/config.js";
import type { Selection } from "../../src/ledger/engine/index.js";
import { KeptSelections } from "../../src/workers/kept-selections.js";

const selection = (): Selection => ({ packages: new Map(), reasonWithout: () => "" });

test("selections: the same names are chosen for once, in whatever order they come", () => {
  const kept = new KeptSelections(10),
    first = kept.of(new Set(["a", "b"]), selection);
  assert.equal(kept.of(new Set(["b", "a"]), selection), first);
  assert.notEqual(kept.of(new Set(["a"]), selection), first);
});

test("selections: with many packages, of many names or of long ones, fewer are kept: what all of them take is bounded", () => {
  const keptAtMost = (packages: number, names: number, chars: number): number => {
    const kept = new KeptSelections(packages);
    let most = 0;
    for (let index = 0; index < limits.packageSelectionsKeptMax + 1; index++) {
      kept.of(new Set(Array.from({ length: names }, (_, number) => `${index}-${number}`.padEnd(chars, "x"))), selection);
      most = Math.max(most, kept.size);
    }
    return most;
  };
  assert.equal(keptAtMost(60, 2, 20), limits.packageSelectionsKeptMax);
  for (const [packages, names, chars] of [
    [2_000, 1, 20],
    [10, 1_000, 20],
    [10, 200, 255],
  ] as const)
    assert.ok(
      keptAtMost(packages, names, chars) * (packages + names * chars) <= limits.packageSelectionBytesKeptMax,
      `${packages}, ${names}`,
    );
});

test("selections: of names that would drive out most others none is kept", () => {
  const kept = new KeptSelections(10),
    first = kept.of(new Set(["a"]), selection);
  kept.of(new Set(["x".repeat(limits.packageSelectionBytesKeptMax / 4)]), selection);
  assert.deepEqual([kept.size, kept.of(new Set(["a"]), selection) === first], [1, true]);
});
