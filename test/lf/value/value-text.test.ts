import assert from "node:assert/strict";
import { test } from "node:test";
import { shortIdText, valueText } from "../../../src/lf/conversion/index.js";
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
