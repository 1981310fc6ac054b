/** Code that holds no other expression. */
import type { Expr, Type } from "../ast.js";
import { type BuiltinName, runnableBuiltin } from "../builtins.js";
import type { Body } from "./body.js";
import { emitBuiltinFunction } from "./builtin.js";

/** Runs an update value. */
export const run = (body: Body, update: string): string => `${update}(${body.machine!})`;

export const emitBuiltinValue = (body: Body, name: BuiltinName, types: readonly Type[]): string => {
  const builtin = runnableBuiltin(name);
  if (builtin === undefined) return emitUnsupported(body, name);
  if (builtin.arity === 0) return body.unit.helper(builtin.helper);
  return emitBuiltinFunction(body, name, types) ?? body.unit.constant(body.linker.builtinFunction(name));
};

/** Code that fails when it is reached: the rest of the package must stay usable. */
export const emitUnsupported = (body: Body, name: string): string => `${body.unit.helper("unsupported")}(${JSON.stringify(name)})`;

export const emitMissing = (body: Body, kind: string, id: Extract<Expr, { kind: "val" }>["id"]): string =>
  `${body.unit.helper("missing")}(${JSON.stringify(kind)}, ${body.unit.constant(body.linker.canonicalId(id))})`;
