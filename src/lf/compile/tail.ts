/**
 * Expressions in tail position, as statements that end in `return` or, for a call of the function itself, in the next
 * iteration of its loop.
 */
import type { Expr } from "../ast.js";
import { unapply } from "./application-form.js";
import type { Body } from "./body.js";
import { bindPattern, emitScrutinee, localOf, patternTest } from "./control.js";
import type { Mode } from "./definition.js";
import { Environment, type Scope } from "./environment.js";
import { emitGrownReturn, emitGrowth, isGrowingCell } from "./growing-list.js";
import { isSelfCall } from "./self-call.js";
import { emitRunBlock } from "./update.js";
import { emitWaiting, waitingHole } from "./waiting-call.js";

export const emitTail = (body: Body, scope: Scope, expr: Expr, mode: Mode): string => {
  switch (expr.kind) {
    case "let":
      return emitLetTail(body, scope, expr, mode);
    case "case":
      return emitCaseTail(body, scope, expr, mode);
    case "app":
    case "tyApp":
      return emitSelfCall(body, scope, expr, mode) ?? emitWaitingCall(body, scope, expr) ?? emitReturn(body, scope, expr, mode);
    case "update":
      if (mode === "run" && expr.update.kind === "block") return emitRunBlock(body, scope, expr.update);
      if (mode === "run" && expr.update.kind === "embed") return emitTail(body, scope, expr.update.expr, mode);
      return emitReturn(body, scope, expr, mode);
    case "cons":
      if (body.list === undefined || !isGrowingCell(body, expr)) return emitReturn(body, scope, expr, mode);
      return `${emitGrowth(body, scope, body.list, expr.front)} ${emitSelfCall(body, scope, expr.tail, mode)!}`;
    default:
      return emitReturn(body, scope, expr, mode);
  }
};

const emitReturn = (body: Body, scope: Scope, expr: Expr, mode: Mode): string => {
  const code = body.emit(scope, expr, mode);
  if (body.waiting !== undefined) return `${body.waiting.result} = ${code}; break;`;
  return body.list === undefined ? `return ${code};` : emitGrownReturn(body, body.list, code);
};

const emitWaitingCall = (body: Body, scope: Scope, expr: Expr): string | undefined => {
  const hole = body.waiting && waitingHole(body, expr);
  return hole && `${emitWaiting(body, scope, body.waiting!, expr, hole)} ${emitSelfCall(body, scope, hole, "value")!}`;
};

const emitLetTail = (body: Body, scope: Scope, expr: Extract<Expr, { kind: "let" }>, mode: Mode): string => {
  let inner = scope;
  const statements: string[] = [];
  for (const { binder, bound } of expr.bindings) {
    const name = body.unit.fresh();
    statements.push(`const ${name} = ${body.emit(inner, bound, "value")};`);
    inner = Environment.bind(inner, binder.name, localOf(name, bound));
  }
  return `${statements.join(" ")} ${emitTail(body, inner, expr.body, mode)}`;
};

const emitCaseTail = (body: Body, scope: Scope, expr: Extract<Expr, { kind: "case" }>, mode: Mode): string => {
  const { bind, subject } = emitScrutinee(body, scope, expr);
  const last = expr.alternatives.length - 1;
  const branches = expr.alternatives.map(({ pattern, body: result }, index) => {
    const statements: string[] = [];
    const inner = bindPattern(body, scope, pattern, subject, (read) => {
      const local = body.unit.fresh();
      statements.push(`const ${local} = ${read};`);
      return local;
    });
    const branch = `${statements.join(" ")} ${emitTail(body, inner, result, mode)}`;
    return index === last ? branch : `if (${patternTest(body, pattern, subject)}) { ${branch} }`;
  });
  // An inline scrutinee is the last thing of its branch, so the block keeps its constants apart.
  return `${bind === undefined ? "" : `${subject} = ${bind}; `}${branches.join(" ")}`;
};

const emitSelfCall = (body: Body, scope: Scope, expr: Expr, mode: Mode): string | undefined => {
  if (!isSelfCall(body, expr, mode)) return undefined;
  const { parameters, locals } = body.self!;
  body.unit.count();
  body.loops = true;
  // Arguments read the locals of this iteration, so the parameters can be set one after the other.
  const assignments = unapply(expr).args.map((arg, index) => {
    const code = body.emit(scope, arg, "value");
    return code === locals[index] ? "" : `${parameters[index]!} = ${code};`;
  });
  return `${assignments.reverse().join(" ")} continue;`;
};
