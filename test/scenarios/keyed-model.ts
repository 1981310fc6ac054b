/** Templates with keys, and who may use them by their keys for another: the package `keyed` of Daml-LF 2.3. */
import { stablePackageIds } from "../../src/lf/archive/index.js";
import type { DefinitionId, Expr, Type } from "../../src/lf/ast.js";
import { buildDar, buildPackage, expr, ModuleBuilder, type, type FieldOfThis } from "../support/lf-builder.js";

const keyed = new ModuleBuilder("Keyed");
const id = (name: string): DefinitionId => keyed.id(name);
const contractOf = (template: string): Type => type.contractId(type.con(id(template)));
const parties =
  (...names: string[]) =>
  (self: FieldOfThis): readonly Expr[] =>
    names.map(self);
const done = expr.pure(type.unit, expr.unit);

const name = keyed.record("Name", { owner: type.party, name: type.text });
const nameOf = (owner: Expr, named: Expr): Expr => expr.record(name, { owner, name: named });
const ownersOfNames = expr.lambda({ key: type.con(name) }, expr.list(type.party, expr.field(name, "owner", expr.variable("key"))));

/** Nobody but its owner has a stake in it. */
const named = keyed.template("Named", {
  fields: { owner: type.party, name: type.text },
  signatories: parties("owner"),
  key: {
    type: type.con(name),
    key: nameOf(expr.field(id("Named"), "owner", expr.variable("this")), expr.field(id("Named"), "name", expr.variable("this"))),
    maintainers: ownersOfNames,
  },
  choices: {
    /** For whoever names itself. */
    Greet: {
      fields: { by: type.party },
      returns: type.text,
      consuming: false,
      controllers: () => [expr.field(id("Greet"), "by", expr.variable("arg"))],
      update: (self) => expr.pure(type.text, self("name")),
    },
    Close: { fields: {}, returns: type.unit, controllers: parties("owner"), update: () => done },
  },
});

const found = (template: DefinitionId): Type =>
  type.con(
    { packageId: stablePackageIds["DA.Types"], module: "DA.Types", name: "Tuple2" },
    type.contractId(type.con(template)),
    type.con(template),
  );
const fetchByKey = (template: DefinitionId, key: Expr): Expr => expr.apply(expr.update({ kind: "fetchByKey", template }), key);
const queryByKey = (template: DefinitionId, key: Expr): Expr =>
  expr.apply(expr.update({ kind: "queryNByKey", template }), expr.int64(1n), key);
/** Whether there is one. */
const find = (key: Expr, template = named): Expr =>
  expr.block(
    [expr.bind("answer", type.optional(type.list(found(template))), queryByKey(template, key))],
    expr.match(
      expr.variable("answer"),
      { pattern: { kind: "none" }, body: expr.pure(type.bool, expr.bool(false)) },
      {
        pattern: { kind: "some", body: "those" },
        body: expr.match(
          expr.variable("those"),
          { pattern: { kind: "nil" }, body: expr.pure(type.bool, expr.bool(false)) },
          { pattern: { kind: "default" }, body: expr.pure(type.bool, expr.bool(true)) },
        ),
      },
    ),
  );
const write = (owner: Expr, named_: Expr): Expr => expr.create(named, expr.record(named, { owner, name: named_ }));
const written = (owner: Expr, named_: Expr, then: Expr): Expr =>
  expr.block([expr.bind("written", contractOf("Named"), write(owner, named_))], then);
const fetched = (key: Expr, template = named): Expr => expr.block([expr.bind("one", found(template), fetchByKey(template, key))], done);

const ofDelegate = (fields: Readonly<Record<string, Type>>, returns: Type, update: (self: FieldOfThis, arg: FieldOfThis) => Expr) => ({
  fields,
  returns,
  consuming: false,
  controllers: parties("delegate"),
  update,
});
const byName = { name: type.text };

/** The delegate may do with what the owner named as the owner may. */
keyed.template("Delegation", {
  fields: { owner: type.party, delegate: type.party },
  signatories: parties("owner"),
  observers: parties("delegate"),
  choices: {
    FetchById: ofDelegate({ named: contractOf("Named") }, type.con(named), (_, arg) => expr.fetch(named, arg("named"))),
    FetchByName: ofDelegate(byName, type.unit, (self, arg) => fetched(nameOf(self("owner"), arg("name")))),
    FindByName: ofDelegate(byName, type.bool, (self, arg) => find(nameOf(self("owner"), arg("name")))),
    Write: ofDelegate(byName, contractOf("Named"), (self, arg) => write(self("owner"), arg("name"))),
    WriteAndFetch: ofDelegate(byName, type.unit, (self, arg) =>
      written(self("owner"), arg("name"), fetched(nameOf(self("owner"), arg("name")))),
    ),
    WriteAndFind: ofDelegate(byName, type.bool, (self, arg) =>
      written(self("owner"), arg("name"), find(nameOf(self("owner"), arg("name")))),
    ),
  },
});

/** Looks for any key with its owner's authority alone. */
keyed.template("Searcher", {
  fields: { who: type.party },
  signatories: parties("who"),
  choices: {
    Find: {
      fields: { owner: type.party, name: type.text },
      returns: type.bool,
      consuming: false,
      controllers: parties("who"),
      update: (_, arg) => find(nameOf(arg("owner"), arg("name"))),
    },
  },
});

/** Who is asked gives away what is named. */
keyed.template("Proposal", {
  fields: { from: type.party, to: type.party },
  signatories: parties("from"),
  observers: parties("to"),
  choices: {
    Accept: {
      fields: { named: contractOf("Named") },
      returns: contractOf("Named"),
      controllers: parties("to"),
      update: (self, arg) =>
        expr.block(
          [
            expr.bind("given", type.con(named), expr.fetch(named, arg("named"))),
            expr.bind("closed", type.unit, expr.exercise(named, "Close", arg("named"), expr.record(id("Close"), {}))),
          ],
          write(self("from"), expr.field(named, "name", expr.variable("given"))),
        ),
    },
  },
});

const depth = keyed.variant("Depth", { Bottom: type.unit, Under: type.con(id("Depth")) }),
  place = keyed.record("Place", { owner: type.party, depth: type.con(depth) }),
  int64 = (name: "EQUAL" | "SUB_INT64", left: Expr, right: Expr): Expr =>
    expr.apply(name === "EQUAL" ? expr.applyTypes(expr.builtin(name), type.int64) : expr.builtin(name), left, right);
keyed.value(
  "depthOf",
  type.arrow(type.int64, type.con(depth)),
  expr.lambda(
    { levels: type.int64 },
    expr.match(
      int64("EQUAL", expr.variable("levels"), expr.int64(0n)),
      { pattern: { kind: "bool", value: true }, body: expr.variant(depth, "Bottom", expr.unit) },
      {
        pattern: { kind: "default" },
        body: expr.variant(
          depth,
          "Under",
          expr.apply(expr.value(id("depthOf")), int64("SUB_INT64", expr.variable("levels"), expr.int64(1n))),
        ),
      },
    ),
  ),
);
const placeOf = (owner: Expr, levels: Expr): Expr => expr.record(place, { owner, depth: expr.apply(expr.value(id("depthOf")), levels) });
const ofSunken = (field: string): Expr => expr.field(id("Sunken"), field, expr.variable("this"));
/** Its key is nested by as many levels as it says, and two more. */
const sunken = keyed.template("Sunken", {
  fields: { owner: type.party, levels: type.int64 },
  signatories: parties("owner"),
  key: {
    type: type.con(place),
    key: placeOf(ofSunken("owner"), ofSunken("levels")),
    maintainers: expr.lambda({ key: type.con(place) }, expr.list(type.party, expr.field(place, "owner", expr.variable("key")))),
  },
});
const dive = (returns: Type, update: (owner: Expr, levels: Expr) => Expr) => ({
  fields: { levels: type.int64 },
  returns,
  consuming: false,
  controllers: parties("owner"),
  update: (self: FieldOfThis, arg: FieldOfThis) => update(self("owner"), arg("levels")),
});
keyed.template("Diver", {
  fields: { owner: type.party },
  signatories: parties("owner"),
  choices: {
    Sink: dive(contractOf("Sunken"), (owner, levels) => expr.create(sunken, expr.record(sunken, { owner, levels }))),
    FindSunken: dive(type.bool, (owner, levels) => find(placeOf(owner, levels), sunken)),
    FetchSunken: dive(type.unit, (owner, levels) => fetched(placeOf(owner, levels), sunken)),
  },
});

/** Its maintainer is no signatory. */
keyed.template("NotMine", {
  fields: { owner: type.party, other: type.party },
  signatories: parties("owner"),
  key: {
    type: type.con(name),
    key: nameOf(expr.field(id("NotMine"), "other", expr.variable("this")), expr.text("not mine")),
    maintainers: ownersOfNames,
  },
});

export const keyedDar = buildDar(buildPackage({ name: "keyed", version: "1.0.0", modules: [keyed], minor: "3" }));
/** Template names as commands take them. */
export const keyedTemplate = (template: string): string => `#keyed:Keyed:${template}`;
