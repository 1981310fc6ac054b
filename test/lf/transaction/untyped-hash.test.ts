import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import type { LedgerValue } from "../../../src/lf/value/ledger-value.js";
import { untypedContractHash, type UntypedHashing } from "../../../src/lf/transaction/untyped-hash.js";

const template = { packageId: "pid", module: "A.B", name: "T" };
/** "name", "pid", then A.B and T as counted lists of counted texts. */
const head = "00000004 6e616d65 00000003 706964 00000002 00000001 41 00000001 42 00000001 00000001 54";

/** What is hashed, in hex, behind version, purpose and the names. */
function isHashed(hashing: UntypedHashing, value: LedgerValue, hex: string): void {
  const bytes = Buffer.from(`${hashing === "legacy" ? "0005" : "0105"}${head}${hex}`.replaceAll(/\s/g, ""), "hex");
  assert.equal(
    Buffer.from(untypedContractHash(hashing, "name", template, value)).toString("hex"),
    createHash("sha256").update(bytes).digest("hex"),
    `${hashing} ${JSON.stringify(value, (_, each: unknown) => (typeof each === "bigint" ? String(each) : each))}`,
  );
}

const int = (value: bigint): LedgerValue => ({ kind: "int64", value });
const text = (value: string): LedgerValue => ({ kind: "text", value });
const some = (value: LedgerValue): LedgerValue => ({ kind: "optional", value });
const none: LedgerValue = { kind: "optional", value: undefined };
const unit: LedgerValue = { kind: "unit" };
const record = (...values: readonly LedgerValue[]): LedgerValue => ({ kind: "record", fields: values.map((value) => ({ value })) });
const textMap = (...entries: readonly (readonly [string, LedgerValue])[]): LedgerValue => ({ kind: "textMap", entries });

const alike: readonly (readonly [LedgerValue, string])[] = [
  [unit, "00"],
  [{ kind: "bool", value: true }, "01"],
  [int(-2n), "fffffffffffffffe"],
  [{ kind: "numeric", unscaled: 128n, scale: 2 }, "00000002 0080"],
  [{ kind: "numeric", unscaled: -128n, scale: 2 }, "00000001 80"],
  [{ kind: "timestamp", micros: 1n }, "0000000000000001"],
  [{ kind: "date", days: -1 }, "ffffffff"],
  [{ kind: "party", value: "é" }, "00000002 c3a9"],
  [text("ab"), "00000002 6162"],
  [{ kind: "contractId", hex: "00ff" }, "00000002 00ff"],
  [{ kind: "enum", constructor_: "Red" }, "00000003 526564"],
  [{ kind: "variant", constructor_: "V", value: int(1n) }, "00000001 56 0000000000000001"],
  [{ kind: "list", elements: [int(1n), int(2n)] }, "00000002 0000000000000001 0000000000000002"],
  [textMap(["k", int(1n)]), "00000001 00000001 6b 0000000000000001"],
  [{ kind: "genMap", entries: [[int(1n), text("v")]] }, "00000001 0000000000000001 00000001 76"],
];

test("older contract ids: every kind of value is hashed without its type", () => {
  for (const hashing of ["legacy", "upgradeFriendly"] as const) for (const [value, hex] of alike) isHashed(hashing, value, hex);
});

test("older contract ids, ca10: optionals are counted, records are their number of fields and the fields", () => {
  isHashed("legacy", none, "00000000");
  isHashed("legacy", some(int(1n)), "00000001 0000000000000001");
  isHashed("legacy", record(int(0n), text("")), "00000002 0000000000000000 00000000");
  isHashed("legacy", record(), "00000000");
});

test("older contract ids, ca11: records are their fields by number but for those with a default, and an end", () => {
  isHashed("upgradeFriendly", none, "00");
  isHashed("upgradeFriendly", some(none), "01 00");
  isHashed("upgradeFriendly", record(), "ff");
  isHashed("upgradeFriendly", record(int(7n), int(0n), text("a")), "00000000 0000000000000007 00000002 00000001 61 ff");
  const defaults: readonly LedgerValue[] = [
    unit,
    { kind: "bool", value: false },
    int(0n),
    { kind: "numeric", unscaled: 0n, scale: 10 },
    { kind: "timestamp", micros: 0n },
    { kind: "date", days: 0 },
    text(""),
    { kind: "list", elements: [] },
    textMap(),
    { kind: "genMap", entries: [] },
    none,
  ];
  isHashed("upgradeFriendly", record(...defaults, { kind: "bool", value: true }), "0000000b 01 ff");
});

test("older contract ids, ca11: fields without a default are always there, a Some is what it holds, maps have no number", () => {
  isHashed(
    "upgradeFriendly",
    record({ kind: "party", value: "" }, record(), { kind: "enum", constructor_: "R" }),
    "00000000 00000000 00000001 ff 00000002 00000001 52 ff",
  );
  isHashed("upgradeFriendly", record(some(int(0n)), some(none)), "00000000 0000000000000000 00000001 00 ff");
  isHashed(
    "upgradeFriendly",
    record(textMap(["k", int(1n)]), { kind: "genMap", entries: [[int(1n), int(2n)]] }),
    "00000001 00000001 6b 0000000000000001 00000001 0000000000000001 0000000000000002 ff",
  );
});
