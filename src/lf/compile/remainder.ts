/**
 * `(a * b + c) % m`, of which hashes, checksums and random numbers are made: the product may leave the safe integers though the result
 * is small, so that all of it is one operation, which mostly needs no big integer in between.
 */
import type { Expr } from "../ast.js";
import { divisible, remainder, safe } from "./arithmetic.js";
import type { Body } from "./body.js";
import { callOf } from "./call.js";
import type { Scope } from "./environment.js";
import { emitOperands, typeTests } from "./operand.js";
import { inOrder, sequence } from "./sequence.js";

/** Undefined for any other builtin, and for a dividend of another form. */
export const emitRemainder = (body: Body, scope: Scope, name: string, args: readonly Expr[]): string | undefined => {
  const dividend = name === "MOD_INT64" && args.length === 2 ? dividendOf(body, args[0]!) : undefined;
  if (dividend === undefined) return undefined;
  for (let node = 0; node < dividend.nodes; node += 1) body.unit.count();
  // The language evaluates the divisor, the addend, then the factors, and only then multiplies.
  const { prefix, parts } = inOrder(body, scope, [...dividend.operands, args[1]!], 0);
  const { prefix: kept, names } = emitOperands(body, parts);
  const [a, b, c, m] = names as [string, string, string, string];
  const product = safe(body.temporary(), `${a} * ${b}`),
    sum = safe(body.temporary(), `${product.result} + ${c}`);
  const test = [...typeTests(names), ...product.test, ...sum.test, ...divisible(m)].join(" && ");
  return sequence(
    [...prefix, ...kept],
    `(${test} ? ${remainder(sum.result, m)} : ${body.unit.helper("mulAddModInt64")}(${names.join(", ")}))`,
  );
};

interface Dividend {
  /** Two factors and what is added to their product. */
  readonly operands: readonly [Expr, Expr, Expr];
  /** How many expressions they are the operands of. */
  readonly nodes: number;
}

const zero: Expr = { kind: "lit", value: { kind: "int64", value: 0n } };

const dividendOf = (body: Body, expr: Expr): Dividend | undefined => {
  const product = argsOf(body, expr, "MUL_INT64");
  if (product !== undefined) return { operands: [...product, zero], nodes: 1 };
  const [left, addend] = argsOf(body, expr, "ADD_INT64") ?? [];
  const factors = left && argsOf(body, left, "MUL_INT64");
  return factors && { operands: [...factors, addend!], nodes: 2 };
};

const argsOf = (body: Body, expr: Expr, builtin: string): readonly [Expr, Expr] | undefined => {
  const { head, args } = callOf(body.linker, expr);
  return head.kind === "builtin" && head.builtin === builtin && args.length === 2 ? (args as [Expr, Expr]) : undefined;
};
