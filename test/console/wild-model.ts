/** Packages whose contracts, transactions and names are larger, or worse, than anybody would have them. */
import { selfPackageId } from "../../src/lf/index.js";
import type { Expr } from "../../src/lf/ast.js";
import { buildDar, buildPackage, expr, ModuleBuilder, type } from "../support/lf-builder.js";

const wild = new ModuleBuilder("Wild"),
  { int64, text, party, unit } = type;
const view = wild.record("View", { shown: text, more: type.list(text) }),
  looks = wild.interface("Looks", { view: type.con(view) });
const kind = wild.variant("Kind", { Known: text, Unknown: unit });
const thing = wild.id("Thing"),
  split = wild.id("Split");
const isZero = (number: Expr): Expr => expr.apply(expr.applyTypes(expr.builtin("EQUAL"), int64), number, expr.int64(0n));
const half = (number: Expr): Expr =>
  expr.exercise(
    thing,
    "Split",
    expr.variable("self"),
    expr.record(split, { depth: expr.apply(expr.builtin("SUB_INT64"), number, expr.int64(1n)) }),
  );

wild.template("Thing", {
  fields: {
    owner: party,
    text,
    list: type.list(text),
    map: type.textMap(text),
    pairs: type.genMap(text, text),
    kind: type.con(kind),
    maybe: type.optional(text),
  },
  signatories: (self) => [self("owner")],
  choices: {
    Say: {
      fields: { word: text },
      returns: text,
      consuming: false,
      controllers: (self) => [self("owner")],
      update: (_, arg) => expr.pure(text, arg("word")),
    },
    // 2^(depth + 1) - 1 nodes, its own among them.
    Split: {
      fields: { depth: int64 },
      returns: unit,
      consuming: false,
      controllers: (self) => [self("owner")],
      update: (_, arg) =>
        expr.match(
          isZero(arg("depth")),
          { pattern: { kind: "bool", value: true }, body: expr.pure(unit, expr.unit) },
          {
            pattern: { kind: "default" },
            body: expr.block(
              [expr.bind("one", unit, half(arg("depth"))), expr.bind("other", unit, half(arg("depth")))],
              expr.pure(unit, expr.unit),
            ),
          },
        ),
    },
  },
  implements: [
    {
      interface: { packageId: selfPackageId, module: wild.name, name: looks.name },
      methods: new Map(),
      view: expr.record(view, {
        shown: expr.field(thing, "text", expr.variable("this")),
        more: expr.field(thing, "list", expr.variable("this")),
      }),
    },
  ],
});

export const wildDar = buildDar(buildPackage({ name: "wild", version: "1.0.0", modules: [wild] }));
export const wildTemplate = "#wild:Wild:Thing";

/** Many templates, in modules of a hundred. */
export function manyTemplates(number: number): Uint8Array {
  const modules = Array.from({ length: Math.ceil(number / 100) }, (_, at) => {
    const module = new ModuleBuilder(`Many.Part${at}`);
    for (let index = 0; index < Math.min(100, number - at * 100); index++)
      module.template(`Template${index}`, { fields: { owner: party, note: text }, signatories: (self) => [self("owner")] });
    return module;
  });
  return buildDar(buildPackage({ name: "many", version: "1.0.0", modules }));
}
