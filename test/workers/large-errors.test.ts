/** Errors that a model makes as large as it likes: what is copied to the main thread is what a client is told, and no more. */
import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { limits } from "../../src/config.js";
import type { Expr, Type } from "../../src/lf/ast.js";
import type { BuiltinName } from "../../src/lf/builtins.js";
import { buildDar, buildPackage, expr, ModuleBuilder, type } from "../support/lf-builder.js";
import { create, createAndExercise, World, type Command, type Json } from "../scenarios/world.js";
import { temporaryFolder } from "../support/folders.js";

const { int64, text } = type,
  list = type.list(int64),
  map = type.textMap(text),
  unitUpdate = type.update(type.unit),
  main = new ModuleBuilder("M"),
  n = expr.variable("n"),
  grown = expr.variable("grown");
const builtin = (name: BuiltinName, types: readonly Type[], ...args: Expr[]): Expr =>
  expr.apply(types.length === 0 ? expr.builtin(name) : expr.applyTypes(expr.builtin(name), ...types), ...args);
/** A function of a number: as often as it says, what was made so far is made into more. */
function growing(name: string, of: Type, from: Expr, more: Expr): (count: Expr) => Expr {
  const again = expr.apply(expr.value(main.id(name)), builtin("SUB_INT64", [], n, expr.int64(1n)), more);
  main.value(
    name,
    type.arrow(int64, of, of),
    expr.lambda(
      { n: int64, grown: of },
      expr.match(
        builtin("EQUAL", [int64], n, expr.int64(0n)),
        { pattern: { kind: "bool", value: true }, body: grown },
        { pattern: { kind: "default" }, body: again },
      ),
    ),
  );
  return (count) => expr.apply(expr.value(main.id(name)), count, from);
}
const longText = growing("longText", text, expr.text("a"), builtin("APPEND_TEXT", [], grown, grown));
const longList = growing("longList", list, { kind: "nil", type: int64 }, { kind: "cons", type: int64, front: [n], tail: grown });
const manyEntries = growing(
  "manyEntries",
  map,
  expr.applyTypes(expr.builtin("TEXTMAP_EMPTY"), text),
  builtin("TEXTMAP_INSERT", [text], builtin("INT64_TO_TEXT", [], n), longText(expr.int64(14n)), grown),
);

const refusing = main.template("Refusing", {
  fields: { owner: type.party, numbers: list },
  signatories: (self) => [self("owner")],
  precondition: () => expr.bool(false),
});
const failed = main.exception("Failed", { message: text }, (self) => self("message"));
const choice = (update: (size: Expr, self: (field: string) => Expr) => Expr) => ({
  fields: { size: int64 },
  returns: type.unit,
  consuming: false,
  controllers: (self: (field: string) => Expr) => [self("owner")],
  update: (self: (field: string) => Expr, arg: (field: string) => Expr) => update(arg("size"), self),
});
main.template("Machine", {
  fields: { owner: type.party },
  signatories: (self) => [self("owner")],
  choices: {
    Fail: choice((size) =>
      builtin(
        "FAIL_WITH_STATUS",
        [unitUpdate],
        expr.text("my-error"),
        { kind: "lit", value: { kind: "failureCategory", value: "INVALID_INDEPENDENT_OF_SYSTEM_STATE" } },
        expr.text("no"),
        manyEntries(size),
      ),
    ),
    Abort: choice((size) => builtin("ERROR", [unitUpdate], longText(size))),
    Throw: choice((size) => ({
      kind: "throw",
      returnType: unitUpdate,
      exceptionType: type.con(failed),
      exception: expr.record(failed, { message: longText(size) }),
    })),
    Refuse: choice((size, self) =>
      expr.block(
        [
          expr.bind(
            "made",
            type.contractId(type.con(refusing)),
            expr.create(refusing, expr.record(refusing, { owner: self("owner"), numbers: longList(size) })),
          ),
        ],
        expr.pure(type.unit, expr.unit),
      ),
    ),
  },
});
const dar = buildDar(buildPackage({ name: "large-errors", version: "1.0.0", modules: [main] })),
  machine = "#large-errors:M:Machine";

const folder = temporaryFolder("answer-sizes"),
  told = join(folder, "told");
let world: World, alice: string;
before(async () => {
  const noting = new URL(`answer-sizes.js?${new URLSearchParams({ told }).toString()}`, import.meta.url);
  world = await World.start([dar], ["--memory", "--workers", "1"], noting);
  alice = await world.party("alice");
});
after(async () => {
  await world.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** What went to the main thread meanwhile, answer by answer. */
async function sizesOf(work: () => Promise<unknown>): Promise<readonly number[]> {
  rmSync(told, { force: true });
  await work();
  return existsSync(told) ? readFileSync(told, "utf8").trim().split("\n").map(Number) : [];
}
const failing = (name: string, size: number): Command => createAndExercise(machine, { owner: alice }, name, { size: String(size) });

/** An error's cause, context and resources, each within its bound and as many bytes as characters, and what is around them. */
const answerBytesMax = limits.errorCauseCharsMax + limits.errorContextCharsMax + 3 * limits.errorDetailCharsMax + 4_096;

const cases: readonly (readonly [what: string, choice: string, size: number, code: string])[] = [
  ["a failure with long metadata", "Fail", 60, "DAML_FAILURE"],
  ["a failure with more metadata than are told", "Fail", 2 * limits.errorMetadataEntriesMax, "DAML_FAILURE"],
  ["an abort with a long text", "Abort", 20, "INTERPRETATION_USER_ERROR"],
  ["an exception with a long text", "Throw", 20, "DAML_FAILURE"],
  ["a precondition that does not hold for a long list", "Refuse", 100_000, "TEMPLATE_PRECONDITION_VIOLATED"],
];
for (const [what, name, size, code] of cases) {
  test(`errors of a model: ${what} is as small as what is told of it when it leaves its thread`, async () => {
    let submitted: Json | undefined, prepared: Json | undefined;
    const sizes = await sizesOf(async () => {
      submitted = await world.refused([alice], [failing(name, size)]);
      const preparation = world.commands([alice], [failing(name, size)], { synchronizerId: "", packageIdSelectionPreference: [] });
      prepared = (await world.client.post("/v2/interactive-submission/prepare", preparation)).json();
    });
    assert.deepEqual([submitted?.code, prepared?.code], [code, code]);
    assert.equal(prepared?.cause, submitted?.cause);
    assert.ok(sizes.length >= 2, "each was interpreted on the thread");
    assert.ok(Math.max(...sizes) <= answerBytesMax, `${Math.max(...sizes)} bytes`);
    await world.create([alice], machine, { owner: alice });
  });
}

test("errors of a model: what is told of a long text is its beginning", async () => {
  const { cause, resources } = await world.refused([alice], [failing("Abort", 20)]);
  assert.equal(
    cause,
    `${`Interpretation error: Error: User abort: ${"a".repeat(limits.errorCauseCharsMax)}`.slice(0, limits.errorCauseCharsMax)}...`,
  );
  assert.deepEqual(resources, [["ErrorResource(EXCEPTION_TEXT)", `${"a".repeat(limits.errorDetailCharsMax)}...`]]);
});

test("errors of a model: a package name that nobody knows is told by who knows the names", async () => {
  const { code, cause } = await world.refused([alice], [create("#no-such-name:M:Machine", { owner: alice })]);
  assert.deepEqual([code, /no-such-name/.test(cause)], ["PACKAGE_NAMES_NOT_FOUND", true]);
});
