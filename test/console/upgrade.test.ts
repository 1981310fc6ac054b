/** What a console says of two versions of a package, without a browser. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { DamlType, ModuleDescription, PackageDescription } from "../../src/api/node/types/packages.js";
import { differences } from "../../src/console/daml/upgrade.js";

const text: DamlType = { builtin: "Text" },
  unit: DamlType = { builtin: "()" },
  optional = (of: DamlType): DamlType => ({ builtin: "Optional", arguments: [of] });
const packageOf = (...modules: readonly ModuleDescription[]): PackageDescription => ({
  packageId: "00",
  packageName: "app",
  packageVersion: "1.0.0",
  lfVersion: "2.1",
  dependencies: [],
  modules,
});
const moduleOf = (of: Partial<ModuleDescription>): ModuleDescription => ({
  name: "M",
  templates: [],
  interfaces: [],
  dataTypes: [],
  ...of,
});
const choice = (name: string, consuming = true, result = unit) => ({ name, consuming, argument: { defined: `M:${name}` }, result });
const record = (name: string, ...fields: readonly (readonly [string, DamlType])[]) => ({
  name,
  parameters: [],
  record: fields.map(([field, type]) => ({ name: field, type })),
});
const told = (before: PackageDescription, after: PackageDescription): readonly string[] =>
  differences(before, after).map(({ kind, text: what }) => `${kind} ${what}`);

test("console upgrades: fields, choices, templates and constructors that came are told, with what brings records of its own once", () => {
  const before = packageOf(
    moduleOf({
      templates: [{ name: "T", choices: [choice("Go")], implements: [] }],
      dataTypes: [record("T", ["a", text]), record("Go"), { name: "Colour", parameters: [], enum: ["Red"] }],
    }),
  );
  const after = packageOf(
    moduleOf({
      templates: [
        { name: "T", choices: [choice("Go", false), choice("Stop")], implements: ["11:I:Face"] },
        { name: "U", choices: [choice("Leave")], implements: [] },
      ],
      dataTypes: [
        record("T", ["a", text], ["b", optional(text)]),
        record("Go", ["why", optional(text)]),
        record("Stop"),
        record("U"),
        record("Leave"),
        record("Extra"),
        { name: "Colour", parameters: [], enum: ["Red", "Blue"] },
      ],
    }),
    moduleOf({ name: "N", dataTypes: [{ name: "Shape", parameters: [], variant: [{ name: "Round", type: text }] }] }),
  );
  assert.deepEqual(told(before, after), [
    "changed choice nonconsuming Go : () of M:T, was Go : ()",
    "added choice Stop of M:T",
    "added interface instance I:Face for M:T",
    "added template M:U",
    "added field b : Optional Text of M:T",
    "added field why : Optional Text of M:Go",
    "added type M:Extra",
    "added constructor Blue of M:Colour",
    "added type N:Shape",
  ]);
  assert.deepEqual(
    told(after, before).map((line) => line.split(" ")[0]),
    ["changed", "removed", "removed", "removed", "removed", "removed", "removed", "removed", "removed"],
  );
  assert.deepEqual(told(after, after), []);
});

test("console upgrades: an interface of another version of its package is another one, and a type that changed is told", () => {
  const of = (face: string, type: DamlType): PackageDescription =>
    packageOf(moduleOf({ templates: [{ name: "T", choices: [], implements: [`${face}:I:Face`] }], dataTypes: [record("T", ["a", type])] }));
  assert.deepEqual(told(of("11", text), of("22", { builtin: "Int" })), [
    "added interface instance I:Face for M:T",
    "removed interface instance I:Face for M:T",
    "changed field a : Int of M:T, was : Text",
  ]);
});
