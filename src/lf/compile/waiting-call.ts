/**
 * `go n = n + go (n - 1)`: what waits for the call of the function itself needs a few values, not a frame of the stack. They go onto
 * an array of the outermost call; when the recursion ends, the waiting expressions are evaluated from the innermost outwards.
 */
import { assert } from "../../base/assert.js";
import type { Expr } from "../ast.js";
import { unapply } from "./application-form.js";
import { Body } from "./body.js";
import { builtins } from "./builtin-table.js";
import { Environment, type Scope } from "./environment.js";
import { emit } from "./expression.js";
import { isSelfCall } from "./self-call.js";
import { tailExpressions } from "./tail-expressions.js";

export interface WaitingCalls {
  /** The array of values. */
  readonly stack: string;
  /** What the inner call gave. */
  readonly result: string;
  readonly sites: Map<Expr, Site>;
  /** Whether the array must tell the sites apart. */
  readonly several: boolean;
}

/** One expression that waits: code that takes its values from the array and sets the result. */
interface Site { readonly index: number; readonly names: readonly string[]; readonly code: string }

export const waitingCalls = (body: Body, expr: Expr): WaitingCalls | undefined => {
  const count = tailExpressions(expr).filter((each) => waitingHole(body, each) !== undefined).length;
  return count === 0 ? undefined : { stack: body.unit.fresh(), result: body.unit.fresh(), sites: new Map(), several: count > 1 };
};

/** The call of the function itself that an application waits for, if nothing else in it matters when it is evaluated. */
export const waitingHole = (body: Body, expr: Expr): Expr | undefined => {
  const { head, args } = unapply(expr);
  if (args.length === 0 || isSelfCall(body, expr, "value")) return undefined;
  if (!(head.kind === "builtin" && builtins.has(head.builtin)) && !body.emission.orderFree.test(head)) return undefined;
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
  const values = [...site.names.map((name) => Environment.lookup(scope, name).code), ...(waiting.several || site.names.length === 0 ? [String(site.index)] : [])].join(", ");
  return `if (${waiting.stack} === undefined) ${waiting.stack} = [${values}]; else if (${waiting.stack}.push(${values}) > ${body.unit.helper("recursionDepthMax")}) ${body.unit.helper("exceeded")}("recursionDepthMax");`;
};

/** No name of a package. */
const holeName = " ";

const emitSite = (body: Body, scope: Scope, waiting: WaitingCalls, expr: Expr, hole: Expr): Site => {
  const inner = new Body(body.emission, undefined, undefined);
  const locals = new Map<string, string>();
  let renamed: Scope;
  for (const { name, local } of Environment.visible(scope)) {
    const code = body.unit.fresh();
    locals.set(name, code);
    renamed = Environment.bind(renamed, name, { ...local, code });
  }
  const code = emit(inner, Environment.bind(renamed, holeName, { code: waiting.result }), withoutHole(expr, hole), "value");
  const used = new Set(code.match(/\bv\d+\b/g));
  const names = [...locals.keys()].filter((name) => used.has(locals.get(name)!));
  body.allocate(inner.allocations);
  const popped = [...names].reverse().map((name) => `const ${locals.get(name)!} = ${waiting.stack}[--index];`);
  return { index: waiting.sites.size, names, code: `${inner.declarations()} ${popped.join(" ")} ${waiting.result} = ${code};` };
};

const withoutHole = (expr: Expr, hole: Expr): Expr => {
  if (expr === hole) return { kind: "var", name: holeName };
  if (expr.kind === "app") return { ...expr, fun: withoutHole(expr.fun, hole), args: expr.args.map((arg) => withoutHole(arg, hole)) };
  return expr.kind === "tyApp" ? { ...expr, expr: withoutHole(expr.expr, hole) } : expr;
};

/** After the loop. */
export const emitUnwinding = ({ stack, result, sites, several }: WaitingCalls): string => {
  const all = [...sites.values()];
  assert(all.length > 0 && all.every((site) => several || site.index === 0), "the sites are those that were counted");
  const marker = several || all[0]!.names.length === 0;
  const choice = several ? all.map(({ index, code }) => `if (site === ${index}) { ${code} }`).join(" else ") : `{ ${all[0]!.code} }`;
  return `if (${stack} !== undefined) for (let index = ${stack}.length; index > 0;) { ${marker ? `const site = ${stack}[--index];` : ""} ${choice} } return ${result};`;
};
