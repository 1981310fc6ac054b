/** The language evaluates arguments from right to left, JavaScript from left to right. */
import type { Expr } from "../ast.js";
import type { Body } from "./body.js";
import type { Scope } from "./environment.js";

export interface Ordered {
  /** Assignments to evaluate first. */
  readonly prefix: readonly string[];
  /** One expression per argument, to be used in this order. */
  readonly parts: readonly string[];
}

/**
 * Emits expressions so that they are evaluated from right to left. The leftmost one that matters comes last, so it may
 * stay where it is used, if its index is below `inPlaceEnd`: what stands there must be evaluated before anything else
 * happens. The others go through temporaries.
 */
export const inOrder = (body: Body, scope: Scope, exprs: readonly Expr[], inPlaceEnd = exprs.length): Ordered => {
  const matters = exprs.map((expr) => !body.emission.orderFree.test(expr));
  const last = matters.indexOf(true);
  const prefix: string[] = [];
  const parts: string[] = [];
  for (let index = exprs.length - 1; index >= 0; index -= 1) {
    const code = body.emit(scope, exprs[index]!, "value");
    if (!matters[index] || (index === last && index < inPlaceEnd)) {
      parts[index] = code;
      continue;
    }
    const temporary = body.temporary();
    prefix.push(`${temporary} = ${code}`);
    parts[index] = temporary;
  }
  return { prefix, parts };
};

/** An expression after its assignments. */
export const sequence = (prefix: readonly string[], code: string): string =>
  prefix.length === 0 ? code : `(${prefix.join(", ")}, ${code})`;
