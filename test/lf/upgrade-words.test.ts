/** Upgrade refusals say in words what is wrong where: every rule, most of them in a recorded pair of packages. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { isFailure } from "../../src/base/result.js";
import type { DataCons, DefDataType, DefTemplate, Kind, Package } from "../../src/lf/ast.js";
import { checkUpgrade } from "../../src/lf/upgrade.js";
import { refusedUpgrades } from "../golden/scenario-upgrades.js";
import { repositoryRoot, testData } from "../support/paths.js";
import { builtinType, con, int, int64, makePackage, pure } from "./compile/sample-package.js";

/** By the name of the pair; package ids stand as their first digits. */
const sentences: Readonly<Record<string, string>> = {
  "lf-down": "it is written in Daml-LF 2.1, which is older than Daml-LF 2.2 of the version before",
  "module-dropped-unserializable": "module X is missing: an upgrade keeps what the version before has",
  "template-dropped": "template M:T is missing: an upgrade keeps what the version before has",
  "choice-dropped": "choice C of template M:T is missing: an upgrade keeps what the version before has",
  "type-dropped": "data type M:Par is missing: an upgrade keeps what the version before has",
  "iface-dropped-all": "data type M:View is missing: an upgrade keeps what the version before has",
  "record-to-exception": "data type M:Ex is missing: an upgrade keeps what the version before has",
  "choice-return": "choice C of template M:T returns Int64 instead of M:Var",
  "choice-return-unit": "choice D of template M:T returns Int64 instead of Unit",
  "choice-arg-required": "of the new fields of the argument of choice C of template M:T these are not Optional: z (Int64)",
  "choice-arg-type": "field x of the argument of choice C of template M:T has type Text instead of Int64",
  "choice-arg-removed": "the argument of choice C of template M:T lacks field y, which it had",
  "template-required": "of the new fields of template M:T these are not Optional: n (Text)",
  "template-field-removed": "template M:T lacks field e, which it had",
  "template-field-renamed": "template M:T lacks field e, which it had",
  "template-field-type": "field e of template M:T has type Text instead of M:Enum",
  "template-field-to-optional": "field e of template M:T has type Optional M:Enum instead of M:Enum",
  "template-optional-middle": "the fields of template M:T are in another order: n has the place of r; new ones come last",
  "record-required": "of the new fields of record M:Rec these are not Optional: c (Int64)",
  "record-order": "the fields of record M:Rec are in another order: b has the place of a; new ones come last",
  "record-removed-and-added": "record M:Rec lacks field a, which it had",
  "record-to-variant": "record M:Rec is a variant instead of a record",
  "enum-to-variant": "enum M:Enum is a variant instead of an enum",
  "variant-removed": "variant M:Var lacks constructor Y, which it had",
  "variant-type": "constructor Y of variant M:Var holds Int64 instead of Text",
  "variant-order": "the constructors of variant M:Var are in another order: Y has the place of X; new ones come last",
  "variant-inserted": "the constructors of variant M:Var are in another order: Z has the place of X; new ones come last",
  "enum-removed": "enum M:Enum lacks constructor E2, which it had",
  "enum-order": "the constructors of enum M:Enum are in another order: E2 has the place of E1; new ones come last",
  "enum-inserted": "the constructors of enum M:Enum are in another order: E0 has the place of E2; new ones come last",
  "variant-record-required": "of the new fields of constructor P of variant M:VR these are not Optional: q (Int64)",
  "variant-record-type": "field p of constructor P of variant M:VR has type Text instead of Int64",
  "param-count": "data type M:Par has type parameters (t, u) instead of (t)",
  "param-swapped": "field v of record M:Par has type u instead of t; field w of record M:Par has type t instead of u",
  "serializable-lost": "data type M:Unser was serializable and is not any more",
  "origin-record-to-template": "record M:O was a data type of its own and is a template now",
  "origin-record-to-choice": "record M:N was a data type of its own and is the argument of choice N of template M:T now",
  "key-added": "template M:T has a contract key of type Party now, and had none",
  "key-removed": "template M:T has no contract key any more, and had one of type Party",
  "key-type": "the contract key of template M:T has type M:KK instead of Party",
  "impl-dropped": "template M:T no longer implements interface M:I of upc-ifc 1.0.0 (package dc423a)",
  "impl-other-version":
    "template M:T no longer implements interface M:I of upc-ifc 1.0.0 (package dc423a); M:I of upc-ifc 2.0.0 (package 13e341), which it implements, is another one",
  "contract-id-type": "field b of record M:Rec has type ContractId M:I instead of ContractId M:T",
  "dep-downgraded": "field b of record M:Rec has type Dep:D of upc-dep 1.0.0 instead of Dep:D of upc-dep 2.0.0",
  "dep-other-name": "field b of record M:Rec has type Dep:D of upc-other 1.0.0 instead of Dep:D of upc-dep 1.0.0",
  "same-version-reversed": "choice C of template M:T returns 658532:M:Var instead of b271df:M:Var",
  "reverse-optional": "choice C of template M:T returns ce7571:M:Var instead of 66b0ea:M:Var",
  "other-name": "choice C of template M:T returns fbe8b5:M:Var instead of 658532:M:Var",
};

const refused = refusedUpgrades(testData("engine"));

test("upgrade refusals: each names the place, and what is there instead of what was", () => {
  const said = Object.fromEntries([...refused].map(([pair, { message }]) => [pair, message.replace(/([0-9a-f]{6})[0-9a-f]{58}/g, "$1")]));
  assert.deepEqual(said, sentences);
});

const [olderId, newerId] = ["a".repeat(64), "b".repeat(64)];
/** The refusal of a data type that another one replaces. */
function refusalOf(
  older: Omit<DefDataType, "name" | "serializable">,
  newer: Omit<DefDataType, "name" | "serializable">,
): { readonly rule: string; readonly message: string } {
  const packageOf = (id: string, type: Omit<DefDataType, "name" | "serializable">): Package =>
    makePackage({ dataTypes: [{ name: "D", serializable: true, ...type }] }, id);
  const checked = checkUpgrade(packageOf(olderId, older), packageOf(newerId, newer), { getPackage: () => undefined });
  assert.ok(isFailure(checked), "it is refused");
  return { rule: checked.error.class, message: checked.error.message };
}
const record = (fields: Readonly<Record<string, typeof int64>>): DataCons => ({
  kind: "record",
  fields: Object.entries(fields).map(([name, type]) => ({ name, type })),
});

test("upgrade refusals: of a type parameter both kinds are told", () => {
  const ofKind = (kind: Kind) => ({ params: [{ name: "f", kind }], cons: record({}) });
  const star: Kind = { kind: "star" };
  assert.deepEqual(refusalOf(ofKind({ kind: "arrow", param: star, result: star }), ofKind(star)), {
    rule: "DifferentParamsKinds",
    message: "type parameter f of data type M:D has kind * instead of (* -> *)",
  });
});

test("upgrade refusals: all fields at fault are told, up to a bound; types are cut where they nest", () => {
  const many = (count: number) => ({
    params: [],
    cons: record(Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, int64]))),
  });
  assert.match(refusalOf(many(10), many(0)).message, /^record M:D lacks fields f0, f1, f2, f3, f4, f5, f6, f7 and 2 more, which it had$/);
  const nested = (depth: number): typeof int64 => (depth === 0 ? int64 : { kind: "app", fun: builtinType("LIST"), arg: nested(depth - 1) });
  const holding = (type: typeof int64) => ({ params: [], cons: record({ x: type, y: con("D") }) });
  assert.equal(
    refusalOf(holding(nested(9)), holding(int64)).message,
    "field x of record M:D has type Int64 instead of List (List (List (List (List ...))))",
  );
});

test("upgrades: what was the argument of a choice may not become that of another template's", () => {
  const template = (name: string, choices: readonly string[]): DefTemplate => ({
    name,
    param: "this",
    signatories: { kind: "nil", type: builtinType("PARTY") },
    observers: { kind: "nil", type: builtinType("PARTY") },
    precondition: undefined,
    key: undefined,
    implements: [],
    choices: new Map(
      choices.map((choice) => [
        choice,
        {
          name: choice,
          consuming: true,
          controllers: { kind: "nil", type: builtinType("PARTY") },
          observers: { kind: "nil", type: builtinType("PARTY") },
          authorizers: undefined,
          selfBinder: "self",
          argBinder: { name: "arg", type: con(choice) },
          returnType: int64,
          update: pure(int(0n)),
        },
      ]),
    ),
  });
  const packageOf = (id: string, templates: readonly DefTemplate[]): Package =>
    makePackage({ templates, dataTypes: ["T", "C"].map((name) => ({ name, serializable: true, params: [], cons: record({}) })) }, id);
  const older = packageOf(olderId, [template("T", ["C"])]);
  const check = (...templates: readonly DefTemplate[]) =>
    checkUpgrade(older, packageOf(newerId, templates), { getPackage: () => undefined });
  const T = template("T", ["C"]),
    U = template("U", ["C"]);
  assert.equal(check(T, U).error?.class, "RecordChangedOrigin"); // the last template counts
  assert.deepEqual(check(U, T), { ok: true });
});

test("upgrade refusals: every rule of the code has a sentence here", () => {
  const code = ["upgrade.ts", "upgrade-data.ts"].map((file) => readFileSync(join(repositoryRoot(), "src", "lf", file), "utf8")).join("\n");
  const rules = new Set(
    [...code.matchAll(/(?:UpgradeViolation\(|missing\(|const rule = isVariantRecord \? "(\w+)" : )\s*"(\w+)"/g)].flatMap(([, ...named]) =>
      named.filter((rule) => rule),
    ),
  );
  assert.ok(rules.size >= 24, `${rules.size} rules are found`);
  const told = new Set([...[...refused.values()].map((one) => one.class), "DifferentParamsKinds"]);
  assert.deepEqual(
    [...rules].filter((rule) => !told.has(rule!)),
    [],
  );
});
