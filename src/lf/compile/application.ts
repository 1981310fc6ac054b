/** Application: direct calls where the function and its arity are known, one `apply` where they are not. */
import type { Expr, Type } from "../ast.js";
import { type BuiltinName, runnableBuiltin } from "../builtins.js";
import { unabstract } from "./application-form.js";
import type { Body } from "./body.js";
import { emitBuiltinCall } from "./builtin.js";
import { callOf } from "./call.js";
import type { Definition, Mode } from "./definition.js";
import { Environment, type Scope } from "./environment.js";
import { emitBuiltinValue, emitUnsupported, run } from "./leaf.js";
import { emitOperands } from "./operand.js";
import { emitRemainder } from "./remainder.js";
import { inOrder, sequence } from "./sequence.js";
import { emitByKey } from "./update.js";

export const emitApplication = (body: Body, scope: Scope, expr: Expr, mode: Mode): string => {
  const { head, args, types } = callOf(body.linker, expr);
  if (args.length === 0)
    return head.kind === "builtin" ? inMode(body, emitBuiltinValue(body, head.builtin, types), mode) : body.emit(scope, head, mode);
  switch (head.kind) {
    case "val":
      return emitGlobalCall(body, scope, head, args, mode);
    case "builtin":
      return inMode(body, emitBuiltin(body, scope, head.builtin, types, args), mode);
    case "abs":
    case "tyAbs":
      return emitRedex(body, scope, head, args, mode);
    case "var":
      return inMode(body, emitLocalCall(body, scope, head, args), mode);
    case "update": {
      const call = emitByKey(body, scope, head.update, args, mode);
      return call ?? inMode(body, emitUnknownCall(body, scope, head, args), mode);
    }
    default:
      return inMode(body, emitUnknownCall(body, scope, head, args), mode);
  }
};

const inMode = (body: Body, code: string, mode: Mode): string => (mode === "run" ? run(body, code) : code);

/** Any function: itself evaluated last, after its arguments. */
const emitUnknownCall = (body: Body, scope: Scope, head: Expr, args: readonly Expr[]): string => {
  const { prefix, parts } = inOrder(body, scope, [head, ...args]);
  return sequence(prefix, emitApply(body, parts[0]!, parts.slice(1)));
};

/** Calls a function of as many arguments at once; the runtime knows what to do with any other. */
const emitApply = (body: Body, callee: string, args: readonly string[]): string => {
  if (args.length === 0) return callee;
  if (args.length > appliedMax) return `${body.unit.helper("applyMany")}(${callee}, [${args.join(", ")}])`;
  const {
    prefix,
    names: [f, ...rest],
  } = emitOperands(body, [callee, ...args]);
  const list = rest.join(", ");
  return sequence(
    prefix,
    `(${f!}.arity === ${rest.length === 1 ? "undefined" : rest.length} ? ${f!}(${list}) : ${body.unit.helper(appliers[rest.length]!)}(${f!}, ${list}))`,
  );
};

const appliers: Readonly<Record<number, "apply1" | "apply2" | "apply3">> = { 1: "apply1", 2: "apply2", 3: "apply3" };
const appliedMax = 3;

const emitGlobalCall = (body: Body, scope: Scope, head: Extract<Expr, { kind: "val" }>, args: readonly Expr[], mode: Mode): string => {
  const definition = body.linker.definition(head.id);
  const arity = definition?.arity ?? 0;
  if (definition === undefined || arity === 0 || args.length < arity) return inMode(body, emitUnknownCall(body, scope, head, args), mode);
  const { prefix, parts } = inOrder(body, scope, args, arity);
  const direct = parts.slice(0, arity);
  if (args.length > arity)
    return inMode(
      body,
      sequence(prefix, emitApply(body, `${callee(body, definition, "value")}(${direct.join(", ")})`, parts.slice(arity))),
      mode,
    );
  return sequence(prefix, `${callee(body, definition, mode)}(${(mode === "run" ? [...direct, body.machine!] : direct).join(", ")})`);
};

/** The code of a definition; inside its own unit that is the function which the unit defines. */
const callee = (body: Body, definition: Definition, mode: Mode): string => {
  if (body.emission.self?.definition === definition && body.emission.self.mode === mode) return "self";
  return `${body.unit.constant(definition)}.${mode === "run" ? "r" : "f"}`;
};

const emitBuiltin = (body: Body, scope: Scope, name: BuiltinName, types: readonly Type[], args: readonly Expr[]): string => {
  const builtin = runnableBuiltin(name);
  if (builtin === undefined) return emitUnsupported(body, name);
  if (args.length < builtin.arity) return emitUnknownCall(body, scope, { kind: "builtin", builtin: name }, args);
  const remainder = emitRemainder(body, scope, name, args);
  if (remainder !== undefined) return remainder;
  const { prefix, parts } = inOrder(body, scope, args, builtin.arity);
  return sequence(prefix, emitApply(body, emitBuiltinCall(body, name, types, parts.slice(0, builtin.arity)), parts.slice(builtin.arity)));
};

const emitLocalCall = (body: Body, scope: Scope, head: Extract<Expr, { kind: "var" }>, args: readonly Expr[]): string => {
  const local = Environment.lookup(scope, head.name);
  if (local.arity !== args.length) return emitUnknownCall(body, scope, head, args);
  const { prefix, parts } = inOrder(body, scope, args);
  return sequence(prefix, `${local.code}(${parts.join(", ")})`);
};

/** `(\x y -> e) a b` binds and goes on. */
const emitRedex = (body: Body, scope: Scope, head: Expr, args: readonly Expr[], mode: Mode): string => {
  const { params, body: result } = unabstract(head);
  if (params.length !== args.length) return inMode(body, emitUnknownCall(body, scope, head, args), mode);
  const { prefix, parts } = inOrder(body, scope, args);
  let inner = scope;
  const assignments = params.map((param, index) => {
    const name = body.temporary();
    inner = Environment.bind(inner, param.name, { code: name });
    return `${name} = ${parts[index]!}`;
  });
  return `(${[...prefix, ...assignments, body.emit(inner, result, mode)].join(", ")})`;
};
