/**
 * An interface, and templates of two packages that implement it: a square, whose view fails where its side is zero, and a
 * circle, of a package that is uploaded later, and has ellipses in its next version. Their packages are `shapes-api`, `squares` and
 * `circles`; of squares there are versions.
 */
import { buildDar, buildPackage, expr, ModuleBuilder, type, type FieldOfThis } from "../support/lf-builder.js";
import type { DefinitionId, Expr } from "../../src/lf/ast.js";

const api = new ModuleBuilder("Shapes");
const view = api.record("ShapeView", { sides: type.int64, perSide: type.int64 });
const shape = api.interface("Shape", { view: type.con(view) });
const apiPackage = buildPackage({ name: "shapes-api", version: "1.0.0", modules: [api] });
const inApi = (id: DefinitionId): DefinitionId => ({ ...id, packageId: apiPackage.id });

type View = Readonly<Record<"sides" | "perSide", Expr>>;
/** `templates`: by the module that each is in. */
function shapesOf(
  packageName: string,
  templates: Readonly<Record<string, string>>,
  viewOf: (side: Expr) => View,
  version = "1.0.0",
): Uint8Array {
  const done = expr.pure(type.unit, expr.unit),
    choice = { fields: {}, returns: type.unit, controllers: (self: FieldOfThis) => [self("owner")], update: () => done };
  const modules = Object.entries(templates).map(([name, template]) => {
    const module = new ModuleBuilder(name);
    module.template(template, {
      fields: { owner: type.party, viewer: type.party, side: type.int64 },
      signatories: (self) => [self("owner")],
      observers: (self) => [self("viewer")],
      choices: { Erase: choice, Trace: { ...choice, consuming: false } },
      implements: [
        {
          interface: inApi(shape),
          methods: new Map(),
          view: expr.record(inApi(view), viewOf(expr.field(module.id(template), "side", expr.variable("this")))),
        },
      ],
    });
    return module;
  });
  return buildDar(buildPackage({ name: packageName, version, modules }), [apiPackage]);
}

const hundred = expr.int64(100n);
/** Versions differ in how many sides they say that a square has. */
export const squaresOfVersion = (version: string, sides: bigint): Uint8Array =>
  shapesOf(
    "squares",
    { Shapes: "Square" },
    (side) => ({ sides: expr.int64(sides), perSide: expr.apply(expr.builtin("DIV_INT64"), hundred, side) }),
    version,
  );
export const squaresDar = squaresOfVersion("1.0.0", 4n);
const round = (side: Expr): View => ({ sides: expr.int64(0n), perSide: side });
export const circlesDar = shapesOf("circles", { Shapes: "Circle" }, round);
export const ellipsesDar = shapesOf("circles", { Shapes: "Circle", Ellipses: "Ellipse" }, round, "1.1.0");
export const square = "#squares:Shapes:Square",
  circle = "#circles:Shapes:Circle",
  ellipse = "#circles:Ellipses:Ellipse",
  anyShape = "#shapes-api:Shapes:Shape";
