/**
 * Hashes of values as the reference's stability tests pin them (SValueHashSpec of its interpreter): one value of each kind and its
 * neighbours.
 */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { isFailure } from "../../../src/base/result.js";
import { limits } from "../../../src/config.js";
import type { DefinitionId } from "../../../src/lf/ast.js";
import { loadDar } from "../../../src/lf/archive/index.js";
import { PackageInterface } from "../../../src/lf/package-interface.js";
import { contractHash, decodeContractInstance, encodeContractInstance, keyHash } from "../../../src/lf/transaction/index.js";
import type { LedgerValue } from "../../../src/lf/value/ledger-value.js";
import { EnumType, RecordType, type ValueType, ValueTypes, VariantType } from "../../../src/lf/conversion/value-type.js";
import { isAuthentic } from "./typed-ids.js";
import { testData } from "../../support/paths.js";
import { text as knob } from "../../support/knobs.js";

interface Typed {
  readonly type: ValueType;
  readonly value: LedgerValue;
}

const id = (name: string): DefinitionId => ({ packageId: "p", module: "Mod", name });
const unit: Typed = { type: { kind: "unit" }, value: { kind: "unit" } };
const bool = (value: boolean): Typed => ({ type: { kind: "bool" }, value: { kind: "bool", value } });
const int = (value: bigint): Typed => ({ type: { kind: "int64" }, value: { kind: "int64", value } });
const numeric = (unscaled: bigint, scale: number): Typed => ({
  type: { kind: "numeric", scale },
  value: { kind: "numeric", unscaled, scale },
});
const text = (value: string): Typed => ({ type: { kind: "text" }, value: { kind: "text", value } });
const party = (value: string): Typed => ({ type: { kind: "party" }, value: { kind: "party", value } });
const date = (day: string): Typed => ({ type: { kind: "date" }, value: { kind: "date", days: Date.parse(day) / 86_400_000 } });
const timestamp = (instant: string, micros = 0n): Typed => ({
  type: { kind: "timestamp" },
  value: { kind: "timestamp", micros: BigInt(Date.parse(instant)) * 1_000n + micros },
});
const optional = (element: ValueType, value?: Typed): Typed => ({
  type: { kind: "optional", element, nested: element.kind === "optional" },
  value: { kind: "optional", value: value?.value },
});
const bools = (...elements: readonly boolean[]): Typed => ({
  type: { kind: "list", element: { kind: "bool" } },
  value: { kind: "list", elements: elements.map((each) => bool(each).value) },
});
type Entries = readonly (readonly [string, boolean])[];
const textMap = (...entries: Entries): Typed => ({
  type: { kind: "textMap", value: { kind: "bool" } },
  value: { kind: "textMap", entries: entries.map(([key, item]) => [key, bool(item).value]) },
});
const genMap = (...entries: Entries): Typed => ({
  type: { kind: "genMap", key: { kind: "text" }, value: { kind: "bool" } },
  value: { kind: "genMap", entries: entries.map(([key, item]) => [text(key).value, bool(item).value]) },
});
const enumOf = (name: string, constructor_: string): Typed => ({
  type: new EnumType(id(name), ["Red", "Green"]),
  value: { kind: "enum", constructor_ },
});
const record = (name: string, fields: Readonly<Record<string, Typed>>): Typed => ({
  type: new RecordType(id(name), [], () => Object.entries(fields).map(([field, { type }]) => ({ name: field, type }))),
  value: { kind: "record", fields: Object.values(fields).map(({ value }) => ({ value })) },
});
const pair = (name: string, _1: boolean, _2: boolean): Typed => record(name, { _1: bool(_1), _2: bool(_2) });
const either = (name: string, constructor_: "Left" | "Right", value: boolean): Typed => ({
  type: new VariantType(id(name), [], () => ["Left", "Right"].map((each) => ({ name: each, type: bool(value).type }))),
  value: { kind: "variant", constructor_, value: bool(value).value },
});
const contractId = (hex: string): Typed => ({ type: { kind: "contractId" }, value: { kind: "contractId", hex } });

const maps = (map: (...entries: Entries) => Typed): readonly Typed[] => [
  map(),
  map(["a", false]),
  map(["a", true]),
  map(["b", false]),
  map(["a", false], ["b", false]),
  map(["a", true], ["b", false]),
  map(["a", false], ["b", true]),
  map(["a", false], ["c", false]),
];
const maybe = optional({ kind: "bool" });

const values: readonly Typed[] = [
  unit,
  bool(true),
  bool(false),
  int(-1n),
  int(0n),
  int(1n),
  numeric(-100_000_000_000_000n, 10),
  numeric(0n, 10),
  numeric(100_000_000_000_000n, 10),
  numeric(-10_000n, 0),
  numeric(0n, 0),
  numeric(10_000n, 0),
  date("1970-01-01"),
  date("1969-07-21"),
  date("2019-12-16"),
  timestamp("1970-01-01T00:00:00Z"),
  timestamp("1969-07-21T02:56:15Z"),
  timestamp("2019-12-16T11:17:54.940Z", 779n),
  text(""),
  text("someText"),
  text("a¶‱😂"),
  party("alice"),
  party("bob"),
  maybe,
  optional({ kind: "bool" }, bool(false)),
  optional({ kind: "bool" }, bool(true)),
  optional(maybe.type, maybe),
  optional(maybe.type, optional({ kind: "bool" }, bool(false))),
  bools(),
  bools(false),
  bools(true),
  bools(false, false),
  bools(false, true),
  bools(true, false),
  ...maps(textMap),
  ...maps(genMap),
  enumOf("Color", "Red"),
  enumOf("Color", "Green"),
  enumOf("ColorBis", "Green"),
  record("Unit", {}),
  record("UnitBis", {}),
  pair("Tuple", false, false),
  pair("Tuple", true, false),
  pair("Tuple", false, true),
  pair("TupleBis", false, false),
  either("Either", "Left", false),
  either("Either", "Left", true),
  either("Either", "Right", false),
  either("EitherBis", "Left", false),
];
const contractIds: readonly Typed[] = [
  contractId("0007e7b5534931dfca8e1b485c105bae4e10808bd13ddc8e897f258015f9d921c5"),
  contractId("0059b59ad7a6b6066e77b91ced54b8282f0e24e7089944685cb8f22f32fcbc4e1b"),
];

const template = { module: "module", name: "name" };
const hashes = (typed: readonly Typed[], hash: typeof contractHash): readonly string[] =>
  typed.map(({ type, value }) => Buffer.from(hash("package-name-0", template, type, value)).toString("hex"));

test("value hashes: those of every kind of value are the reference's, as contract arguments and as keys", (context) => {
  const pinned = JSON.parse(readFileSync(testData("values", "hashes.json"), "utf8")) as Readonly<
    Record<"contract" | "key" | "contractId", readonly string[]>
  >;
  assert.deepEqual(hashes(values, contractHash), pinned.contract);
  assert.deepEqual(hashes(values, keyHash), pinned.key);
  assert.deepEqual(hashes(contractIds, contractHash), pinned.contractId);
  context.diagnostic(`${pinned.contract.length + pinned.key.length + pinned.contractId.length} hashes`);
});

test("value hashes: equal ones are of equal values, whatever the scale of a zero", () => {
  const known = new Map<string, number>();
  hashes(values, contractHash).forEach((hash) => known.set(hash, (known.get(hash) ?? 0) + 1));
  assert.deepEqual(
    [...known.values()].filter((count) => count > 1),
    [2],
  );
});

/**
 * Contracts of public networks are no part of this repository: `blobs.json` beside the public DARs holds some in base64, with the DAR of
 * their types.
 */
const folder = knob("LEDGERLINE_REAL_DARS");
const blobs = folder === undefined ? undefined : join(folder, "blobs.json");
test(
  "contracts of public networks: their ids are those that their contents give, and their bytes are written again",
  {
    skip:
      blobs === undefined
        ? "LEDGERLINE_REAL_DARS names no folder of DARs"
        : existsSync(blobs)
          ? false
          : "the folder of DARs has no blobs.json",
  },
  (context) => {
    const { dar, contracts } = JSON.parse(readFileSync(blobs!, "utf8")) as { readonly dar: string; readonly contracts: readonly string[] };
    const loaded = loadDar(readFileSync(join(folder!, dar)), limits);
    assert.ok(!isFailure(loaded), loaded.error?.message);
    const packages = new Map(loaded.ok.packages.map((each) => [each.package.id, each.package]));
    const byName = new Map([...packages.values()].map(({ name, id: packageId }) => [name, packageId]));
    const types = new ValueTypes(new PackageInterface({ getPackage: (packageId) => packages.get(packageId) }));
    for (const blob of contracts) {
      const bytes = Buffer.from(blob, "base64"),
        { ok: instance } = decodeContractInstance(bytes);
      assert.ok(instance !== undefined);
      assert.ok(bytes.equals(encodeContractInstance(instance)));
      const type = types.ofData({ ...instance.templateId, packageId: byName.get(instance.packageName)! });
      assert(isAuthentic(instance, type), instance.templateId.name);
      context.diagnostic(`${instance.templateId.module}:${instance.templateId.name} ${instance.contractId.slice(0, 20)}`);
    }
  },
);
