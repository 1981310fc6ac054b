/**
 * `go (x :: xs) = f x :: go xs`: the call of the function itself is the tail of the list that it returns. The cell is made first and
 * its tail set by the next iteration, so that such a function is a loop. Nobody sees the list before it is complete.
 */
import type { Expr } from "../ast.js";
import type { Body } from "./body.js";
import { nestedCellsMax } from "./data.js";
import type { Scope } from "./environment.js";
import type { GrowingList } from "./loops.js";
import { isSelfCall } from "./self-call.js";
import { tailExpressions } from "./tail-expressions.js";

/** Whether such a cell is in tail position somewhere. */
export const growsList = (body: Body, expr: Expr): boolean => tailExpressions(expr).some((each) => isGrowingCell(body, each));

/** The elements must be free of order, since the language evaluates them after the call. */
export const isGrowingCell = (body: Body, expr: Expr): expr is Extract<Expr, { kind: "cons" }> =>
  expr.kind === "cons"
  && expr.front.length <= nestedCellsMax
  && isSelfCall(body, expr.tail, "value")
  && expr.front.every((each) => body.emission.orderFree.test(each));

/** Appends the cells; the call is the next iteration. */
export const emitGrowth = (body: Body, scope: Scope, { first, last }: GrowingList, front: readonly Expr[]): string => {
  const { unit } = body;
  unit.count();
  body.allocate(front.length);
  const cells = front.map(() => unit.fresh());
  const made = front.map(
    (element, index) =>
      `const ${cells[index]!} = new ${unit.helper("Cons")}(${body.emit(scope, element, "value")}, ${cells[index + 1] ?? unit.helper("nil")});`,
  );
  return `${made.reverse().join(" ")} if (${last} === undefined) ${first} = ${cells[0]!}; else ${last}.tail = ${cells[0]!}; ${last} = ${cells[cells.length - 1]!};`;
};

export const emitGrownReturn = (body: Body, { first, last }: GrowingList, code: string): string => {
  const rest = body.unit.fresh();
  return `const ${rest} = ${code}; if (${last} === undefined) return ${rest}; ${last}.tail = ${rest}; return ${first};`;
};
