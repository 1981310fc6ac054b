import assert from "node:assert/strict";
import { test } from "node:test";
import { globalKeyText, shortIdText, valueText } from "../../../src/lf/conversion/index.js";
import type { LedgerValue } from "../../../src/lf/value/index.js";

const typeId = `${"ab".repeat(32)}:M.N:T`;
const text = (value: LedgerValue): string => valueText(value, 1_000);
const int = (value: bigint): LedgerValue => ({ kind: "int64", value });

test("value text: every kind is shown as the reference shows it", () => {
  assert.equal(shortIdText(typeId), "M.N:T@abababab");
  for (const [value, shown] of [
    [{ kind: "unit" }, "<unit>"],
    [{ kind: "bool", value: true }, "true"],
    [{ kind: "date", days: 0 }, "1970-01-01"],
    [{ kind: "timestamp", micros: 100_000n }, "1970-01-01T00:00:00.100Z"],
    [{ kind: "numeric", unscaled: 5n, scale: 0 }, "5."],
    [{ kind: "party", value: "Alice" }, "'Alice'"],
    [{ kind: "text", value: 'a "b"' }, '"a "b""'],
    [{ kind: "optional", value: undefined }, "None"],
    [{ kind: "optional", value: int(1n) }, "Option(1)"],
    [{ kind: "list", elements: [int(1n), int(2n)] }, "[1, 2]"],
    [{ kind: "textMap", entries: [["k", int(1n)]] }, "TextMap(k -> 1)"],
    [
      {
        kind: "genMap",
        entries: [
          [int(1n), int(2n)],
          [int(3n), int(4n)],
        ],
      },
      "GenMap(1 -> 2, 3 -> 4)",
    ],
    [{ kind: "enum", typeId, constructor_: "Red" }, "M.N:T@abababab:Red"],
    [{ kind: "enum", constructor_: "Red" }, "Red"],
    [{ kind: "variant", typeId, constructor_: "V", value: { kind: "unit" } }, "M.N:T@abababab:V(<unit>)"],
    [{ kind: "record", typeId, fields: [{ label: "a", value: int(1n) }] }, "M.N:T@abababab{ a = 1 }"],
    [{ kind: "record", fields: [{ value: int(1n) }, { value: int(2n) }] }, "{ <no-label> = 1, <no-label> = 2 }"],
    [{ kind: "record", fields: [] }, "{  }"],
  ] as const satisfies readonly (readonly [LedgerValue, string])[])
    assert.equal(text(value), shown);
});

test("value text: of a large value not much more is made than is asked for", () => {
  const elements = Array.from({ length: 100_000 }, () => int(7n));
  assert.equal(valueText({ kind: "list", elements }, 8), "[7, 7, 7, ");
});

test("contract key: it is shown as Scala shows the reference's classes", () => {
  const keyText = (key: LedgerValue): string =>
    globalKeyText({ templateId: "p:M:T", packageName: "pkg", key, hash: "0a" }, 1_000).replace(
      /^GlobalKey\(p:M:T, pkg, (.*), Hash\(0a\)\)$/s,
      "$1",
    );
  for (const [value, shown] of [
    [{ kind: "unit" }, "Unit"],
    [{ kind: "bool", value: true }, "Bool(true)"],
    [int(-1n), "Int64(-1)"],
    [{ kind: "date", days: 0 }, "Date(1970-01-01)"],
    [{ kind: "timestamp", micros: 100_000n }, "Timestamp(1970-01-01T00:00:00.100Z)"],
    [{ kind: "party", value: "Alice" }, "Party(Alice)"],
    [{ kind: "text", value: 'a "b"' }, 'Text(a "b")'],
    [{ kind: "optional", value: undefined }, "Optional(None)"],
    [{ kind: "optional", value: int(1n) }, "Optional(Some(Int64(1)))"],
    [{ kind: "list", elements: [int(1n), int(2n)] }, "List(FrontStack(Int64(1),Int64(2)))"],
    [{ kind: "textMap", entries: [["k", int(1n)]] }, "TextMap(SortedLookupList((k,Int64(1))))"],
    [{ kind: "genMap", entries: [[int(1n), int(2n)]] }, "GenMap((Int64(1),Int64(2)))"],
    [{ kind: "enum", constructor_: "Red" }, "Enum(None,Red)"],
    [{ kind: "variant", constructor_: "V", value: { kind: "unit" } }, "Variant(None,V,Unit)"],
    [{ kind: "record", fields: [{ value: int(1n) }, { value: int(2n) }] }, "Record(None,ImmArray((None,Int64(1)),(None,Int64(2))))"],
    [{ kind: "numeric", unscaled: 0n, scale: 10 }, "Numeric(0E-10)"],
    [{ kind: "numeric", unscaled: 1_000n, scale: 10 }, "Numeric(1.000E-7)"],
    [{ kind: "numeric", unscaled: -125_000_000_000n, scale: 10 }, "Numeric(-12.5000000000)"],
    [{ kind: "numeric", unscaled: 7n, scale: 0 }, "Numeric(7)"],
  ] as const satisfies readonly (readonly [LedgerValue, string])[])
    assert.equal(keyText(value), shown);
});
