/**
 * `go n = n + go (n - 1)`: what waits for the call of the function itself needs a few values, not a frame of the stack. The outermost
 * call puts them aside; when the recursion ends, the waiting expressions are evaluated from the innermost outwards. The values are
 * in arrays of one size, since V8 copies one that grows, and zeroes what is large.
 */
import { assert } from "../../base/assert.js";
import type { Expr } from "../ast.js";
import { runnableBuiltin } from "../builtins.js";
import { unapply } from "./application-form.js";
import { Body } from "./body.js";
import { Environment, type Scope } from "./environment.js";
import type { Site, WaitingCalls } from "./loops.js";
import { isSelfCall } from "./self-call.js";
import { waitingValuesMax } from "../runtime/index.js";
import { tailExpressions } from "./tail-expressions.js";

export const waitingCalls = (body: Body, expr: Expr): WaitingCalls | undefined => {
  const count = tailExpressions(expr).filter((each) => waitingHole(body, each) !== undefined).length;
  const [values, full, result, depth] = [0, 1, 2, 3].map(() => body.unit.fresh()) as [string, string, string, string];
  return count === 0 ? undefined : { values, count: depth, full, result, sites: new Map(), several: count > 1 };
};

/** The call of the function itself that an application waits for, if nothing else in it matters when it is evaluated. */
export const waitingHole = (body: Body, expr: Expr): Expr | undefined => {
  const { head, args } = unapply(expr);
  if (args.length === 0 || isSelfCall(body, expr, "value")) return undefined;
  if (!(head.kind === "builtin" && runnableBuiltin(head.builtin) !== undefined) && !body.emission.orderFree.test(head)) return undefined;
  const inner = args.filter((arg) => !body.emission.orderFree.test(arg));
  if (inner.length !== 1) return undefined;
  return isSelfCall(body, inner[0]!, "value") ? inner[0] : waitingHole(body, inner[0]!);
};

/** Puts the values aside; the call is the next iteration. */
export const emitWaiting = (body: Body, scope: Scope, waiting: WaitingCalls, expr: Expr, hole: Expr): string => {
  let site = waiting.sites.get(expr);
  if (site === undefined) {
    site = emitSite(body, scope, waiting, expr, hole);
    waiting.sites.set(expr, site);
  }
  const aside = site.names.map((name) => Environment.lookup(scope, name).code);
  if (waiting.several || aside.length === 0) aside.push(String(site.index));
  const { values, count, full } = waiting;
  const next = `if (${values} === undefined) ${values} = []; else if (${count} > ${waitingValuesMax - aside.length}) { ${full} = ${body.unit.helper("setAside")}(${full}, ${values}, ${count}); ${values} = new Array(${waitingValuesMax}); ${count} = 0; }`;
  return `${next} ${aside.map((code) => `${values}[${count}++] = ${code};`).join(" ")}`;
};

/** No name of a package. */
const holeName = " ";

const emitSite = (body: Body, scope: Scope, waiting: WaitingCalls, expr: Expr, hole: Expr): Site => {
  const inner = new Body(body.emission, undefined, undefined);
  const locals = new Map<string, string>();
  let renamed: Scope;
  for (const name of Environment.visible(scope)) {
    const code = body.unit.fresh();
    locals.set(name, code);
    // Without its arity: where the expression is shared, the name may be bound to another value.
    renamed = Environment.bind(renamed, name, { code });
  }
  const code = inner.emit(Environment.bind(renamed, holeName, { code: waiting.result }), withoutHole(body, expr, hole), "value");
  const used = new Set(code.match(/\bv\d+\b/g));
  const names = [...locals.keys()].filter((name) => used.has(locals.get(name)!));
  body.allocate(inner.allocations);
  const popped = [...names].reverse().map((name) => `const ${locals.get(name)!} = ${waiting.values}[--${waiting.count}];`);
  return { index: waiting.sites.size, names, code: `${inner.declarations()} ${popped.join(" ")} ${waiting.result} = ${code};` };
};

/** What is free of order does not hold the call, and need not be walked. */
const withoutHole = (body: Body, expr: Expr, hole: Expr): Expr => {
  if (expr === hole) return { kind: "var", name: holeName };
  if (body.emission.orderFree.test(expr)) return expr;
  const inner = (each: Expr): Expr => withoutHole(body, each, hole);
  if (expr.kind === "app") return { ...expr, fun: inner(expr.fun), args: expr.args.map(inner) };
  return expr.kind === "tyApp" ? { ...expr, expr: inner(expr.expr) } : expr;
};

export const waitingVariables = ({ values, count, full, result }: WaitingCalls): string =>
  `let ${values}, ${count} = 0, ${full}, ${result};`;

/** After the loop. */
export const emitUnwinding = ({ values, count, full, result, sites, several }: WaitingCalls): string => {
  const all = [...sites.values()];
  assert(all.length > 0 && (several || all.length === 1), "the sites are those that were counted");
  const marker = several || all[0]!.names.length === 0 ? `const site = ${values}[--${count}];` : "";
  const choice = several ? all.map(({ index, code }) => `if (site === ${index}) { ${code} }`).join(" else ") : `{ ${all[0]!.code} }`;
  return `for (;;) { while (${count} > 0) { ${marker} ${choice} } if (${full} === undefined || ${full}.length === 0) return ${result}; ${count} = ${full}.pop(); ${values} = ${full}.pop(); }`;
};
