import assert from "node:assert/strict";
import { test } from "node:test";
import type { Expr, Type, TypeVarWithKind } from "../../../src/lf/ast.js";
import { Budget } from "../../../src/lf/validation/index.js";
import { expr, type } from "../../support/lf-builder-notation.js";
import { ModuleBuilder } from "../../support/lf-builder.js";
import { packageOf, problemOf, verdictOn } from "./subject.js";

const { int64, text, arrow, forall, variable: tvar } = type;
const a: TypeVarWithKind = { name: "a", kind: { kind: "star" } };
const over = (body: Expr): Expr => ({ kind: "tyAbs", params: [a], body });
const x = expr.variable("x");

test("shadowing: an inner type variable does not capture the type of an outer value", () => {
  const cast = over(expr.lambda({ x: tvar("a") }, over(x)));
  // It would turn anything into anything.
  assert.equal(verdictOn(forall("a", arrow(tvar("a"), forall("a", tvar("a")))), cast), "TypeMismatch");
  assert.equal(verdictOn(forall("a", arrow(tvar("a"), forall("b", tvar("a")))), cast), "ok");
});

test("shadowing: the inner type variable is what types below it mean", () => {
  const second = over(expr.lambda({ x: tvar("a") }, over(expr.lambda({ y: tvar("a") }, expr.variable("y")))));
  assert.equal(verdictOn(forall("a", arrow(tvar("a"), forall("b", arrow(tvar("b"), tvar("b"))))), second), "ok");
  const mixed = over(expr.lambda({ x: tvar("a") }, over(expr.lambda({ y: tvar("a") }, expr.list(tvar("a"), x)))));
  assert.equal(verdictOn(forall("a", arrow(tvar("a"), forall("b", arrow(tvar("b"), type.list(tvar("b")))))), mixed), "TypeMismatch");
});

test("shadowing: after the inner abstraction the outer type variable is back", () => {
  const body = over(
    expr.lambda(
      { x: tvar("a") },
      expr.let(
        [expr.bind("f", forall("b", arrow(tvar("b"), tvar("b"))), over(expr.lambda({ y: tvar("a") }, expr.variable("y"))))],
        expr.list(tvar("a"), x),
      ),
    ),
  );
  assert.equal(verdictOn(forall("a", arrow(tvar("a"), type.list(tvar("a")))), body), "ok");
});

test("substitution: a type argument that mentions a bound name is not captured", () => {
  const pairing = forall("a", forall("b", arrow(tvar("a"), tvar("b"), tvar("a")))); // instantiated at a = b
  const subject: Expr = {
    kind: "tyAbs",
    params: [{ name: "b", kind: a.kind }],
    body: expr.lambda({ k: pairing }, expr.applyTypes(expr.variable("k"), tvar("b"))),
  };
  const honest = forall("b", arrow(pairing, forall("c", arrow(tvar("b"), tvar("c"), tvar("b")))));
  const captured = forall("b", arrow(pairing, forall("c", arrow(tvar("c"), tvar("c"), tvar("c")))));
  assert.equal(verdictOn(honest, subject), "ok");
  assert.equal(verdictOn(captured, subject), "TypeMismatch");
});

test("equality: bound variables are told apart by where they are bound, free ones by name", () => {
  const identity = (param: Type, result: Type): Type => forall("a", forall("b", arrow(param, result)));
  const body: Expr = { kind: "tyAbs", params: [a, { name: "b", kind: a.kind }], body: expr.lambda({ x: tvar("a") }, x) };
  assert.equal(verdictOn(identity(tvar("a"), tvar("a")), body), "ok");
  assert.equal(verdictOn(identity(tvar("b"), tvar("b")), body), "TypeMismatch");
});

/** Doubles at every level, which sharing hides. */
function doubling(levels: number): Type {
  let doubled: Type = int64;
  for (let level = 0; level < levels; level++) doubled = arrow(doubled, doubled);
  return doubled;
}

test("cost: a type that unfolds beyond all bounds is refused by name, not walked", () => {
  const module = new ModuleBuilder("M");
  module.value("f", forall("a", arrow(tvar("a"), tvar("a"))), over(expr.lambda({ x: tvar("a") }, x)));
  module.value("g", arrow(doubling(40), doubling(40)), expr.applyTypes(expr.value(module.id("f")), doubling(40)));
  const problem = problemOf(packageOf([module.module]), [], new Budget(100_000));
  assert.equal(problem?.rule, "TooExpensive");
  assert.match(problem!.message, /packageCheckStepsMax/);
});

test("depth: a chain of lets does not nest the checker", () => {
  const levels = 4_000;
  const wide = Array.from({ length: levels }, (_, index) =>
    expr.bind(`x${index}`, int64, index === 0 ? expr.int64(1n) : expr.variable(`x${index - 1}`)),
  );
  const nested = wide.reduceRight<Expr>((body, binding) => expr.let([binding], body), expr.variable(`x${levels - 1}`));
  assert.equal(verdictOn(int64, nested), "ok");
});

test("depth: an expression deeper than the stack is refused by name", () => {
  let deep: Expr = expr.text("");
  for (let level = 0; level < 200_000; level++) deep = expr.some(text, deep);
  assert.equal(verdictOn(text, deep), "TooDeep");
});
