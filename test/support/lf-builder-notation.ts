/** Types and expressions of Daml-LF in a short form, for packages that tests assemble. */
import type { Alternative, Binding, BuiltinType, DefinitionId, Expr, FieldWithExpr, Type, Update, VarWithType } from "../../src/lf/ast.js";
import type { BuiltinName } from "../../src/lf/builtins.js";

export const apply = (fun: Type, ...args: readonly Type[]): Type =>
  args.reduce<Type>((applied, arg) => ({ kind: "app", fun: applied, arg }), fun);
const builtinType = (builtin: BuiltinType, ...args: readonly Type[]): Type => apply({ kind: "builtin", builtin }, ...args);

export const type = {
  unit: builtinType("UNIT"),
  bool: builtinType("BOOL"),
  int64: builtinType("INT64"),
  text: builtinType("TEXT"),
  party: builtinType("PARTY"),
  date: builtinType("DATE"),
  timestamp: builtinType("TIMESTAMP"),
  any: builtinType("ANY"),
  numeric: (scale: number): Type => builtinType("NUMERIC", { kind: "nat", value: scale }),
  list: (element: Type): Type => builtinType("LIST", element),
  optional: (element: Type): Type => builtinType("OPTIONAL", element),
  textMap: (value: Type): Type => builtinType("TEXTMAP", value),
  genMap: (key: Type, value: Type): Type => builtinType("GENMAP", key, value),
  contractId: (of: Type): Type => builtinType("CONTRACT_ID", of),
  update: (result: Type): Type => builtinType("UPDATE", result),
  arrow: (...types: readonly [Type, ...Type[]]): Type => types.reduceRight((result, param) => builtinType("ARROW", param, result)),
  variable: (name: string): Type => ({ kind: "var", name }),
  con: (id: DefinitionId, ...args: readonly Type[]): Type => apply({ kind: "con", id }, ...args),
  forall: (name: string, body: Type): Type => ({ kind: "forall", binder: { name, kind: { kind: "star" } }, body }),
};

const fieldsOf = (fields: Readonly<Record<string, Expr>>): FieldWithExpr[] =>
  Object.entries(fields).map(([name, expr]) => ({ name, expr }));
const update = (update_: Update): Expr => ({ kind: "update", update: update_ });

export const expr = {
  unit: { kind: "unit" } as Expr,
  bool: (value: boolean): Expr => ({ kind: "bool", value }),
  int64: (value: bigint): Expr => ({ kind: "lit", value: { kind: "int64", value } }),
  text: (value: string): Expr => ({ kind: "lit", value: { kind: "text", value } }),
  numeric: (unscaled: bigint, scale: number): Expr => ({ kind: "lit", value: { kind: "numeric", unscaled, scale } }),
  variable: (name: string): Expr => ({ kind: "var", name }),
  value: (id: DefinitionId): Expr => ({ kind: "val", id }),
  builtin: (builtin: BuiltinName): Expr => ({ kind: "builtin", builtin }),
  apply: (fun: Expr, ...args: readonly Expr[]): Expr => ({ kind: "app", fun, args }),
  applyTypes: (fun: Expr, ...types: readonly Type[]): Expr => ({ kind: "tyApp", expr: fun, types }),
  lambda: (params: Readonly<Record<string, Type>>, body: Expr): Expr => ({
    kind: "abs",
    params: Object.entries(params).map(([name, type_]): VarWithType => ({ name, type: type_ })),
    body,
  }),
  bind: (name: string, type_: Type, bound: Expr): Binding => ({ binder: { name, type: type_ }, bound }),
  let: (bindings: readonly Binding[], body: Expr): Expr => ({ kind: "let", bindings, body }),
  match: (scrutinee: Expr, ...alternatives: readonly Alternative[]): Expr => ({ kind: "case", scrutinee, alternatives }),
  record: (id: DefinitionId, fields: Readonly<Record<string, Expr>>, ...args: readonly Type[]): Expr => ({
    kind: "recCon",
    type: { id, args },
    fields: fieldsOf(fields),
  }),
  field: (id: DefinitionId, field: string, record: Expr, ...args: readonly Type[]): Expr => ({
    kind: "recProj",
    type: { id, args },
    field,
    record,
  }),
  variant: (id: DefinitionId, constructor_: string, arg: Expr, ...args: readonly Type[]): Expr => ({
    kind: "variantCon",
    type: { id, args },
    constructor_,
    arg,
  }),
  enum: (id: DefinitionId, constructor_: string): Expr => ({ kind: "enumCon", id, constructor_ }),
  none: (element: Type): Expr => ({ kind: "none", type: element }),
  some: (element: Type, value: Expr): Expr => ({ kind: "some", type: element, value }),
  list: (element: Type, ...front: readonly Expr[]): Expr => {
    const nil: Expr = { kind: "nil", type: element };
    return front.length === 0 ? nil : { kind: "cons", type: element, front, tail: nil };
  },
  pure: (type_: Type, value: Expr): Expr => update({ kind: "pure", type: type_, expr: value }),
  block: (bindings: readonly Binding[], body: Expr): Expr => update({ kind: "block", bindings, body }),
  create: (template: DefinitionId, arg: Expr): Expr => update({ kind: "create", template, arg }),
  fetch: (template: DefinitionId, contractId: Expr): Expr => update({ kind: "fetch", template, contractId }),
  exercise: (template: DefinitionId, choice: string, contractId: Expr, arg: Expr): Expr =>
    update({ kind: "exercise", template, choice, contractId, arg }),
  update,
};
