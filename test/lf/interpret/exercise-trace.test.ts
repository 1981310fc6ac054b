import assert from "node:assert/strict";
import { test } from "node:test";
import { limits } from "../../../src/config.js";
import { decodePackage, stablePackages } from "../../../src/lf/archive/index.js";
import type { Expr, Type } from "../../../src/lf/ast.js";
import { type Command, Engine } from "../../../src/lf/index.js";
import { buildPackage, expr, ModuleBuilder, type } from "../../support/lf-builder.js";
import { harnessSalt, ScenarioLedger } from "../../golden/scenario-ledger.js";

const main = new ModuleBuilder("Main");
const boom = main.exception("Boom", { n: type.int64 }, () => expr.text("it broke"));
const unitUpdate = type.update(type.unit);
const throwing = (returnType: Type): Expr => ({
  kind: "throw",
  returnType,
  exceptionType: type.con(boom),
  exception: expr.record(boom, { n: expr.int64(1n) }),
});
const isZero = (n: Expr, yes: Expr, no: Expr): Expr =>
  expr.match(
    expr.apply(expr.applyTypes(expr.builtin("EQUAL"), type.int64), n, expr.int64(0n)),
    { pattern: { kind: "bool", value: true }, body: yes },
    { pattern: { kind: "default" }, body: no },
  );
const owned = (self: (field: string) => Expr): Expr[] => [self("owner")];
const calls = (choice: string, n: Expr): Expr =>
  expr.exercise(main.id("Machine"), choice, expr.variable("self"), expr.record(main.id(choice), { n }));
const rethrown = (body: Expr): Expr =>
  expr.update({ kind: "tryCatch", returnType: type.unit, body, binder: "e", handler: expr.none(unitUpdate) });
main.template("Machine", {
  fields: { owner: type.party },
  signatories: owned,
  choices: {
    /** Itself n times, then an exception. */
    Fall: {
      fields: { n: type.int64 },
      returns: type.unit,
      consuming: false,
      controllers: owned,
      update: (_self, arg) =>
        isZero(arg("n"), throwing(unitUpdate), calls("Fall", expr.apply(expr.builtin("SUB_INT64"), arg("n"), expr.int64(1n)))),
    },
    /** A handler that does not want it has closed what was open below. */
    Pass: {
      fields: { n: type.int64 },
      returns: type.unit,
      consuming: false,
      controllers: owned,
      update: (_self, arg) => rethrown(calls("Fall", arg("n"))),
    },
    Status: {
      fields: { n: type.int64 },
      returns: type.unit,
      consuming: false,
      controllers: owned,
      update: () =>
        rethrown(
          expr.apply(
            expr.applyTypes(expr.builtin("FAIL_WITH_STATUS"), unitUpdate),
            expr.text("MINE"),
            { kind: "lit", value: { kind: "failureCategory", value: "INVALID_GIVEN_CURRENT_SYSTEM_STATE_OTHER" } },
            expr.text("no"),
            expr.applyTypes(expr.builtin("TEXTMAP_EMPTY"), type.text),
          ),
        ),
    },
    Error: {
      fields: { n: type.int64 },
      returns: type.unit,
      consuming: false,
      controllers: owned,
      update: () => expr.apply(expr.applyTypes(expr.builtin("ERROR"), unitUpdate), expr.text("no")),
    },
  },
});
const words = main.record("Words", { text: type.text }),
  label = main.record("Label", { owner: type.party, words: type.con(words) });
const ofKeyed = (field: string): Expr => expr.field(main.id("Keyed"), field, expr.variable("this"));
main.template("Keyed", {
  fields: { owner: type.party, text: type.text },
  signatories: owned,
  key: {
    type: type.con(label),
    key: expr.record(label, { owner: ofKeyed("owner"), words: expr.record(words, { text: ofKeyed("text") }) }),
    maintainers: expr.lambda({ key: type.con(label) }, expr.list(type.party, expr.field(label, "owner", expr.variable("key")))),
  },
  choices: { Break: { fields: {}, returns: type.unit, consuming: false, controllers: owned, update: () => throwing(unitUpdate) } },
});
const archive = buildPackage({ name: "trace", version: "1.0.0", modules: [main], minor: "3" });
const packages = new Map([...stablePackages(), archive].map(({ id, payload }) => [id, decodePackage(id, payload).ok!]));
const engine = new Engine({ packages: { getPackage: (id) => packages.get(id) }, limits });
const machine = { package: { name: "trace" }, module: "Main", name: "Machine" };

function traceOf(...commands: readonly Command[]): string | undefined {
  const { error } = engine.interpret(
    {
      actAs: ["alice"],
      readAs: [],
      commands,
      disclosed: [],
      ledgerTime: 0n,
      preparationTime: 0n,
      submissionSeed: new Uint8Array(32),
      participantId: "p",
      packagePreference: new Map([["trace", archive.id]]),
      mode: "NUCK",
    },
    { salt: harnessSalt, reader: new ScenarioLedger().reader(["alice"]) },
  );
  assert.ok(error?.phase === "interpretation", error?.message);
  return error.exerciseTrace?.replaceAll(/contract [0-9a-f]{10}\b/g, "contract C").replaceAll(archive.id.slice(0, 8), "P");
}

const run = (choice: string, n = 0): Command => ({
  kind: "createAndExercise",
  template: machine,
  createArgument: { json: { owner: "alice" } },
  choice,
  argument: { json: { n: String(n) } },
});

test("exercise trace: an exception tells the open choices, the innermost first, and the command", () => {
  assert.equal(
    traceOf(run("Fall", 1)),
    [
      "    in choice P:Main:Machine:Fall on contract C (#2)",
      "    in choice P:Main:Machine:Fall on contract C (#1)",
      "    in create-and-exercise command P:Main:Machine:Fall.",
      "",
    ].join("\n"),
  );
});

test("exercise trace: choices that a try scope has rolled back are told no more; a failure that no handler sees leaves all open", () => {
  assert.equal(
    traceOf(run("Pass", 3)),
    "    in choice P:Main:Machine:Pass on contract C (#1)\n    in create-and-exercise command P:Main:Machine:Pass.\n",
  );
  assert.equal(
    traceOf(run("Status")),
    "    in choice P:Main:Machine:Status on contract C (#1)\n    in create-and-exercise command P:Main:Machine:Status.\n",
  );
});

test("exercise trace: a command by key tells the key, and of a long one the beginning", () => {
  const template = { ...machine, name: "Keyed" };
  const byKey = (text: string): string | undefined =>
    traceOf(
      { kind: "create", template, argument: { json: { owner: "alice", text } } },
      { kind: "exerciseByKey", template, key: { json: { owner: "alice", words: { text } } }, choice: "Break", argument: { json: {} } },
    );
  assert.equal(
    byKey("mine"),
    [
      "    in choice P:Main:Keyed:Break on contract C (#1)",
      `    in exercise-by-key command P:Main:Keyed:Break on key { owner = 'alice', words = Main:Words@P{ text = "mine" } }.`,
      "",
    ].join("\n"),
  );
  const long = byKey("x".repeat(100_000))!;
  assert.ok(long.length < limits.errorDetailCharsMax + 500, `${long.length} characters`);
});

test("exercise trace: a long one is cut", () => {
  const told = traceOf(run("Fall", 12))!.split("\n");
  assert.equal(told.length, limits.exerciseTraceChoicesMax + 3);
  assert.deepEqual([told[0], told.at(-3)], ["    in choice P:Main:Machine:Fall on contract C (#13)", "    ..."]);
});

test("exercise trace: other errors have none", () => {
  assert.equal(traceOf(run("Error")), undefined);
});
