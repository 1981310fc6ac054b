import type { Expr, Type } from "../ast.js";
import type { Scope } from "./scope.js";
import type { Types } from "./types.js";

/** What the rules of one form of expression ask of the checker of all forms, to go on with what is nested. */
export interface Checker {
  readonly scope: Scope;
  readonly types: Types;
  typeOf(expr: Expr): Type;
  /** A whole expression of a definition. */
  checkWhole(expr: Expr, expected: Type): void;
  /** An expression of a given type; gives that type. */
  check(expr: Expr, expected: Type): Type;
  /** As `check`, but gives the type as it was found, which may differ in synonyms and in names of bound variables. */
  resolved(expr: Expr, expected: Type): Type;
  /** A function's parameter and result. */
  asFunction(type: Type): { readonly param: Type; readonly result: Type };
}
