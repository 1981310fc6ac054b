/** What a package declares, as those read it who make forms and documents of it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { isFailure } from "../../src/base/result.js";
import type { Package } from "../../src/lf/ast.js";
import { decodePackage, describePackage } from "../../src/lf/index.js";
import { buildPackage, expr, ModuleBuilder, type } from "../support/lf-builder.js";

const built = (() => {
  const module = new ModuleBuilder("Main.Things"),
    view = module.record("View", { holder: type.party });
  const holding = module.interface("Holding", { view: type.con(view) });
  module.template("Thing", {
    fields: { owner: type.party, note: type.optional(type.text), others: type.list(type.contractId(type.con(module.id("Thing")))) },
    signatories: (self) => [self("owner")],
    implements: [
      {
        interface: holding,
        methods: new Map(),
        view: expr.record(view, { holder: expr.field(module.id("Thing"), "owner", expr.variable("this")) }),
      },
    ],
    choices: {
      Give: {
        fields: { to: type.party },
        returns: type.int64,
        consuming: false,
        controllers: (self) => [self("owner")],
        update: () => expr.pure(type.int64, expr.int64(1n)),
      },
    },
  });
  const archive = buildPackage({ name: "things", version: "1.2.0", modules: [module] }),
    decoded = decodePackage(archive.id, archive.payload);
  assert.ok(!isFailure(decoded));
  return decoded.ok;
})();

test("package description: templates with choices and interfaces, and the types that can be on a ledger, as Daml calls them", () => {
  const described = describePackage(built, { charsMax: 100_000 });
  assert.ok(!isFailure(described));
  const {
    packageName,
    packageVersion,
    modules: [module],
  } = JSON.parse(described.ok);
  assert.deepEqual([packageName, packageVersion, module.name], ["things", "1.2.0", "Main.Things"]);
  const [thing] = module.templates,
    [holding] = module.interfaces;
  assert.deepEqual(thing.implements, [`${built.id}:Main.Things:Holding`]);
  assert.deepEqual(
    thing.choices.find(({ name }: { name: string }) => name === "Give"),
    { name: "Give", consuming: false, argument: { defined: "Main.Things:Give" }, result: { builtin: "Int" } },
  );
  assert.deepEqual([holding.name, holding.view], ["Holding", { defined: "Main.Things:View" }]);
  const typeNamed = (name: string) => module.dataTypes.find((one: { name: string }) => one.name === name);
  assert.deepEqual(typeNamed("Thing").record, [
    { name: "owner", type: { builtin: "Party" } },
    { name: "note", type: { builtin: "Optional", arguments: [{ builtin: "Text" }] } },
    { name: "others", type: { builtin: "[]", arguments: [{ builtin: "ContractId", arguments: [{ defined: "Main.Things:Thing" }] }] } },
  ]);
  assert.deepEqual(typeNamed("Give").record, [{ name: "to", type: { builtin: "Party" } }]);
});

test("package description: one that would be too long is refused, and says at what length", () => {
  const described = describePackage(built, { charsMax: 200 });
  assert.deepEqual(described.error, { charsMax: 200 });
});

test("package description: records with parameters, variants, enums, interfaces, synonyms, numbers, and types of other packages by their package", () => {
  const module = new ModuleBuilder("Main");
  module.record("Box", { content: type.variable("a"), price: type.numeric(10) }, ["a"]);
  module.variant("Shape", { Circle: type.int64, Other: type.con(module.id("Colour")) });
  module.enum("Colour", ["Red", "Green"]);
  const foreign = { packageId: "a".repeat(64), module: "Elsewhere", name: "Thing" };
  module.record("Uses", { thing: type.con(foreign), prices: { kind: "syn", id: module.id("Prices"), args: [] } });
  module.synonym("Prices", type.list(type.numeric(2)));
  const view = module.record("View", { holder: type.party });
  module.interface("Holding", { view: type.con(view) });
  module.dataType("Holding", { kind: "interface" });
  const package_: Package = {
    id: module.id("Box").packageId,
    name: "shapes",
    version: "1.0.0",
    lfVersion: "2.1",
    directDependencies: new Set(),
    modules: new Map([["Main", module.module]]),
  };
  const described = describePackage(package_, { charsMax: 100_000 });
  assert.ok(!isFailure(described));
  const { dataTypes } = JSON.parse(described.ok).modules[0];
  const typeNamed = (name: string) => dataTypes.find((one: { name: string }) => one.name === name);
  assert.deepEqual(typeNamed("Box"), {
    name: "Box",
    parameters: ["a"],
    record: [
      { name: "content", type: { parameter: "a" } },
      { name: "price", type: { builtin: "Numeric", arguments: [{ number: 10 }] } },
    ],
  });
  assert.deepEqual(typeNamed("Shape").variant, [
    { name: "Circle", type: { builtin: "Int" } },
    { name: "Other", type: { defined: "Main:Colour" } },
  ]);
  assert.deepEqual(typeNamed("Colour").enum, ["Red", "Green"]);
  assert.deepEqual(typeNamed("Holding"), { name: "Holding", parameters: [] });
  assert.deepEqual(typeNamed("Uses").record, [
    { name: "thing", type: { defined: "Elsewhere:Thing", packageId: foreign.packageId } },
    { name: "prices", type: { defined: "Main:Prices" } },
  ]);
});
