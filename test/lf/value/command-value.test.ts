import assert from "node:assert/strict";
import { test } from "node:test";
import type { Type } from "../../../src/lf/ast.js";
import { fromCommandValue, toLedgerValue } from "../../../src/lf/conversion/index.js";
import type { LedgerField, LedgerValue } from "../../../src/lf/value/ledger-value.js";
import { con, contractIdT, genMapT, int64T, numericT, textT, valueTypes } from "./types.js";

const types = valueTypes();
const int = (value: number): LedgerValue => ({ kind: "int64", value: BigInt(value) });
const none: LedgerValue = { kind: "optional", value: undefined };
const some = (value: LedgerValue): LedgerValue => ({ kind: "optional", value });
const record = (...fields: (readonly [string | undefined, LedgerValue])[]): LedgerValue => ({
  kind: "record",
  fields: fields.map(([label, value]): LedgerField => (label === undefined ? { value } : { label, value })),
});
const point = (x: number, y: number): LedgerValue => record([undefined, int(x)], [undefined, int(y)]);

const accepted = (type: Type, value: LedgerValue): LedgerValue => {
  const result = fromCommandValue(types.of(type), value);
  assert(result.ok !== undefined, result.error?.message);
  return toLedgerValue(types.of(type), result.ok);
};
const refusal = (type: Type, value: LedgerValue) => fromCommandValue(types.of(type), value).error ?? assert.fail("it should be refused");

test("command values: labelled fields come in any order, unlabelled ones by position", () => {
  assert.deepEqual(accepted(con("Point"), record(["y", int(2)], ["x", int(1)])), point(1, 2));
  assert.deepEqual(accepted(con("Point"), record([undefined, int(1)], ["y", int(2)])), point(1, 2));
  assert.match(refusal(con("Point"), record([undefined, int(1)], ["x", int(2)])).message, /Mismatching record field label "x"/);
});

test("command values: missing Optionals are None, other missing fields and doubled labels are refused", () => {
  assert.deepEqual(
    accepted(con("Person"), record(["name", { kind: "text", value: "Ann" }])),
    record([undefined, { kind: "text", value: "Ann" }]),
  );
  assert.match(refusal(con("Point"), record(["x", int(1)])).message, /"y"/);
  assert.match(refusal(con("Point"), record(["x", int(1)], ["x", int(1)])).message, /Duplicate label x/);
});

test("command values: what a record has too much must be None", () => {
  assert.deepEqual(accepted(con("Point"), record(["x", int(1)], ["y", int(2)], ["z", none])), point(1, 2));
  assert.match(refusal(con("Point"), record(["x", int(1)], ["y", int(2)], ["z", some(int(3))])).message, /\("z"\) with a value of Some/);
  assert.match(
    refusal(con("Point"), record([undefined, int(1)], [undefined, int(2)], [undefined, int(3)])).message,
    /non-optional extra field/,
  );
});

test("command values: type ids are compared without their package", () => {
  assert.deepEqual(accepted(con("Point"), { ...point(1, 2), typeId: "other:Main:Point" } as LedgerValue), point(1, 2));
  assert.equal(refusal(con("Point"), { ...point(1, 2), typeId: "other:Main:Pair" } as LedgerValue).class, "TypeMismatch");
});

test("command values: numerics of another scale fit when no digit is lost", () => {
  const numeric = (unscaled: bigint, scale: number): LedgerValue => ({ kind: "numeric", unscaled, scale });
  assert.deepEqual(accepted(numericT(10), numeric(15n, 1)), numeric(15_000_000_000n, 10));
  assert.deepEqual(accepted(numericT(1), numeric(-1500n, 3)), numeric(-15n, 1));
  assert.match(refusal(numericT(1), numeric(1501n, 3)).message, /without loss of precision/);
  assert.match(refusal(numericT(10), numeric(10n ** 29n, 0)).message, /Out-of-bounds/);
});

test("command values: maps are sorted and the later of two equal keys wins", () => {
  const map = (...entries: (readonly [number, string])[]): LedgerValue => ({
    kind: "genMap",
    entries: entries.map(([key, value]) => [int(key), { kind: "text", value }] as const),
  });
  assert.deepEqual(accepted(genMapT(int64T, textT), map([2, "b"], [1, "a"], [2, "c"])), map([1, "a"], [2, "c"]));
});

test("command values: contract ids without suffix and relative ones are refused", () => {
  const id = (hex: string): LedgerValue => ({ kind: "contractId", hex });
  const type = contractIdT(con("Point"));
  assert.deepEqual(accepted(type, id(`00${"11".repeat(32)}ca12`)), id(`00${"11".repeat(32)}ca12`));
  assert.equal(refusal(type, id(`00${"11".repeat(32)}`)).class, "IllegalContractId");
  assert.equal(refusal(type, id(`01${"11".repeat(12)}`)).class, "IllegalContractId");
  assert.equal(refusal(type, id(`01${"11".repeat(12)}7f`)).class, "IllegalContractId");
  assert.deepEqual(accepted(type, id(`01${"11".repeat(12)}80`)), id(`01${"11".repeat(12)}80`));
});

test("command values: wrong kinds, constructors, texts and nesting have the reference's classes", () => {
  assert.equal(refusal(int64T, { kind: "text", value: "x" }).class, "TypeMismatch");
  assert.equal(refusal(con("Colour"), { kind: "enum", constructor_: "Purple" }).class, "Lookup");
  assert.equal(refusal(con("Tree", int64T), { kind: "variant", constructor_: "Leaf", value: { kind: "unit" } }).class, "Lookup");
  assert.equal(refusal(con("Colour"), { kind: "variant", constructor_: "Red", value: { kind: "unit" } }).class, "TypeMismatch");
  assert.equal(refusal(textT, { kind: "text", value: "a\0" }).class, "MalformedText");
  let nested: LedgerValue = { kind: "unit" };
  for (let depth = 0; depth < 120; depth++) nested = { kind: "variant", constructor_: "More", value: nested };
  assert.equal(refusal(con("Nest"), nested).class, "ValueNesting");
});
