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

test("selections: with many packages, or of many names, fewer are kept: all of them are bounded by what they hold", () => {
  for (const [packages, names] of [
    [10, 1],
    [1_000, 1],
    [10, 1_000],
  ] as const) {
    const kept = new KeptSelections(packages);
    let most = 0;
    for (let index = 0; index < limits.packageSelectionsKeptMax + 1; index++) {
      kept.of(new Set(Array.from({ length: names }, (_, number) => `${index}-${number}`)), selection);
      most = Math.max(most, kept.size);
    }
    const bound = Math.min(limits.packageSelectionsKeptMax, Math.floor(limits.packageSelectionEntriesKeptMax / (packages + names)));
    assert.equal(most, bound, `${packages} packages, ${names} names`);
  }
});

test("selections: of names that would drive out most others none is kept", () => {
  const kept = new KeptSelections(10),
    first = kept.of(new Set(["a"]), selection);
  kept.of(new Set(Array.from({ length: limits.packageSelectionEntriesKeptMax / 4 }, (_, index) => String(index))), selection);
  assert.deepEqual([kept.size, kept.of(new Set(["a"]), selection) === first], [1, true]);
});
