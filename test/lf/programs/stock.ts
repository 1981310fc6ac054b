/**
 * A package in two versions that programs use both of: a contract of the one is fetched and used as one of the other. In the second
 * everything is larger that an upgrade may make larger.
 */
import { decodePackage, selfPackageId } from "../../../src/lf/archive/index.js";
import type { DefinitionId, Type } from "../../../src/lf/ast.js";
import { buildPackage, expr, ModuleBuilder, type } from "../../support/lf-builder.js";

const moduleName = "Stock";
export type StockVersion = 1 | 2;

/** As the module itself names them. */
function modelOf(version: StockVersion) {
  const module = new ModuleBuilder(moduleName),
    id = (name: string): Type => type.con(module.id(name));
  const onlyLater = <T extends object>(more: T): T | object => (version === 2 ? more : {});
  const records: Readonly<Record<string, Readonly<Record<string, Type>>>> = {
    Detail: { n: type.int64, t: type.text, ...onlyLater({ extra: type.optional(type.int64) }) },
    Stock: {
      owner: type.party,
      detail: id("Detail"),
      kinds: type.list(id("Kind")),
      shades: type.genMap(id("Shade"), type.optional(id("Detail"))),
      ...onlyLater({ note: type.optional(id("Kind")) }),
    },
    Read: { by: id("Kind"), ...onlyLater({ also: type.optional(id("Shade")) }) },
  };
  const kinds = { Small: type.int64, Large: id("Detail"), ...onlyLater({ Huge: type.list(type.text) }) } as Readonly<Record<string, Type>>,
    shades = ["Light", "Dark", ...(version === 2 ? ["Black"] : [])];
  module.record("Detail", records["Detail"]!);
  module.variant("Kind", kinds);
  module.enum("Shade", shades);
  module.template("Stock", {
    fields: records["Stock"]!,
    signatories: (self) => [self("owner")],
    choices: {
      Read: {
        fields: records["Read"]!,
        returns: id("Kind"),
        consuming: false,
        controllers: (self) => [self("owner")],
        update: (self, arg) =>
          expr.pure(
            id("Kind"),
            expr.match(
              self("kinds"),
              { pattern: { kind: "nil" }, body: arg("by") },
              { pattern: { kind: "cons", head: "first", tail: "others" }, body: expr.variable("first") },
            ),
          ),
      },
    },
  });
  return { module, records, kinds, shades };
}

const archiveOf = (name: string, version: StockVersion) =>
  buildPackage({ name, version: `${version}.0.0`, modules: [modelOf(version).module] });

/** Another model has another name: nodes keep a version as they first saw it. */
const packageName = `programs-stock-${archiveOf("stock", 1).id.slice(0, 8)}${archiveOf("stock", 2).id.slice(0, 8)}`;

export const stockArchives = ([1, 2] as const).map((version) => archiveOf(packageName, version));
export const stockPackages = stockArchives.map(({ id, payload }) => decodePackage(id, payload).ok!);

export const stockId = (version: StockVersion, name: string): DefinitionId => ({
  packageId: stockArchives[version - 1]!.id,
  module: moduleName,
  name,
});

/** A type of the package itself as other packages name it. */
function fromOutside(of: Type, packageId: string): Type {
  if (of.kind === "con") return of.id.packageId === selfPackageId ? type.con({ ...of.id, packageId }) : of;
  return of.kind === "app" ? { kind: "app", fun: fromOutside(of.fun, packageId), arg: fromOutside(of.arg, packageId) } : of;
}

/** The types of a version as others name them. */
export function stockData(version: StockVersion) {
  const { records, kinds, shades } = modelOf(version),
    { id: packageId } = stockArchives[version - 1]!;
  const named = (parts: Readonly<Record<string, Type>>): Readonly<Record<string, Type>> =>
    Object.fromEntries(Object.entries(parts).map(([name, of]) => [name, fromOutside(of, packageId)]));
  return {
    records: Object.fromEntries(Object.entries(records).map(([name, fields]) => [name, named(fields)])),
    kinds: named(kinds),
    shades,
  };
}
