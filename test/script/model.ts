/** A model for scripts of tests: contracts that can be moved, seen through an interface, and made to fail in most ways. */
import type { Archive } from "../../src/lf/archive/index.js";
import type { DefinitionId } from "../../src/lf/ast.js";
import { buildPackage, expr, ModuleBuilder, type } from "../support/lf-builder.js";

export interface Model {
  readonly archive: Archive;
  id(name: string): DefinitionId;
}

/** The interface has a package of its own, so that versions of the model share it. */
export const holdingApi = (() => {
  const module = new ModuleBuilder("Api"),
    view = module.record("View", { holder: type.party });
  module.interface("Holding", { view: type.con(view) });
  const archive = buildPackage({ name: "model-api", version: "1.0.0", modules: [module] });
  const id = (name: string): DefinitionId => ({ packageId: archive.id, module: "Api", name });
  return { archive, id };
})();

/** Version 2 has an optional field more. */
export function buildModel(version: 1 | 2 = 1): Model {
  const module = new ModuleBuilder("Main");
  const view = holdingApi.id("View"),
    holding = holdingApi.id("Holding");
  const note = version === 1 ? {} : { note: type.optional(type.text) };
  const noNote = version === 1 ? {} : { note: expr.none(type.text) };
  const iou = module.id("Iou"),
    unitUpdate = type.update(type.unit);
  module.template("Iou", {
    fields: { issuer: type.party, owner: type.party, amount: type.int64, ...note },
    signatories: (self) => [self("issuer")],
    observers: (self) => [self("owner")],
    precondition: (self) => expr.apply(expr.applyTypes(expr.builtin("GREATER"), type.int64), self("amount"), expr.int64(0n)),
    implements: [
      { interface: holding, methods: new Map(), view: expr.record(view, { holder: expr.field(iou, "owner", expr.variable("this")) }) },
    ],
    choices: {
      Transfer: {
        fields: { to: type.party },
        returns: type.contractId(type.con(iou)),
        controllers: (self) => [self("owner")],
        update: (self, arg) =>
          expr.create(iou, expr.record(iou, { issuer: self("issuer"), owner: arg("to"), amount: self("amount"), ...noNote })),
      },
      Spend: { fields: {}, returns: type.unit, controllers: (self) => [self("owner")], update: () => expr.pure(type.unit, expr.unit) },
      Look: {
        fields: {},
        returns: type.int64,
        consuming: false,
        controllers: (self) => [self("owner")],
        update: (self) => expr.pure(type.int64, self("amount")),
      },
      Abort: {
        fields: { why: type.text },
        returns: type.unit,
        controllers: (self) => [self("issuer")],
        update: (_, arg) => expr.apply(expr.applyTypes(expr.builtin("ERROR"), unitUpdate), arg("why")),
      },
      Compare: {
        fields: {},
        returns: type.bool,
        controllers: (self) => [self("issuer")],
        update: () => {
          const f = expr.lambda({ x: type.int64 }, expr.variable("x"));
          return expr.pure(type.bool, expr.apply(expr.applyTypes(expr.builtin("EQUAL"), type.arrow(type.int64, type.int64)), f, f));
        },
      },
      Both: {
        fields: { other: type.contractId(type.con(iou)) },
        returns: type.unit,
        controllers: (self) => [self("owner")],
        update: (_, arg) => expr.block([expr.bind("seen", type.con(iou), expr.fetch(iou, arg("other")))], expr.pure(type.unit, expr.unit)),
      },
      Read: {
        fields: { other: type.contractId(type.con(iou)) },
        returns: type.unit,
        consuming: false,
        controllers: (self) => [self("owner")],
        update: (self, arg) => expr.exercise(iou, "Glance", arg("other"), expr.record(module.id("Glance"), { by: self("owner") })),
      },
      // For whoever was shown the contract.
      Glance: {
        fields: { by: type.party },
        returns: type.unit,
        consuming: false,
        controllers: () => [expr.field(module.id("Glance"), "by", expr.variable("arg"))],
        update: () => expr.pure(type.unit, expr.unit),
      },
      Hash: {
        fields: { hex: type.text },
        returns: type.text,
        controllers: (self) => [self("issuer")],
        update: (_, arg) => expr.pure(type.text, expr.apply(expr.builtin("SHA256_HEX"), arg("hex"))),
      },
    },
  });
  module.template("Plain", {
    fields: { owner: type.party },
    signatories: (self) => [self("owner")],
    choices: {
      Poke: { fields: {}, returns: type.unit, controllers: (self) => [self("owner")], update: () => expr.pure(type.unit, expr.unit) },
    },
  });
  const archive = buildPackage({ name: "model", version: `${version}.0.0`, modules: [module] });
  return { archive, id: (name) => ({ packageId: archive.id, module: "Main", name }) };
}
