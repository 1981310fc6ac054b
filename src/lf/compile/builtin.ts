/** Saturated builtins: the runtime's function, or a faster form where the type argument allows it. */
import type { BuiltinType, Type } from "../ast.js";
import type { Runtime } from "./runtime.js";
import type { Body } from "./body.js";
import { builtins } from "./builtin-table.js";

export const emitBuiltinCall = (body: Body, name: string, types: readonly Type[], args: readonly string[]): string =>
  emitComparison(body, name, types[0], args) ?? emitMapOperation(body, name, types[0], args) ?? emitCall(body, builtins.get(name)!.helper, args);

const emitCall = (body: Body, helper: keyof Runtime, args: readonly string[]): string => `${body.unit.helper(helper)}(${args.join(", ")})`;

const operators: Readonly<Record<string, string>> = { EQUAL: "===", LESS: "<", LESS_EQ: "<=", GREATER: ">", GREATER_EQ: ">=" };

/** Types whose JavaScript operators agree with the language: parties are ASCII, so UTF-16 order is right for them. */
const nativeTypes: ReadonlySet<BuiltinType> = new Set(["INT64", "TIMESTAMP", "DATE", "BOOL", "PARTY", "FAILURE_CATEGORY"]);

const emitComparison = (body: Body, name: string, type: Type | undefined, [left, right]: readonly string[]): string | undefined => {
  const operator = operators[name];
  const builtin = operator && builtinType(body, type);
  if (builtin === undefined || builtin === "") return undefined;
  if (nativeTypes.has(builtin) || (builtin === "TEXT" && name === "EQUAL")) return `(${left!} ${operator!} ${right!})`;
  if (builtin === "TEXT") return `(${body.unit.helper("compareText")}(${left!}, ${right!}) ${operator!} 0)`;
  if (builtin === "NUMERIC") return `(${left!}.digits ${operator!} ${right!}.digits)`;
  return undefined;
};

const comparators: Readonly<Partial<Record<BuiltinType, keyof Runtime>>> = { INT64: "compareIntegers", TIMESTAMP: "compareIntegers", TEXT: "compareText", PARTY: "compareText" };
const mapOperations: Readonly<Record<string, keyof Runtime>> = { GENMAP_INSERT: "insertBy", GENMAP_LOOKUP: "lookupBy", GENMAP_DELETE: "deleteBy" };

/** A key whose type holds no function needs no check, and the simple ones have their own order. */
const emitMapOperation = (body: Body, name: string, type: Type | undefined, args: readonly string[]): string | undefined => {
  const helper = mapOperations[name];
  const key = helper === undefined || type === undefined ? undefined : body.linker.closedType(type);
  if (key === undefined || !body.linker.isSerializable(key)) return undefined;
  const comparator = (key.kind === "builtin" && comparators[key.builtin]) || "compare";
  return emitCall(body, helper!, [body.unit.helper(comparator), ...args]);
};

/** The builtin type at the head of a type, if that is what it is. */
const builtinType = (body: Body, type: Type | undefined): BuiltinType | undefined => {
  let head = type && body.linker.closedType(type);
  while (head?.kind === "app") head = head.fun;
  return head?.kind === "builtin" ? head.builtin : undefined;
};
