/**
 * Updates. Building one evaluates what the specification says of update expressions; running it does the effect. In mode `run` both
 * happen at once, so no closure is made.
 */
import { assert } from "../../base/assert.js";
import type { Binding, Expr, Update } from "../ast.js";
import { Body } from "./body.js";
import type { Mode } from "./definition.js";
import { Environment, type Scope } from "./environment.js";
import { inOrder, sequence } from "./sequence.js";

export const emitUpdate = (body: Body, scope: Scope, update: Update, mode: Mode): string => {
  switch (update.kind) {
    case "pure":
      return mode === "run"
        ? body.emit(scope, update.expr, "value")
        : `${body.unit.helper("pure")}(${body.emit(scope, update.expr, "value")})`;
    case "block":
      return mode === "run" ? emitRunBlockExpression(body, scope, update) : emitBuiltBlock(body, scope, update);
    case "create":
      return emitEffect(body, scope, mode, "create", [id(body, update.template)], [update.arg]);
    case "exercise":
      return emitEffect(
        body,
        scope,
        mode,
        "exercise",
        [id(body, update.template), JSON.stringify(update.choice)],
        [update.contractId, update.arg],
      );
    case "exerciseInterface":
      return emitExerciseInterface(body, scope, update, mode);
    case "exerciseByKey":
      return emitEffect(
        body,
        scope,
        mode,
        "exerciseByKey",
        [id(body, update.template), JSON.stringify(update.choice)],
        [update.key, update.arg],
      );
    case "fetch":
      return emitEffect(body, scope, mode, "fetch", [id(body, update.template)], [update.contractId]);
    case "fetchInterface":
      return emitEffect(body, scope, mode, "fetchInterface", [id(body, update.interface)], [update.contractId]);
    case "getTime":
      return mode === "run" ? `${body.machine!}.getTime()` : body.unit.helper("getTime");
    case "ledgerTimeLt":
      return emitEffect(body, scope, mode, "ledgerTimeLt", [], [update.time]);
    case "fetchByKey":
    case "lookupByKey":
    case "queryNByKey":
      return emitByKeyFunction(body, update, mode);
    case "createInterface":
    case "embed":
    case "tryCatch":
      return mode === "run" ? emitRunDelayed(body, scope, update) : delayed(body, scope, update);
  }
};

type Effect =
  | "create"
  | "exercise"
  | "exerciseInterface"
  | "exerciseByKey"
  | "fetch"
  | "fetchInterface"
  | "ledgerTimeLt"
  | "fetchByKey"
  | "lookupByKey"
  | "queryNByKey";

const id = (body: Body, definition: Parameters<typeof body.linker.canonicalId>[0]): string =>
  body.unit.constant(body.linker.canonicalId(definition));

/** The machine's method and the runtime's builder have the same name and the same arguments. */
const emitEffect = (body: Body, scope: Scope, mode: Mode, effect: Effect, fixed: readonly string[], args: readonly Expr[]): string => {
  const { prefix, parts } = inOrder(body, scope, args);
  const list = [...fixed, ...parts].join(", ");
  if (mode === "run") return sequence(prefix, `${body.machine!}.${effect}(${list})`);
  body.allocate(1);
  return sequence(prefix, `${body.unit.helper(effect)}(${list})`);
};

const emitExerciseInterface = (body: Body, scope: Scope, update: Extract<Update, { kind: "exerciseInterface" }>, mode: Mode): string => {
  const fixed = [id(body, update.interface), JSON.stringify(update.choice)];
  if (update.guard === undefined) return emitEffect(body, scope, mode, "exerciseInterface", fixed, [update.contractId, update.arg]);
  const { prefix, parts } = inOrder(body, scope, [update.contractId, update.arg, update.guard]);
  const built = sequence(prefix, `${body.unit.helper("exerciseInterface")}(${[...fixed, ...parts].join(", ")})`);
  return mode === "run" ? `${built}(${body.machine!})` : built;
};

/** By-key updates are functions of the key, and of the count before it for a query. */
export const emitByKey = (body: Body, scope: Scope, update: Update, args: readonly Expr[], mode: Mode): string | undefined => {
  if (update.kind !== "fetchByKey" && update.kind !== "lookupByKey" && update.kind !== "queryNByKey") return undefined;
  const arity = update.kind === "queryNByKey" ? 2 : 1;
  return args.length === arity ? emitEffect(body, scope, mode, update.kind, [id(body, update.template)], args) : undefined;
};

const emitByKeyFunction = (
  body: Body,
  update: Extract<Update, { kind: "fetchByKey" | "lookupByKey" | "queryNByKey" }>,
  mode: Mode,
): string => {
  assert(mode === "value", "a function is not an update");
  const builder = body.unit.helper(update.kind);
  const key = body.unit.fresh();
  const template = id(body, update.template);
  if (update.kind !== "queryNByKey") return `((${key}) => ${builder}(${template}, ${key}))`;
  const count = body.unit.fresh();
  return `${body.unit.helper("withArity")}(2, (${count}, ${key}) => ${builder}(${template}, ${count}, ${key}))`;
};

/** Everything waits until the update runs. */
const delayed = (body: Body, scope: Scope, update: Update): string => {
  body.allocate(1);
  return `(${body.emitFunction(scope, { params: [], body: { kind: "update", update }, mode: "run" })})`;
};

const emitRunDelayed = (body: Body, scope: Scope, update: Extract<Update, { kind: "createInterface" | "embed" | "tryCatch" }>): string => {
  switch (update.kind) {
    case "createInterface":
      return `${body.machine!}.createInterface(${id(body, update.interface)}, ${body.emit(scope, update.arg, "value")})`;
    case "embed":
      return body.emit(scope, update.expr, "run");
    case "tryCatch": {
      const attempt = emitClosure(body, scope, update.body);
      const handler = body.emitFunction(scope, { params: [update.binder], body: update.handler, mode: "value" });
      return `${body.machine!}.tryCatch(${attempt}, ${handler})`;
    }
  }
};

/** `() => ...` that runs an update on the machine of the surrounding body. */
const emitClosure = (body: Body, scope: Scope, update: Expr): string => {
  const inner = new Body(body.emission, body.machine, undefined);
  const statements = inner.emitTail(scope, update, "run");
  return `() => { ${inner.prologue()} ${statements} }`;
};

type Block = Extract<Update, { readonly kind: "block" }>;

const emitRunBlockExpression = (body: Body, scope: Scope, block: Block): string => {
  let inner = scope;
  const assignments: string[] = [];
  for (const { binder, bound } of block.bindings) {
    const name = body.temporary();
    assignments.push(`${name} = ${body.emit(inner, bound, "run")}`);
    inner = Environment.bind(inner, binder.name, { code: name });
  }
  return `(${[...assignments, body.emit(inner, block.body, "run")].join(", ")})`;
};

/** The same in tail position. */
export const emitRunBlock = (body: Body, scope: Scope, block: Block): string => emitBindings(body, scope, block.bindings, block.body);

const emitBindings = (body: Body, scope: Scope, bindings: readonly Binding[], result: Expr): string => {
  let inner = scope;
  const statements: string[] = [];
  for (const { binder, bound } of bindings) {
    const name = body.unit.fresh();
    statements.push(`const ${name} = ${body.emit(inner, bound, "run")};`);
    inner = Environment.bind(inner, binder.name, { code: name });
  }
  return `${statements.join(" ")} ${body.emitTail(inner, result, "run")}`;
};

/** Building a block builds its first update; if nobody can tell when that happens, it waits with the rest. */
const emitBuiltBlock = (body: Body, scope: Scope, block: Block): string => {
  const [first, ...rest] = block.bindings as [Binding, ...Binding[]];
  if (body.emission.orderFree.test(first.bound)) return delayed(body, scope, block);
  body.allocate(2);
  const built = body.emit(scope, first.bound, "value");
  const update = body.unit.fresh();
  const machine = body.unit.fresh();
  const inner = new Body(body.emission, machine, undefined);
  const name = body.unit.fresh();
  const statements = emitBindings(inner, Environment.bind(scope, first.binder.name, { code: name }), rest, block.body);
  const continuation = `(${update}, ${machine}) => { ${inner.prologue()} const ${name} = ${update}(${machine}); ${statements} }`;
  return `${body.unit.helper("block")}(${built}, ${continuation})`;
};
