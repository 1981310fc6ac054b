import assert from "node:assert/strict";
import { test } from "node:test";
import type { Type } from "../../../src/lf/ast.js";
import { fromStoredValue, toLedgerValue } from "../../../src/lf/conversion/index.js";
import type { LedgerValue } from "../../../src/lf/value/ledger-value.js";
import { con, contractIdT, genMapT, int64T, listT, numericT, optionalT, textT, valueTypes } from "./types.js";

const types = valueTypes();
const int = (value: number): LedgerValue => ({ kind: "int64", value: BigInt(value) });
const text = (value: string): LedgerValue => ({ kind: "text", value });
const some = (value: LedgerValue): LedgerValue => ({ kind: "optional", value });
const none: LedgerValue = { kind: "optional", value: undefined };
const record = (...values: LedgerValue[]): LedgerValue => ({ kind: "record", fields: values.map((value) => ({ value })) });

const typed = (type: Type, value: LedgerValue, forbidTrailingNone = true) => fromStoredValue(types.of(type), value, { forbidTrailingNone });
/** The value normalised again by the target type. */
const retyped = (type: Type, value: LedgerValue, forbidTrailingNone = true): LedgerValue => {
  const result = typed(type, value, forbidTrailingNone);
  assert(result.ok !== undefined, result.error?.message);
  return toLedgerValue(types.of(type), result.ok);
};
const refusal = (type: Type, value: LedgerValue, forbidTrailingNone = true) =>
  typed(type, value, forbidTrailingNone).error ?? assert.fail("it should be refused");

test("stored values: missing trailing fields become None when the target has Optionals there", () => {
  assert.deepEqual(retyped(con("Person"), record(text("Ann"))), record(text("Ann")));
  assert.deepEqual(retyped(con("Person"), record(text("Ann"), none, some(text("x")))), record(text("Ann"), none, some(text("x"))));
});

test("stored values: a missing field that is not Optional is a type mismatch", () => {
  const error = refusal(con("Point"), record(int(1)));
  assert.equal(error.class, "TypeMismatch");
  assert.equal(error.detail["expectedType"], "Main:Point");
  assert.deepEqual(error.detail["actualValue"], record(int(1)));
});

test("stored values: extra fields may be dropped when they are None only", () => {
  assert.deepEqual(retyped(con("Point"), record(int(1), int(2), none), false), record(int(1), int(2)));
  assert.match(refusal(con("Point"), record(int(1), int(2), some(int(3)))).message, /Some at index 2/);
  assert.match(refusal(con("Point"), record(int(1), int(2), int(3))).message, /non-optional extra field at index 2/);
});

test("stored values: a stored trailing None is an error where the contract's version forbids it", () => {
  assert.equal(refusal(con("Person"), record(text("Ann"), none)).class, "InvalidValue");
  assert.deepEqual(retyped(con("Person"), record(text("Ann"), none), false), record(text("Ann")));
});

test("stored values: labels and type ids are errors", () => {
  assert.equal(refusal(con("Point"), { kind: "record", fields: [{ label: "x", value: int(1) }, { value: int(2) }] }).class, "InvalidValue");
  assert.equal(
    refusal(con("Point"), { kind: "record", typeId: "p:Main:Point", fields: [{ value: int(1) }, { value: int(2) }] }).class,
    "InvalidValue",
  );
  assert.equal(refusal(con("Colour"), { kind: "enum", typeId: "p:Main:Colour", constructor_: "Red" }).class, "InvalidValue");
});

test("stored values: a Numeric must have the scale of its type", () => {
  assert.match(refusal(numericT(2), { kind: "numeric", unscaled: 150n, scale: 1 }).message, /expects scale 2/);
  assert.deepEqual(retyped(numericT(2), { kind: "numeric", unscaled: 150n, scale: 2 }), { kind: "numeric", unscaled: 150n, scale: 2 });
});

test("stored values: map keys must be strictly ascending in the order of the key type", () => {
  const map = (...keys: number[]): LedgerValue => ({ kind: "genMap", entries: keys.map((key) => [int(key), text("x")] as const) });
  assert.deepEqual(retyped(genMapT(int64T, textT), map(-1, 0, 10)), map(-1, 0, 10));
  assert.equal(refusal(genMapT(int64T, textT), map(2, 1)).class, "InvalidValue");
  assert.equal(refusal(genMapT(int64T, textT), map(1, 1)).class, "InvalidValue");
});

test("stored values: an unknown constructor names its type", () => {
  const error = refusal(con("Colour"), { kind: "enum", constructor_: "Blue" });
  assert.equal(error.class, "LookupError");
  assert.match(JSON.stringify(error.detail), /Main:Colour.*Blue/);
  assert.match(
    JSON.stringify(refusal(con("Tree", int64T), { kind: "variant", constructor_: "Leaf", value: int(1) }).detail),
    /DataVariantConstructor/,
  );
});

test("stored values: kinds that do not fit, malformed text and too deep nesting have the reference's classes", () => {
  assert.equal(refusal(listT(int64T), int(1)).class, "TypeMismatch");
  assert.equal(refusal(textT, text("a\0b")).class, "MalformedText");
  assert.equal(refusal(textT, text("\ud800")).class, "MalformedText");
  let nested: LedgerValue = { kind: "variant", constructor_: "End", value: { kind: "unit" } };
  for (let depth = 0; depth < 120; depth++) nested = { kind: "variant", constructor_: "More", value: nested };
  assert.equal(refusal(con("Nest"), nested).class, "ValueNesting");
});

test("stored values: local contract ids are accepted", () => {
  const local: LedgerValue = { kind: "contractId", hex: `00${"11".repeat(32)}` };
  assert.deepEqual(retyped(contractIdT(con("Point")), local), local);
  assert.deepEqual(retyped(optionalT(contractIdT(con("Point"))), some(local)), some(local));
});
