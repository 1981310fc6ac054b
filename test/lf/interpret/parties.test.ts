import assert from "node:assert/strict";
import { test } from "node:test";
import { partiesOfList, partySet, union } from "../../../src/lf/interpret/parties.js";
import { listOf } from "../../../src/lf/conversion/translate.js";

const setOf = (parties: Iterable<string>): readonly string[] => [...new Set(parties)].sort();

/** All lists of up to `length` of these parties, and some longer ones. */
function* lists(length: number): IterableIterator<readonly string[]> {
  const names = ["alice", "bob", "Carol", "bob::12"];
  for (let size = 0; size <= length; size++)
    for (let number = 0; number < names.length ** size; number++)
      yield Array.from({ length: size }, (_, place) => names[Math.floor(number / names.length ** place) % names.length]!);
  for (const size of [8, 9, 30]) yield Array.from({ length: size }, (_, index) => `party ${(index * 7) % 20}`);
}

test("sets of parties are sorted and without repetition, however many were given in whatever order", () => {
  for (const list of lists(4)) {
    assert.deepEqual(partySet(list), setOf(list));
    assert.deepEqual(partiesOfList(listOf(list)), setOf(list));
  }
});

test("unions of sets of parties are sets, and one of the two where the other adds nothing", () => {
  const sets = [...lists(3)].map(setOf);
  for (const left of sets)
    for (const right of sets) {
      const both = union(left, right),
        expected = setOf([...left, ...right]);
      assert.deepEqual(both, expected);
      if (expected.length === left.length) assert.equal(both, left);
    }
});
