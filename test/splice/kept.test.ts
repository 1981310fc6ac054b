/** What is kept of history and snapshots: within its bound, and never in place of something else. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { KeptItems } from "../../src/splice/history/kept-items.js";
import { KeptPages } from "../../src/splice/kept-pages.js";
import { elementsOf, membersOf } from "../../src/splice/values/json-slices.js";

const item = (offset: number, bytes = 10) => ({ offset, json: Buffer.alloc(bytes, offset) });
const offsets = (kept: readonly { readonly offset: number }[]): readonly number[] => kept.map(({ offset }) => offset);

test("kept events: a row is followed from any of its places, across gaps, as far as it goes and as many as are wanted", () => {
  const kept = new KeptItems(1_000);
  kept.keep(3, "dso", [item(5), item(6), item(9)]);
  kept.keep(9, "dso", [item(10)]);
  assert.deepEqual([3, 5, 6, 4, 10].map((begin) => offsets(kept.from(begin, "dso", 10))), [[5, 6, 9, 10], [6, 9, 10], [9, 10], [], []]);
  assert.deepEqual(offsets(kept.from(3, "dso", 2)), [5, 6]);
});

test("kept events: another DSO sees others, and a bound drops the oldest", () => {
  const kept = new KeptItems(25);
  kept.keep(0, "dso", [item(1), item(2), item(3)]);
  assert.deepEqual([0, 1].map((begin) => offsets(kept.from(begin, "dso", 9))), [[], [2, 3]]);
  kept.keep(1, "dso", [item(2), item(3)]);
  assert.deepEqual(offsets(kept.from(1, "dso", 9)), [2, 3], "kept again it counts once");
  assert.deepEqual(kept.from(1, "other", 9), []);
  kept.keep(1, "other", [item(2)]);
  assert.deepEqual([offsets(kept.from(1, "other", 9)), kept.from(1, "dso", 9)], [[2], []]);
});

test("kept pages: within a bound the last used stay", () => {
  const kept = new KeptPages<string>(25);
  kept.keep("a", "A", 10);
  kept.keep("b", "B", 10);
  assert.equal(kept.get("a"), "A");
  kept.keep("c", "C", 10);
  assert.deepEqual([kept.get("a"), kept.get("b"), kept.get("c")], ["A", undefined, "C"]);
  kept.keep("huge", "H", 30);
  assert.deepEqual(["a", "c", "huge"].map((key) => kept.get(key)), [undefined, undefined, undefined], "one that is too large is not kept");
});

test("JSON slices: members and elements are cut where they begin and end, whatever their texts hold", () => {
  const values = [0, -1.5e-7, true, null, "", 'a"b', "\\", '\\"', "},]", { a: [1, { b: "]" }], "k\"": {} }, [], {}, [["x"], "y,z"], "\u2028ü😀"];
  assert.deepEqual(elementsOf(JSON.stringify(values)).map((text) => JSON.parse(text) as unknown), values);
  assert.deepEqual(elementsOf("[]"), []);
  const object = Object.fromEntries(values.map((value, index) => [`m${index}`, value]));
  assert.deepEqual(Object.fromEntries([...membersOf(JSON.stringify(object))].map(([name, text]) => [name, JSON.parse(text) as unknown])), object);
  assert.equal(membersOf("{}").size, 0);
});
