/** A small package of serialisable types, written as an AST. */
import type { DataCons, DefDataType, DefTypeSyn, DefinitionId, Package, Type } from "../../../src/lf/ast.js";
import { PackageInterface } from "../../../src/lf/package-interface.js";
import { ValueTypes } from "../../../src/lf/conversion/index.js";

export const packageId = "a".repeat(64);
export const id = (name: string): DefinitionId => ({ packageId, module: "Main", name });
export const con = (name: string, ...args: Type[]): Type => apply({ kind: "con", id: id(name) }, ...args);
export const apply = (fun: Type, ...args: Type[]): Type => args.reduce<Type>((f, arg) => ({ kind: "app", fun: f, arg }), fun);
const builtin = (name: Extract<Type, { kind: "builtin" }>["builtin"]): Type => ({ kind: "builtin", builtin: name });
export const variable = (name: string): Type => ({ kind: "var", name });

export const [unitT, boolT, int64T, dateT, timestampT, partyT, textT] = (
  ["UNIT", "BOOL", "INT64", "DATE", "TIMESTAMP", "PARTY", "TEXT"] as const
).map(builtin) as [Type, Type, Type, Type, Type, Type, Type];
export const numericT = (scale: number): Type => apply(builtin("NUMERIC"), { kind: "nat", value: scale });
export const optionalT = (element: Type): Type => apply(builtin("OPTIONAL"), element);
export const listT = (element: Type): Type => apply(builtin("LIST"), element);
export const textMapT = (value: Type): Type => apply(builtin("TEXTMAP"), value);
export const genMapT = (key: Type, value: Type): Type => apply(builtin("GENMAP"), key, value);
export const contractIdT = (of: Type): Type => apply(builtin("CONTRACT_ID"), of);
export const functionT = apply(builtin("ARROW"), int64T, int64T);

const record = (fields: Readonly<Record<string, Type>>): DataCons => ({
  kind: "record",
  fields: Object.entries(fields).map(([name, type]) => ({ name, type })),
});
const variant = (constructors: Readonly<Record<string, Type>>): DataCons => ({
  kind: "variant",
  constructors: Object.entries(constructors).map(([name, type]) => ({ name, type })),
});
const star = { kind: "star" } as const;
const data = (name: string, params: readonly string[], cons: DataCons, serializable = true): [string, DefDataType] => [
  name,
  { name, params: params.map((param) => ({ name: param, kind: star })), serializable, cons },
];

const dataTypes = new Map([
  data("Point", [], record({ x: int64T, y: int64T })),
  data("Person", [], record({ name: textT, age: optionalT(int64T), note: optionalT(textT) })),
  data("Box", ["a"], record({ content: variable("a"), maybe: optionalT(variable("a")) })),
  data("Tree", ["a"], variant({ Tip: unitT, Node: con("Branch", variable("a")) })),
  data("Branch", ["a"], record({ left: con("Tree", variable("a")), value: variable("a"), right: con("Tree", variable("a")) })),
  data("Pair", ["a", "b"], record({ fst: variable("a"), snd: variable("b") })),
  data("Perfect", ["a"], variant({ Zero: variable("a"), Succ: con("Perfect", con("Pair", variable("a"), variable("a"))) })),
  data("Nest", [], variant({ End: unitT, More: con("Nest") })),
  data("Colour", [], { kind: "enum", constructors: ["Red", "Green"] }),
  data("Function", [], record({ run: functionT }), false),
]);
const synonyms = new Map<string, DefTypeSyn>([
  ["Ints", { name: "Ints", params: [], type: listT(int64T) }],
  ["Twice", { name: "Twice", params: [{ name: "a", kind: star }], type: con("Pair", variable("a"), variable("a")) }],
]);

const mainPackage: Package = {
  id: packageId,
  name: "types",
  version: "1.0.0",
  lfVersion: "2.1",
  directDependencies: new Set(),
  modules: new Map([
    ["Main", { name: "Main", dataTypes, synonyms, values: new Map(), templates: new Map(), interfaces: new Map(), exceptions: new Map() }],
  ]),
};

export const valueTypes = (): ValueTypes =>
  new ValueTypes(new PackageInterface({ getPackage: (wanted) => (wanted === packageId ? mainPackage : undefined) }));
