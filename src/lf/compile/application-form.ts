/** Views of expressions without their types: `(f @T a) b` is `f` applied to `a` and `b`; `/\t. \x. /\u. \y. e` takes `x` and `y`. */
import type { Expr, Type, VarWithType } from "../ast.js";

export interface ApplicationForm {
  readonly head: Expr;
  readonly args: readonly Expr[];
  /** All type arguments, in order. */
  readonly types: readonly Type[];
}

export const unapply = (expr: Expr): ApplicationForm => {
  const args: Expr[] = [];
  const types: Type[] = [];
  let head = expr;
  for (;;) {
    if (head.kind === "app") {
      args.unshift(...head.args);
      head = head.fun;
    } else if (head.kind === "tyApp") {
      types.unshift(...head.types);
      head = head.expr;
    } else return { head, args, types };
  }
};

export interface AbstractionForm {
  readonly params: readonly VarWithType[];
  readonly body: Expr;
}

export const unabstract = (expr: Expr): AbstractionForm => {
  const params: VarWithType[] = [];
  let body = expr;
  while (body.kind === "abs" || body.kind === "tyAbs") {
    if (body.kind === "abs") params.push(...body.params);
    body = body.body;
  }
  return { params, body };
};
