import type { Binding, Expr } from "../ast.js";
import type { Tables } from "./interning.js";
import type { Slice } from "./wire-reader.js";

/** What the decoder of one form of expression asks of the decoder of all forms, to go on with what is nested. */
export interface NestedExpressions {
  readonly tables: Tables;
  expr(slice: Slice<"Expr"> | undefined): Expr;
  exprs(slices: readonly Slice<"Expr">[]): Expr[];
  bindings(slices: readonly Slice<"Binding">[]): Binding[];
}
