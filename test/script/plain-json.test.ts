import assert from "node:assert/strict";
import { test } from "node:test";
import { isFailure } from "../../src/base/result.js";
import { limits } from "../../src/config.js";
import { RecordType, type ValueType, VariantType } from "../../src/lf/conversion/index.js";
import { toLedgerValue } from "../../src/lf/running-code.js";
import { parseExactJson, readPlainJson, showPlainJson } from "../../src/script/plain-json/index.js";

const int64: ValueType = { kind: "int64" },
  text: ValueType = { kind: "text" };
const numeric = (scale: number): ValueType => ({ kind: "numeric", scale });
const optional = (element: ValueType): ValueType => ({ kind: "optional", element, nested: element.kind === "optional" });
const id = { packageId: "p", module: "M", name: "T" };
const order = new RecordType(id, [], () => [
  { name: "count", type: int64 },
  { name: "note", type: optional(text) },
]);

/** The value as a result is written, on one line; or why there is none. */
function echo(type: ValueType, json: string): string {
  const parsed = parseExactJson(json);
  if (isFailure(parsed)) return parsed.error;
  const value = readPlainJson(type, parsed.ok);
  return isFailure(value) ? value.error : showPlainJson(type, toLedgerValue(type, value.ok)).replaceAll(/\n */g, "");
}

const check = (type: ValueType, cases: readonly (readonly [json: string, echoed: string | RegExp])[]): void => {
  for (const [json, echoed] of cases)
    if (typeof echoed === "string") assert.equal(echo(type, json), echoed, json);
    else assert.match(echo(type, json), echoed, json);
};

test("plain JSON: an Int64 keeps all digits, as number and as text, and one out of range is refused", () => {
  check(int64, [
    ["9007199254740993", "9007199254740993"],
    ['"9007199254740993"', "9007199254740993"],
    ["-9223372036854775808", "-9223372036854775808"],
    ["9223372036854775808", /is not an Int64/],
    ["1e2", "100"],
    ["1200.00e-2", "12"],
    ["-0", "0"],
    ["1.5", /"1\.5" is not an Int64/],
    ['"1e2"', /"1e2" is not an Int64/],
    ["1e999999999", /is not an Int64/],
  ]);
});

test("plain JSON: a Numeric keeps all digits that its scale has, and the others are rounded half-even", () => {
  check(numeric(10), [
    ["1234567890123456789.0123456789", "1234567890123456789.0123456789"],
    ['"1234567890123456789.0123456789"', "1234567890123456789.0123456789"],
    ["0.00000000005", "0.0000000000"],
    ["0.00000000015", "0.0000000002"],
    ["0.000000000050001", "0.0000000001"],
    ["-0.00000000015", "-0.0000000002"],
    ["9.99999999999", "10.0000000000"],
    ['"1e2"', "100.0000000000"],
    ['"+.5E1"', "5.0000000000"],
    ["1e-400", "0.0000000000"],
    ["9999999999999999999999999999.9999999999", "9999999999999999999999999999.9999999999"],
    ["9999999999999999999999999999.99999999995", /Out-of-bounds \(Numeric 10\)/],
    ["10000000000000000000000000000", /Out-of-bounds \(Numeric 10\)/],
    ["1e999999999", /could not read Numeric "1e999999999"/],
    ['"1e"', /could not read Numeric "1e"/],
    ["true", /expected a Numeric/],
  ]);
  check(numeric(0), [
    ["2.5", "2.0"],
    ["3.5", "4.0"],
    ["0.5", "0.0"],
  ]);
});

test("plain JSON: a number that is misplaced is told as it was written", () => {
  check({ kind: "list", element: text }, [["[7, 8]", /^at \[0\]: expected text, got 7$/]]);
  check(int64, [["[41]", /got \[41\]$/]]);
});

test("plain JSON: a record may be an array of its fields, all of them, and a field that it has not is passed over", () => {
  check(order, [
    ['{"count": 3}', '{"count": 3,"note": null}'],
    ['[9007199254740993, "x"]', '{"count": 9007199254740993,"note": "x"}'],
    ["[3]", "expected an array of 2 fields, got 1"],
    ['["many", null]', /^at \.count: "many" is not an Int64$/],
    ['{"note": "x"}', "missing non-optional fields: count"],
    ['{"count": 3, "nota": "x"}', '{"count": 3,"note": null}'],
  ]);
});

test("plain JSON: None is null wherever it stands, and Some of an Optional is an array", () => {
  check(optional(optional(int64)), [
    ["null", "null"],
    ["[]", "[]"],
    ["[5]", "[5]"],
    ["[[5]]", /^at \[0\]: /],
    ["[5, 6]", "expected an array of at most one element, got 2"],
    ["5", "expected an array, got 5"],
  ]);
  check(optional(optional(optional(int64))), [
    ["[[]]", "[[]]"],
    ["[[5]]", "[[5]]"],
  ]);
});

test("plain JSON: maps, lists and variants hold exact numbers too", () => {
  const shape: ValueType = new VariantType(id, [], () => [{ name: "Circle", type: numeric(2) }]);
  check(shape, [
    ['{"tag": "Circle", "value": 1.005}', '{"tag": "Circle","value": 1.00}'],
    ['{"tag": "Square", "value": 1}', 'unknown constructor "Square" of M:T'],
    ['{"tag": "Circle"}', /expected an object with tag and value/],
  ]);
  check({ kind: "textMap", value: int64 }, [['{"a": 9007199254740993}', '{"a": 9007199254740993}']]);
  check({ kind: "genMap", key: int64, value: text }, [
    ['[[9007199254740993, "5"], [9007199254740992, "4"]]', '[[9007199254740992,"4"],[9007199254740993,"5"]]'],
    ["[[1]]", "at [0]: expected an array of key and value"],
  ]);
  check({ kind: "unit" }, [
    ["{}", "{}"],
    ["1", "expected an object, got 1"],
  ]);
});

test("plain JSON: digits within texts are texts", () => {
  check({ kind: "list", element: text }, [['["12 [", "\\"3{", "\\\\"]', '["12 [","\\"3{","\\\\"]']]);
});

test("plain JSON: what is nested too deep is a sentence", () => {
  const depth = limits.scriptInputDepthMax + 1;
  assert.equal(echo(int64, "[".repeat(depth) + "]".repeat(depth)), "is nested deeper than 1000 levels");
  const tree: ValueType = new RecordType(id, [], () => [{ name: "of", type: { kind: "list", element: tree } }]);
  assert.match(echo(tree, '{"of":['.repeat(60) + "]}".repeat(60)), /value exceeds the maximum nesting of 100$/);
  assert.match(echo(int64, "[1,"), /^is no JSON: /);
});
