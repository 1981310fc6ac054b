import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fromJson, fromStoredValue, toJson, toLedgerValue, type ValueType } from "../../../src/lf/conversion/index.js";
import { testData } from "../../support/paths.js";
import { loadPackages, RecordedNodes } from "../transaction/recorded.js";

/**
 * What a running reference node made of values (`good` with one field changed, or choice arguments): `out` is how it
 * showed them again, `code` how it refused them. Answers 500 of the reference are INVALID_ARGUMENT here, and half of a
 * surrogate pair, of which it made a question mark, is refused.
 */
interface Expectation {
  readonly name: string;
  readonly json?: unknown;
  readonly out?: unknown;
  readonly code?: string;
}
const recorded = JSON.parse(readFileSync(testData("values", "json.json"), "utf8")) as {
  readonly good: Readonly<Record<string, unknown>>;
  readonly goodOut: Readonly<Record<string, unknown>>;
  readonly cases: readonly (Expectation & { readonly field?: string; readonly whole?: unknown })[];
  readonly choices: readonly (Expectation & { readonly choice: string })[];
};

const packages = loadPackages("canton");
const nodes = new RecordedNodes(packages);
const modelId = [...packages.values()].find(
  (package_) => package_.name === "ref-model" && package_.modules.get("M")?.templates.has("All"),
)!.id;
const all = { packageId: modelId, module: "M", name: "All" };
const allType = nodes.types.ofData(all);

/** The code of the refusal, or the value as the API shows it after it was stored. */
function roundTrip(type: ValueType, json: unknown): { readonly code: string } | { readonly out: unknown } {
  const decoded = fromJson(type, json);
  if (decoded.error !== undefined) return { code: decoded.error.code ?? "COMMAND_PREPROCESSING_FAILED" };
  const stored = toLedgerValue(type, decoded.ok);
  const read = fromStoredValue(type, stored, { forbidTrailingNone: true });
  assert(read.ok !== undefined);
  assert.deepEqual(toLedgerValue(type, read.ok), stored);
  return { out: JSON.parse(toJson(type, stored)) };
}

const expected = ({ out, code }: Expectation) => (code === undefined ? { out } : { code });

test("values in JSON: the reference's example is shown as the reference shows it", () => {
  assert.deepEqual(roundTrip(allType, recorded.good), { out: recorded.goodOut });
  const decoded = fromJson(allType, recorded.good);
  assert(decoded.ok !== undefined);
  assert.equal(toJson(allType, toLedgerValue(allType, decoded.ok)), JSON.stringify(recorded.goodOut), "fields and keys are in order");
});

test("values in JSON: each recorded field is shown again or refused as by the reference", (t) => {
  for (const expectation of recorded.cases) {
    const { name, field } = expectation;
    if (field === undefined) {
      assert.deepEqual(roundTrip(allType, expectation.whole), expected(expectation), name);
      continue;
    }
    const { [field]: _, ...others } = recorded.good;
    const result = roundTrip(allType, "json" in expectation ? { ...others, [field]: expectation.json } : others);
    const seen = "out" in result ? { out: (result.out as Record<string, unknown>)[field] } : result;
    assert.deepEqual(seen, expected(expectation), name);
  }
  t.diagnostic(`${recorded.cases.length} fields`);
});

test("values in JSON: each recorded choice argument is shown again or refused as by the reference", () => {
  for (const expectation of recorded.choices) {
    const type = nodes.types.of(nodes.choice(all, expectation.choice).argBinder.type);
    assert.deepEqual(roundTrip(type, expectation.json), expected(expectation), expectation.name);
  }
});

test("values in JSON: what is no JSON of the type, no value, or not for the engine is told apart", () => {
  const refusal = (change: Readonly<Record<string, unknown>>) => {
    const { code, origin } = fromJson(allType, { ...recorded.good, ...change }).error ?? {};
    return [code, origin];
  };
  for (const change of [{ i: "x" }, { i: 5 }, { n: null }, { d: "x" }, { v: "Nothing" }, { zzz: 1 }])
    assert.deepEqual(refusal(change), ["INVALID_ARGUMENT", "json"], JSON.stringify(change));
  assert.deepEqual(refusal({ rec: {} }), [undefined, "json"]);
  for (const change of [{ n: "abc" }, { d: "0000-01-01" }, { oc: "zz" }, { p: "" }])
    assert.deepEqual(refusal(change), ["INVALID_ARGUMENT", undefined], JSON.stringify(change));
  for (const change of [{ n: "1.12345678901" }, { n0: "7.5" }, { t: "a\u0000b" }])
    assert.deepEqual(refusal(change), [undefined, undefined], JSON.stringify(change));
});

test("values in JSON: a refusal names the path of the culprit", () => {
  const refusal = (change: Readonly<Record<string, unknown>>) => fromJson(allType, { ...recorded.good, ...change }).error;
  assert.equal(refusal({ i: "x" })?.path, ".i");
  assert.equal(refusal({ l: ["1", "x"] })?.path, ".l[1]");
  assert.equal(
    refusal({
      gm: [
        ["1", "a"],
        ["x", "b"],
      ],
    })?.path,
    ".gm[1][0]",
  );
  assert.equal(refusal({ v: { tag: "Rect", value: { w: "1", h: 2 } } })?.path, ".v.value.h");
  assert.equal(refusal({ rec: {} })?.path, ".rec");
  assert.match(refusal({ rec: {} })?.message ?? "", /at \.rec: .*street/);
  assert.match(refusal({ i: 5 })?.message ?? "", /at \.i: expected an Int64 as text, got 5/);
});
