import assert from "node:assert/strict";
import { test } from "node:test";
import type { Type } from "../../../src/lf/ast.js";
import { decodeValue, encodeValue } from "../../../src/lf/wire/index.js";
import { fromJson, toJson, toLedgerValue } from "../../../src/lf/conversion/index.js";
import { con, contractIdT, dateT, genMapT, int64T, listT, numericT, optionalT, textMapT, textT, timestampT, valueTypes } from "./types.js";
import { generator } from "./random.js";

const types = valueTypes();
const shown = (written: Type, json: unknown): string => {
  const type = types.of(written);
  const decoded = fromJson(type, json);
  assert(decoded.ok !== undefined, decoded.error?.message);
  return toJson(type, toLedgerValue(type, decoded.ok));
};
const refusal = (type: Type, json: unknown) => fromJson(types.of(type), json).error ?? assert.fail("it should be refused");

test("JSON forms: trailing nulls of a record are left out, others stay", () => {
  assert.equal(shown(con("Person"), { name: "Ann", age: null, note: null }), '{"name":"Ann"}');
  assert.equal(shown(con("Person"), { name: "Ann", note: "x" }), '{"name":"Ann","age":null,"note":"x"}');
});

test("JSON forms: nested Optionals are arrays at every level", () => {
  const type = optionalT(optionalT(optionalT(int64T)));
  for (const json of ["[]", "[[]]", "[[[]]]", '[[["5"]]]']) assert.equal(shown(type, JSON.parse(json)), json);
  assert.equal(refusal(type, null).code, "INVALID_ARGUMENT");
});

test("JSON forms: an Optional of a parameter that stands for an Optional has the simple form", () => {
  const type = con("Box", optionalT(int64T));
  assert.equal(shown(type, { content: "1", maybe: "2" }), '{"content":"1","maybe":"2"}');
  assert.equal(shown(type, {}), "{}");
});

test("JSON forms: keys that look like numbers keep the order of texts", () => {
  assert.equal(
    shown(textMapT(int64T), { 10: "1", 9: "2", "": "3", "\u{1f600}": "4", "\uffff": "5" }),
    '{"":"3","10":"1","9":"2","\uffff":"5","😀":"4"}',
  );
  assert.equal(shown(textMapT(int64T), JSON.parse('{"__proto__":"1"}')), '{"__proto__":"1"}');
});

test("JSON forms: a field name of Object.prototype is not a field", () => {
  assert.equal(refusal(con("Point"), JSON.parse('{"x":"1","y":"2","__proto__":{}}')).code, "INVALID_ARGUMENT");
  assert.equal(refusal(con("Point"), JSON.parse('{"__proto__":{"x":"1","y":"2"}}')).code, undefined);
  assert.equal(refusal(con("Tree", int64T), { tag: "constructor", value: {} }).code, "INVALID_ARGUMENT");
});

test("JSON forms: map keys of any type are sorted by their order", () => {
  assert.equal(
    shown(genMapT(con("Point"), textT), [
      [{ x: "2", y: "0" }, "b"],
      [{ x: "-1", y: "9" }, "a"],
    ]),
    '[[{"x":"-1","y":"9"},"a"],[{"x":"2","y":"0"},"b"]]',
  );
});

test("JSON forms: timestamps show as many fraction digits as they need", () => {
  for (const json of [
    "1969-12-31T23:59:59.999999Z",
    "1970-01-01T00:00:00Z",
    "2024-02-29T12:00:00.05Z",
    "0001-01-01T00:00:00Z",
    "9999-12-31T23:59:59.999999Z",
  ]) {
    assert.equal(shown(timestampT, json), JSON.stringify(json));
  }
  assert.equal(shown(timestampT, "2024-01-01T00:30+01:00"), '"2023-12-31T23:30:00Z"');
  assert.equal(refusal(timestampT, "0001-01-01T00:00:00+00:01").code, "INVALID_ARGUMENT");
  assert.equal(refusal(dateT, "0000-12-31").code, "INVALID_ARGUMENT");
});

test("JSON forms: numbers are taken for Numeric where the reference prints them plainly", () => {
  assert.equal(shown(numericT(10), 0.001), '"0.0010000000"');
  assert.equal(shown(numericT(10), 9_999_999), '"9999999.0000000000"');
  assert.equal(refusal(numericT(10), 1e7).code, "INVALID_ARGUMENT");
  assert.equal(refusal(numericT(10), 0.0001).code, "INVALID_ARGUMENT");
  assert.equal(shown(numericT(0), "-0"), '"0."');
  assert.equal(shown(numericT(37), "-0.1"), `"-0.1${"0".repeat(36)}"`);
});

test("JSON forms: hostile input is refused quickly and with a short message", () => {
  assert(refusal(int64T, "9".repeat(1_000_000)).message.length < 200);
  assert(refusal(numericT(10), "1".repeat(1_000_000)).message.length < 200);
  assert(refusal(listT(int64T), { a: "x".repeat(1_000_000) }).message.length < 200);
  let deep: unknown = { tag: "End", value: {} };
  for (let depth = 0; depth < 5_000; depth++) deep = { tag: "More", value: deep };
  assert.equal(refusal(con("Nest"), deep).class, "ValueNesting");
});

test("JSON forms: 3,000 random values of every kind of type come back from their JSON and from their bytes", () => {
  const random = generator(11);
  const all = con(
    "Pair",
    con("Tree", con("Pair", genMapT(con("Point"), listT(textT)), textMapT(optionalT(optionalT(textT))))),
    listT(
      con(
        "Pair",
        con("Pair", con("Person"), con("Colour")),
        genMapT(int64T, con("Pair", con("Pair", numericT(37), dateT), con("Pair", timestampT, contractIdT(con("Point"))))),
      ),
    ),
  );
  const type = types.of(all);
  for (let i = 0; i < 3_000; i++) {
    const value = random.ofType(type, 8);
    const json = toJson(type, value);
    const decoded = fromJson(type, JSON.parse(json));
    assert(decoded.ok !== undefined, decoded.error?.message);
    assert.deepEqual(toLedgerValue(type, decoded.ok), value);
    assert.deepEqual(decodeValue(encodeValue(value)), { ok: value });
  }
});
