/**
 * Packages that need each other, for what vetting lets commands do. `parts` implements an interface of `parts-api`; `benches`
 * makes tools of the version of `tools` that it was built with; `benches` 1.2.0 is as 1.1.0, with a choice that says so.
 */
import { buildDar, buildPackage, expr, ModuleBuilder, type } from "../support/lf-builder.js";
import type { Archive } from "../../src/lf/archive/index.js";
import type { DefinitionId, Expr, TemplateChoice } from "../../src/lf/ast.js";

const imported = (archive: Archive, id: DefinitionId): DefinitionId => ({ ...id, packageId: archive.id });
const owned = { fields: { owner: type.party }, signatories: (self: (field: string) => Expr) => [self("owner")] };
const byOwner = { fields: {}, consuming: false, controllers: (self: (field: string) => Expr) => [self("owner")] };
const me = expr.variable("this"),
  unitUpdate = expr.pure(type.unit, expr.unit);

const api = new ModuleBuilder("Api");
const touch = api.record("Touch", { by: type.party }),
  view = api.record("View", { owner: type.party });
const touchChoice: TemplateChoice = {
  name: "Touch",
  consuming: false,
  selfBinder: "self",
  argBinder: { name: "arg", type: type.con(touch) },
  returnType: type.unit,
  controllers: expr.list(type.party, expr.field(touch, "by", expr.variable("arg"))),
  observers: expr.list(type.party),
  authorizers: undefined,
  update: unitUpdate,
};
const part = api.interface("Part", { view: type.con(view), choices: { Touch: touchChoice } });
export const apiPackage = buildPackage({ name: "parts-api", version: "1.0.0", modules: [api] });

/** A part, and a hand that touches or fetches parts as the interface shows them. Version 1.1.0 has a part with a note. */
function partsOf(version: string): Archive {
  const module = new ModuleBuilder("Parts"),
    bolt = module.id("Bolt"),
    anyPart = imported(apiPackage, part);
  const note = version === "1.0.0" ? {} : { note: type.optional(type.text) };
  module.template("Bolt", {
    ...owned,
    fields: { ...owned.fields, ...note },
    implements: [
      { interface: anyPart, methods: new Map(), view: expr.record(imported(apiPackage, view), { owner: expr.field(bolt, "owner", me) }) },
    ],
  });
  const partArgument = { ...byOwner, fields: { part: type.contractId(type.con(anyPart)) }, returns: type.unit };
  module.template("Hand", {
    ...owned,
    choices: {
      TouchPart: {
        ...partArgument,
        update: (self, arg) =>
          expr.update({
            kind: "exerciseInterface",
            interface: anyPart,
            choice: "Touch",
            contractId: arg("part"),
            arg: expr.record(imported(apiPackage, touch), { by: self("owner") }),
          }),
      },
      FetchPart: {
        ...partArgument,
        update: (_, arg) =>
          expr.block(
            [expr.bind("found", type.con(anyPart), expr.update({ kind: "fetchInterface", interface: anyPart, contractId: arg("part") }))],
            unitUpdate,
          ),
      },
    },
  });
  return buildPackage({ name: "parts", version, modules: [module] });
}

function toolsOf(version: string): Archive {
  const module = new ModuleBuilder("Tools");
  module.template("Tool", owned);
  if (version !== "1.0.0") module.record("Label", { text: type.text });
  return buildPackage({ name: "tools", version, modules: [module] });
}

function benchesOf(version: string, tools: Archive): Archive {
  const module = new ModuleBuilder("Benches"),
    tool = imported(tools, new ModuleBuilder("Tools").id("Tool"));
  module.template("Bench", {
    ...owned,
    choices: {
      MakeTool: {
        ...byOwner,
        returns: type.contractId(type.con(tool)),
        update: (self) => expr.create(tool, expr.record(tool, { owner: self("owner") })),
      },
      ...(version === "1.2.0" ? { Look: { ...byOwner, returns: type.unit, update: () => unitUpdate } } : {}),
    },
  });
  return buildPackage({ name: "benches", version, modules: [module] });
}

export const [parts1, parts2] = [partsOf("1.0.0"), partsOf("1.1.0")] as const;
export const [tools1, tools2] = [toolsOf("1.0.0"), toolsOf("1.1.0")] as const;
export const [benches1, benches2, benches3] = [benchesOf("1.0.0", tools1), benchesOf("1.1.0", tools2), benchesOf("1.2.0", tools2)] as const;
export const dars = {
  parts1: buildDar(parts1, [apiPackage]),
  parts2: buildDar(parts2, [apiPackage]),
  benches1: buildDar(benches1, [tools1]),
  benches2: buildDar(benches2, [tools2]),
  benches3: buildDar(benches3, [tools2]),
};
