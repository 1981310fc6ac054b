/** The expressions in tail position that `tail.ts` ends with. Nodes are shared, so each is looked at once. */
import type { Expr } from "../ast.js";

export const tailExpressions = (expr: Expr): readonly Expr[] => {
  const found: Expr[] = [];
  const pending: Expr[] = [expr];
  const seen = new Set<Expr>();
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    if (next.kind === "let") pending.push(next.body);
    else if (next.kind === "case") pending.push(...next.alternatives.map((alternative) => alternative.body));
    else found.push(next);
  }
  return found;
};
