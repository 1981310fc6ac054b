/** Types as the rules write them: built from parts, and taken apart again. */
import type { BuiltinType, DefinitionId, FieldWithType, Kind, Type, TypeConApp, TypeVarWithKind } from "./type.js";

export const star: Kind = { kind: "star" };
export const nat: Kind = { kind: "nat" };
export const kindArrow = (param: Kind, result: Kind): Kind => ({ kind: "arrow", param, result });

export const variable = (name: string): Type => ({ kind: "var", name });
export const constructor_ = (id: DefinitionId): Type => ({ kind: "con", id });
export const natural = (value: number): Type => ({ kind: "nat", value });
export const apply = (fun: Type, ...args: readonly Type[]): Type =>
  args.reduce<Type>((applied, arg) => ({ kind: "app", fun: applied, arg }), fun);
export const applied = ({ id, args }: TypeConApp): Type => apply(constructor_(id), ...args);
export const forall = (binder: TypeVarWithKind, body: Type): Type => ({ kind: "forall", binder, body });
export const struct = (fields: readonly FieldWithType[]): Type => ({ kind: "struct", fields });

/** One object per builtin type, so that comparing usually ends at identity. */
const builtins = new Map<BuiltinType, Type>();
export function builtin(name: BuiltinType, ...args: readonly Type[]): Type {
  let head = builtins.get(name);
  if (head === undefined) builtins.set(name, (head = { kind: "builtin", builtin: name }));
  return apply(head, ...args);
}

export const unit = builtin("UNIT");
export const bool = builtin("BOOL");
export const int64 = builtin("INT64");
export const text = builtin("TEXT");
export const party = builtin("PARTY");
export const date = builtin("DATE");
export const timestamp = builtin("TIMESTAMP");
export const any = builtin("ANY");
export const anyException = builtin("ANY_EXCEPTION");
export const typeRep = builtin("TYPE_REP");
export const failureCategory = builtin("FAILURE_CATEGORY");
export const roundingMode = builtin("ROUNDING_MODE");
export const bigNumeric = builtin("BIGNUMERIC");
export const numeric = (scale: Type): Type => builtin("NUMERIC", scale);
export const list = (element: Type): Type => builtin("LIST", element);
export const optional = (element: Type): Type => builtin("OPTIONAL", element);
export const textMap = (value: Type): Type => builtin("TEXTMAP", value);
export const genMap = (key: Type, value: Type): Type => builtin("GENMAP", key, value);
export const contractId = (of: Type): Type => builtin("CONTRACT_ID", of);
export const update = (result: Type): Type => builtin("UPDATE", result);
export const parties = list(party);
/** A function of one or more parameters: the last type is the result. */
export const fn = (...types: readonly [Type, ...Type[]]): Type => types.reduceRight((result, param) => builtin("ARROW", param, result));

/** The parts of `param -> result`. */
export function asFunction(type: Type): { readonly param: Type; readonly result: Type } | undefined {
  if (type.kind !== "app" || type.fun.kind !== "app") return undefined;
  const { fun: head, arg: param } = type.fun;
  return head.kind === "builtin" && head.builtin === "ARROW" ? { param, result: type.arg } : undefined;
}

/** The argument of a builtin type of one parameter. */
export const argumentOf = (name: BuiltinType, type: Type): Type | undefined =>
  type.kind === "app" && type.fun.kind === "builtin" && type.fun.builtin === name ? type.arg : undefined;

/** A type constructor and what it is applied to. */
export function asConstructor(type: Type): TypeConApp | undefined {
  const args: Type[] = [];
  let head = type;
  for (; head.kind === "app"; head = head.fun) args.push(head.arg);
  return head.kind === "con" ? { id: head.id, args: args.reverse() } : undefined;
}
