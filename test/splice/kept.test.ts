/** What is kept of snapshots: within its bound. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { limits } from "../../src/config.js";
import { KeptPages, pageKey } from "../../src/splice/kept-pages.js";
import { elementsOf, membersOf } from "../../src/splice/values/json-slices.js";

test("kept pages: within a bound the last used stay", () => {
  const kept = new KeptPages<string>(25);
  kept.keep("a", "A", 10);
  kept.keep("b", "B", 10);
  assert.equal(kept.get("a"), "A");
  kept.keep("c", "C", 10);
  assert.deepEqual([kept.get("a"), kept.get("b"), kept.get("c")], ["A", undefined, "C"]);
  kept.keep("huge", "H", 30);
  assert.deepEqual(
    ["a", "c", "huge"].map((key) => kept.get(key)),
    [undefined, undefined, undefined],
    "one that is too large is not kept",
  );
});

test("kept pages: one that is read for the second time is worth keeping, within a bound of those that are remembered", () => {
  const kept = new KeptPages<string>(25),
    times = (key: string, count: number): boolean[] => Array.from({ length: count }, () => kept.isReadAgain(key));
  assert.deepEqual(times("a", 3), [false, true, false]);
  for (let key = 0; key < limits.scanPagesReadOnceMax; key++) kept.isReadAgain(String(key));
  assert.deepEqual([kept.isReadAgain("a"), kept.isReadAgain(String(limits.scanPagesReadOnceMax - 1))], [false, true]);
});

test("kept pages: what is remembered of one is as short where it is about thousands of owners, and another for each", () => {
  const owners = Array.from({ length: 10_000 }, (_, index) => `owner-${index}::1220`),
    keys = [[], owners.slice(0, 1), owners, owners.slice(1)].map((some) => pageKey(["holdings", some]));
  assert.equal(new Set(keys).size, keys.length);
  for (const key of keys) assert.ok(key.length <= 64, `${key.length} characters`);
});

test("JSON slices: members and elements are cut where they begin and end, whatever their texts hold", () => {
  const values = [
    0,
    -1.5e-7,
    true,
    null,
    "",
    'a"b',
    "\\",
    '\\"',
    "},]",
    { a: [1, { b: "]" }], 'k"': {} },
    [],
    {},
    [["x"], "y,z"],
    "\u2028ü😀",
  ];
  assert.deepEqual(
    elementsOf(JSON.stringify(values)).map((text) => JSON.parse(text) as unknown),
    values,
  );
  assert.deepEqual(elementsOf("[]"), []);
  const object = Object.fromEntries(values.map((value, index) => [`m${index}`, value]));
  assert.deepEqual(
    Object.fromEntries([...membersOf(JSON.stringify(object))].map(([name, text]) => [name, JSON.parse(text) as unknown])),
    object,
  );
  assert.equal(membersOf("{}").size, 0);
});
