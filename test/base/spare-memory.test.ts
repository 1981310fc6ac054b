import assert from "node:assert/strict";
import { test } from "node:test";
import { SpareMemory } from "../../src/base/spare-memory.js";

test("spare memory: the smallest that is large enough is used again, and no more is kept than the bound", () => {
  const memory = new SpareMemory(3_000),
    small = memory.take(1_000),
    large = memory.take(2_000),
    other = memory.take(1_025);
  assert.deepEqual([small.length, large.length, other.length, memory.take(0).length], [1_024, 2_048, 2_048, 1]);
  for (const each of [large, small, other]) memory.give(each);
  assert.equal(memory.take(1_000), large, "it is kept alone");
  assert.notEqual(memory.take(1_000), small);
  for (const each of [small, other.subarray(0, 1_500)]) memory.give(each);
  assert.deepEqual([memory.take(1_025).length, memory.take(1_000) === small], [1_500, true]);
});
