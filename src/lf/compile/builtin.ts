/** Saturated builtins: the runtime's function, or a faster form where the type argument allows it. */
import type { BuiltinType, Type } from "../ast.js";
import { type BuiltinName, runnableBuiltin } from "../builtins.js";
import type { MapBuiltins } from "../runtime/index.js";
import type { Runtime } from "./runtime.js";
import { emitArithmetic } from "./arithmetic.js";
import { Body } from "./body.js";
import { emitFold } from "./fold.js";

export const emitBuiltinCall = (body: Body, name: BuiltinName, types: readonly Type[], args: readonly string[]): string =>
  emitInPlace(body, name, types, args) ?? emitFold(body, name, args) ?? emitCall(body, runnableBuiltin(name)!.helper, args);

const emitInPlace = (body: Body, name: BuiltinName, types: readonly Type[], args: readonly string[]): string | undefined =>
  emitArithmetic(body, name, args) ?? emitComparison(body, name, types[0], args) ?? emitMapOperation(body, name, types[0], args);

/** A builtin as a value, if it has a faster form: a function of this place. */
export const emitBuiltinFunction = (body: Body, name: BuiltinName, types: readonly Type[]): string | undefined => {
  const { arity } = runnableBuiltin(name)!;
  const parameters = Array.from({ length: arity }, () => body.unit.fresh());
  const inner = new Body(body.emission, undefined, undefined);
  const code = emitInPlace(inner, name, types, parameters);
  return (
    code
    && body.unit.site(
      `${body.unit.helper("withArity")}(${arity}, (${parameters.join(", ")}) => { ${inner.declarations()} return ${code}; })`,
    )
  );
};

const emitCall = (body: Body, helper: keyof Runtime, args: readonly string[]): string => `${body.unit.helper(helper)}(${args.join(", ")})`;

const operators: Readonly<Record<string, string>> = { EQUAL: "===", LESS: "<", LESS_EQ: "<=", GREATER: ">", GREATER_EQ: ">=" };

/** Types whose JavaScript operators agree with the language: parties are ASCII, so UTF-16 order is right for them. */
const nativeTypes: ReadonlySet<BuiltinType> = new Set(["INT64", "TIMESTAMP", "DATE", "BOOL", "PARTY", "FAILURE_CATEGORY"]);

const emitComparison = (body: Body, name: BuiltinName, type: Type | undefined, [left, right]: readonly string[]): string | undefined => {
  const operator = operators[name];
  const builtin = operator && builtinType(body, type);
  if (builtin === undefined || builtin === "") return undefined;
  if (nativeTypes.has(builtin) || (builtin === "TEXT" && name === "EQUAL")) return `(${left!} ${operator!} ${right!})`;
  if (builtin === "TEXT") return `(${body.unit.helper("compareText")}(${left!}, ${right!}) ${operator!} 0)`;
  if (builtin === "NUMERIC") return `(${left!}.digits ${operator!} ${right!}.digits)`;
  return undefined;
};

const mapOperations: Readonly<Record<string, keyof MapBuiltins>> = {
  GENMAP_INSERT: "insert",
  GENMAP_LOOKUP: "lookup",
  GENMAP_DELETE: "delete",
};

/** A key whose type holds no function needs no check, and a map of its type its own code. */
const emitMapOperation = (body: Body, name: BuiltinName, type: Type | undefined, args: readonly string[]): string | undefined => {
  const operation = mapOperations[name];
  const key = operation === undefined || type === undefined ? undefined : body.linker.closedType(type);
  if (key === undefined || !body.linker.isSerializable(key)) return undefined;
  return `${body.unit.constant(body.linker.mapBuiltins(key)[operation!])}(${args.join(", ")})`;
};

/** The builtin type at the head of a type, if that is what it is. */
const builtinType = (body: Body, type: Type | undefined): BuiltinType | undefined => {
  let head = type && body.linker.closedType(type);
  while (head?.kind === "app") head = head.fun;
  return head?.kind === "builtin" ? head.builtin : undefined;
};
