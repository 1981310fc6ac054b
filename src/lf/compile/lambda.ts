/** Lambdas as values. */
import type { Expr } from "../ast.js";
import { unabstract } from "./application-form.js";
import type { Body } from "./body.js";
import type { Scope } from "./environment.js";

/** With its arity. */
export const emitLambda = (body: Body, scope: Scope, expr: Expr): string => {
  const { params, body: result } = unabstract(expr);
  body.allocate(1);
  const text = body.emitFunction(scope, { params: params.map((param) => param.name), body: result, mode: "value" });
  return params.length === 1 ? `(${text})` : `${body.unit.helper("withArity")}(${params.length}, ${text})`;
};
