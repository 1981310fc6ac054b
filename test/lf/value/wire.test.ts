import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeValue, encodeValue } from "../../../src/lf/wire/index.js";
import type { LedgerValue } from "../../../src/lf/value/ledger-value.js";
import { generator } from "./random.js";

const bytes = (hex: string): Uint8Array => Buffer.from(hex.replaceAll(" ", ""), "hex");
const hexOf = (value: LedgerValue): string => Buffer.from(encodeValue(value)).toString("hex");
const refusal = (hex: string): string => decodeValue(bytes(hex)).error?.message ?? assert.fail("it should be refused");

test("value wire: scalars have the bytes of their field tables", () => {
  assert.equal(hexOf({ kind: "unit" }), "0a00");
  assert.equal(hexOf({ kind: "bool", value: false }), "1000");
  assert.equal(hexOf({ kind: "int64", value: -1n }), "1801");
  assert.equal(hexOf({ kind: "int64", value: -(2n ** 63n) }), "18ffffffffffffffffff01");
  assert.equal(hexOf({ kind: "date", days: -1 }), "20ffffffffffffffffff01");
  assert.equal(hexOf({ kind: "timestamp", micros: 1n }), "290100000000000000");
  assert.equal(hexOf({ kind: "numeric", unscaled: -5n, scale: 0 }), "32032d352e");
  assert.equal(hexOf({ kind: "optional", value: undefined }), "5200");
  assert.equal(hexOf({ kind: "text", value: "é" }), "4202c3a9");
});

test("value wire: 2,000 random values are read back as they were written", () => {
  const random = generator(1);
  for (let i = 0; i < 2000; i++) {
    const value = random.value(6);
    assert.deepEqual(decodeValue(encodeValue(value)), { ok: value });
  }
});

test("value wire: a value of a megabyte grows the buffer and is read back", () => {
  const value: LedgerValue = { kind: "list", elements: Array.from({ length: 100_000 }, (_, i) => ({ kind: "int64", value: BigInt(i) })) };
  assert.deepEqual(decodeValue(encodeValue(value)), { ok: value });
  assert.equal(hexOf({ kind: "unit" }), "0a00", "the buffer is empty again");
});

test("value wire: nesting up to 100 is read, deeper is refused", () => {
  const nested = (depth: number): LedgerValue => (depth === 0 ? { kind: "unit" } : { kind: "list", elements: [nested(depth - 1)] });
  assert(decodeValue(encodeValue(nested(100))).ok !== undefined);
  assert.match(decodeValue(encodeValue(nested(101))).error?.message ?? "", /deeper than 100/);
  assert(decodeValue(encodeValue(nested(1_500))).error !== undefined);
});

test("value wire: damaged and hostile bytes are refused with a reason", () => {
  assert.match(refusal(""), /missing/);
  assert.match(refusal("0a"), /ends within/);
  assert.match(refusal("0a05"), /behind the end/);
  assert.match(refusal("42ffffffff0f"), /behind the end/);
  assert.match(refusal("18ffffffffffffffffffff01"), /ten bytes/);
  assert.match(refusal("2901"), /fixed64/);
  assert.match(refusal("0a00 1001"), /more than one/);
  assert.match(refusal("8a01 00"), /no field 17/);
  assert.match(refusal("0800"), /field 1 of wire type 0/);
  assert.match(refusal("0a02 0800"), /Empty has no field/);
  assert.match(refusal("4202c328"), /UTF-8/);
  assert.match(refusal("420100"), /null character/);
  assert.match(refusal("3a00"), /party is empty/);
  assert.match(refusal("3203312e5a"), /Numeric/);
  assert.match(refusal("3202352e 1000"), /more than one/);
  assert.match(refusal("4a0100"), /ContractId/);
  assert.match(refusal("20ffffffff07"), /date .* out of range/);
  assert.match(refusal("29ffffffffffffff7f"), /timestamp .* out of range/);
  assert.match(refusal("7200"), /variant/);
  assert.match(refusal("7a00"), /missing/);
  assert.match(refusal("7a040a02312e"), /name/);
  assert.match(refusal("6a020a00"), /missing/);
  assert.match(refusal("62020a00"), /map entry/);
  assert.match(refusal("8201 10 0a06 0a0161 12010a"), /behind the end|ends within/);
});

test("value wire: text map entries come in any order and once", () => {
  const entry = (key: string): string => `0a07 0a01${Buffer.from(key).toString("hex")} 12020a00`;
  assert.deepEqual(decodeValue(bytes(`820112 ${entry("b")} ${entry("a")}`)).ok, {
    kind: "textMap",
    entries: [
      ["a", { kind: "unit" }],
      ["b", { kind: "unit" }],
    ],
  });
  assert.match(refusal(`820112 ${entry("a")} ${entry("a")}`), /twice/);
});

test("value wire: no damage to a single byte does anything but refuse or give another value", () => {
  const random = generator(7);
  for (let i = 0; i < 100; i++) {
    const original = encodeValue(random.value(4));
    for (let at = 0; at < Math.min(original.length, 60); at++) {
      const damaged = Uint8Array.from(original);
      damaged[at]! ^= 1 << random.below(8);
      const decoded = decodeValue(damaged);
      if (decoded.ok !== undefined) assert.deepEqual(decodeValue(encodeValue(decoded.ok)), decoded);
    }
  }
});
