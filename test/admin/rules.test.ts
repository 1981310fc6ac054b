import assert from "node:assert/strict";
import { test } from "node:test";
import { isFailure } from "../../src/base/result.js";
import { checkAnnotations } from "../../src/ledger/admin/annotations.js";
import { optionalResourceVersion } from "../../src/ledger/admin/field-rules.js";
import { masked, parseMask } from "../../src/ledger/admin/masks.js";
import { partyProblem } from "../../src/ledger/model/identifiers.js";

const accepted = (key: string): boolean => !isFailure(checkAnnotations({ [key]: "v" }, "f", "refused"));

test("annotations: keys are a name, or a DNS prefix and a name, and slashes behind them are nothing", () => {
  for (const key of ["a", "A-b_c.d", "0", "x.y/z", "a-1.B/c", "p/", "p/n//", `${"a".repeat(63)}`, `${"p".repeat(253)}/n`])
    assert.ok(accepted(key), key);
  for (const key of [
    "",
    "-a",
    "a-",
    "_a",
    "a.",
    "a b",
    "\u00e4",
    "/n",
    "/",
    "p//n",
    "a/b/c",
    ".p/n",
    "p./n",
    "p..q/n",
    "p_q/n",
    "-p/n",
    "a".repeat(64),
    `${"p".repeat(254)}/n`,
    "__proto__",
  ])
    assert.ok(!accepted(key), key);
});

test("annotations: hostile keys and bombs are refused in linear time", () => {
  const started = performance.now();
  assert.ok(!accepted(`${"a".repeat(62)}!`));
  assert.ok(!accepted(`${"a.".repeat(120)}!/n`));
  assert.ok(!accepted("-".repeat(1_000_000)));
  assert.ok(isFailure(checkAnnotations(Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`k${i}`, "value"])), "f", "allowed")));
  assert.ok(performance.now() - started < 10_000, "backtracking over such keys would take minutes");
});

test("annotations: a member of the prototype is a key like any other", () => {
  const given = JSON.parse('{"constructor":"a","toString":"b"}') as Record<string, string>;
  assert.ok(!isFailure(checkAnnotations(given, "f", "refused")));
});

test("masks: exact paths, parents, and everything else", () => {
  const fields = ["a", "m.x", "m.y"];
  const mask = (paths: readonly string[]) => parseMask(paths, fields);
  assert.deepEqual(
    ["a", "m.x", "m.y"].map((path) => mask(["a", "m"]).ok?.matches(path)),
    ["exactly", "by parent", "by parent"],
  );
  assert.equal(mask(["m", "m.x"]).ok?.matches("m.x"), "exactly");
  assert.equal(mask(["a"]).ok?.matches("m.x"), undefined);
  assert.equal(mask(["m."]).ok?.matches("m.x"), "by parent");
  for (const paths of [[], ["b"], ["."], [".a"], ["a", "a."], ["m.z"], ["m.x.y"], [""], ["M"], ["a", "a"], ["__proto__"], ["*"]])
    assert.ok(isFailure(mask(paths)), paths.join());
  const parent = mask(["m"]).ok!;
  assert.equal(masked(parent, "m.x", { old: 1, new: 0, isDefault: true }), 1);
  assert.equal(masked(parent, "m.x", { old: 1, new: 2, isDefault: false }), 2);
  assert.equal(masked(mask(["m.x"]).ok!, "m.x", { old: 1, new: 0, isDefault: true }), 0);
});

test("resource versions are decimal 64 bit integers", () => {
  for (const [text, version] of [
    ["", undefined],
    ["0", 0],
    ["17", 17],
    ["+3", 3],
    ["9007199254740993", 9007199254740993n],
    ["9223372036854775807", 9223372036854775807n],
  ] as const)
    assert.equal(optionalResourceVersion(text, "f").ok, version);
  for (const text of ["x", "1.0", " 1", "1e3", "9223372036854775808", "0x1"])
    assert.ok(isFailure(optionalResourceVersion(text, "f")), text);
});

test("party names: the letters and the length that they may have", () => {
  for (const party of ["a", "no good", "Alice-1_x::1220ab", "p".repeat(255)]) assert.equal(partyProblem(party), undefined);
  for (const party of ["", "p".repeat(256), "a!", "\u00e4", "a\0", "a/b", "\u{1F600}"])
    assert.notEqual(partyProblem(party), undefined, party);
});
