/** A constant of one party's package on the thread that runs the commands of all. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Expr } from "../../src/lf/ast.js";
import type { BuiltinName } from "../../src/lf/builtins.js";
import { eventsOf, exercise, World, type Json } from "../scenarios/world.js";
import { buildDar, buildPackage, expr, ModuleBuilder, type } from "../support/lf-builder.js";

const { int64 } = type,
  list = type.list(int64),
  n = expr.variable("n"),
  grown = expr.variable("grown"),
  int = (value: number): Expr => expr.int64(BigInt(value));
const builtin = (name: BuiltinName, ...args: Expr[]): Expr => expr.apply(expr.builtin(name), ...args);

/** Cells of a list take 40 bytes each, and a thread has 100 MB: for one such list, but not for two. */
const cells = 1_200_000;

/** A package with a template that makes a list and counts its elements: each time anew, or once. */
function counting(name: string, isKept: boolean): Uint8Array {
  const main = new ModuleBuilder("M"),
    call = (of: string, ...args: Expr[]): Expr => expr.apply(expr.value(main.id(of)), ...args);
  main.value(
    "grow",
    type.arrow(int64, list, list),
    expr.lambda(
      { n: int64, grown: list },
      expr.match(
        expr.apply(expr.applyTypes(expr.builtin("EQUAL"), int64), n, int(0)),
        { pattern: { kind: "bool", value: true }, body: grown },
        {
          pattern: { kind: "default" },
          body: call("grow", builtin("SUB_INT64", n, int(1)), { kind: "cons", type: int64, front: [n], tail: grown }),
        },
      ),
    ),
  );
  const made = (size: Expr): Expr => call("grow", size, { kind: "nil", type: int64 });
  main.value("constant", list, made(int(cells)));
  const count = expr.lambda({ counted: int64, each: int64 }, builtin("ADD_INT64", expr.variable("counted"), int(1)));
  main.template("Counter", {
    fields: { owner: type.party },
    signatories: (self) => [self("owner")],
    choices: {
      Count: {
        fields: { size: int64 },
        returns: int64,
        consuming: false,
        controllers: (self) => [self("owner")],
        update: (_, arg) =>
          expr.pure(
            int64,
            expr.apply(
              expr.applyTypes(expr.builtin("FOLDL"), int64, int64),
              count,
              int(0),
              isKept ? expr.value(main.id("constant")) : made(arg("size")),
            ),
          ),
      },
    },
  });
  return buildDar(buildPackage({ name, version: "1.0.0", modules: [main] }));
}

let world: World;
before(async () => {
  world = await World.start(
    [counting("keeping", true), counting("plain", false)],
    ["--memory", "--workers", "1"],
    new URL("little-memory.js", import.meta.url),
  );
});
after(() => world.stop());

async function counted(party: string, packageName: string): Promise<Json> {
  const template = `#${packageName}:M:Counter`,
    { contractId } = await world.create([party], template, { owner: party });
  return eventsOf(await world.transact([party], [exercise(template, contractId, "Count", { size: String(cells) })]))[0].exerciseResult;
}

test("constants: what one party's package keeps on a thread does not take the memory that the command of another needs", async () => {
  const [mallory, bob] = await world.parties("mallory", "bob");
  for (const [party, packageName] of [
    [mallory!, "keeping"],
    [bob!, "plain"],
    [mallory!, "keeping"],
  ] as const)
    assert.equal(await counted(party, packageName), String(cells), packageName);
});
