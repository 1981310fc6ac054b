/** A saturated call of the function that is being compiled. */
import type { Expr } from "../ast.js";
import { unapply } from "./application-form.js";
import type { Body } from "./body.js";
import type { Mode } from "./definition.js";

export const isSelfCall = (body: Body, expr: Expr, mode: Mode): boolean => {
  const { self } = body;
  if (self === undefined || self.mode !== mode) return false;
  const { head, args } = unapply(expr);
  return (
    head.kind === "val" && args.length === self.definition.arity && args.length > 0 && body.linker.definition(head.id) === self.definition
  );
};
