/** A template with a choice that counts for as long as it is told to. */
import type { Expr } from "../../src/lf/ast.js";
import type { BuiltinName } from "../../src/lf/builtins.js";
import { buildDar, buildPackage, expr, ModuleBuilder, type } from "../support/lf-builder.js";

const slow = new ModuleBuilder("Slow");
const builtin = (name: BuiltinName, ...args: Expr[]): Expr => expr.apply(expr.builtin(name), ...args);
const int = (n: number): Expr => expr.int64(BigInt(n));
const { int64, text } = type;

/** Hashes n times over, and says how often. */
const next = (n: Expr, count: Expr, hashed: Expr): Expr => expr.apply(expr.value(slow.id("hash")), n, count, hashed);
slow.value(
  "hash",
  type.arrow(int64, int64, text, int64),
  expr.lambda(
    { n: int64, count: int64, t: text },
    expr.match(
      expr.apply(expr.applyTypes(expr.builtin("EQUAL"), int64), expr.variable("n"), int(0)),
      { pattern: { kind: "bool", value: true }, body: expr.variable("count") },
      {
        pattern: { kind: "default" },
        body: next(
          builtin("SUB_INT64", expr.variable("n"), int(1)),
          builtin("ADD_INT64", expr.variable("count"), int(1)),
          builtin("SHA256_TEXT", expr.variable("t")),
        ),
      },
    ),
  ),
);

slow.template("Counter", {
  fields: { owner: type.party },
  signatories: (self) => [self("owner")],
  choices: {
    Count: {
      fields: { n: type.int64 },
      returns: type.int64,
      consuming: false,
      controllers: (self: (field: string) => Expr) => [self("owner")],
      update: (_self: (field: string) => Expr, arg: (field: string) => Expr) =>
        expr.pure(type.int64, next(arg("n"), int(0), expr.text(""))),
    },
  },
});

export const slowDar = buildDar(buildPackage({ name: "slow", version: "1.0.0", modules: [slow] }));
export const counterTemplate = "#slow:Slow:Counter";
