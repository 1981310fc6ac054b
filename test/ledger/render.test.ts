/** What the engine's transaction becomes for the commit: events, and what it may have depended on, also where that was rolled back. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { limits } from "../../src/config.js";
import type { InterpretedTransaction } from "../../src/ledger/engine/index.js";
import { renderTransaction } from "../../src/ledger/interpretation/index.js";
import { decodePackage, stablePackageIds, stablePackages } from "../../src/lf/archive/index.js";
import type { Binding, Expr } from "../../src/lf/ast.js";
import { type Command, Engine } from "../../src/lf/index.js";
import { harnessSalt, ScenarioLedger } from "../golden/scenario-ledger.js";
import { buildPackage, expr, ModuleBuilder, type, type FieldOfThis } from "../support/lf-builder.js";

const main = new ModuleBuilder("Main");
const boom = main.exception("Boom", {}, () => expr.text("it broke"));
const owned = (self: FieldOfThis): readonly Expr[] => [self("owner")];
const leaf = main.template("Leaf", {
  fields: { owner: type.party },
  signatories: owned,
  key: {
    type: type.party,
    key: expr.field(main.id("Leaf"), "owner", expr.variable("this")),
    maintainers: expr.lambda({ key: type.party }, expr.list(type.party, expr.variable("key"))),
  },
});
const found = type.con(
  { packageId: stablePackageIds["DA.Types"], module: "DA.Types", name: "Tuple2" },
  type.contractId(type.con(leaf)),
  type.con(leaf),
);
const done = expr.pure(type.unit, expr.unit);
const steps = {
  make: (self) => expr.bind("leaf", type.contractId(type.con(leaf)), expr.create(leaf, expr.record(leaf, { owner: self("owner") }))),
  fetch: () => expr.bind("one", type.con(main.id("Machine")), expr.fetch(main.id("Machine"), expr.variable("self"))),
  find: (self) =>
    expr.bind(
      "those",
      type.optional(type.list(found)),
      expr.apply(expr.update({ kind: "queryNByKey", template: leaf }), expr.int64(1n), self("owner")),
    ),
  idle: () => expr.bind("nothing", type.unit, exercised("Idle")),
} satisfies Record<string, (self: FieldOfThis) => Binding>;
type Step = keyof typeof steps;
const exercised = (choice: string): Expr =>
  expr.exercise(main.id("Machine"), choice, expr.variable("self"), expr.record(main.id(choice), {}));
/** An exception behind it rolls it back, and is caught. */
const rolledBack = (...below: readonly Step[]) => ["rolled back", below] as const;

function bound(self: FieldOfThis, step: Step | ReturnType<typeof rolledBack>): Binding {
  if (typeof step === "string") return steps[step](self);
  const thrown: Expr = {
    kind: "throw",
    returnType: type.update(type.unit),
    exceptionType: type.con(boom),
    exception: expr.record(boom, {}),
  };
  const body = expr.block(
    step[1].map((below) => steps[below](self)),
    thrown,
  );
  const handler = expr.some(type.update(type.unit), done);
  return expr.bind("caught", type.unit, expr.update({ kind: "tryCatch", returnType: type.unit, body, binder: "e", handler }));
}
const choice = (...of: readonly (Step | ReturnType<typeof rolledBack>)[]) => ({
  fields: {},
  returns: type.unit,
  consuming: false,
  controllers: owned,
  update: (self: FieldOfThis) =>
    expr.block(
      of.map((step) => bound(self, step)),
      done,
    ),
});
main.template("Machine", {
  fields: { owner: type.party },
  signatories: owned,
  choices: {
    Idle: choice(),
    EndsInRollback: choice("make", rolledBack("fetch", "fetch")),
    IsRolledBack: choice(rolledBack("idle", "fetch")),
    GoesOn: choice("make", rolledBack("fetch"), "fetch"),
    EndsInExercise: choice("make", rolledBack("fetch"), "idle", rolledBack("fetch")),
    Finds: choice("find"),
    FindsInVain: choice(rolledBack("find", "find")),
  },
});
const archive = buildPackage({ name: "rendered", version: "1.0.0", modules: [main], minor: "3" });
const packages = new Map([...stablePackages(), archive].map(({ id, payload }) => [id, decodePackage(id, payload).ok!]));
const engine = new Engine({ packages: { getPackage: (id) => packages.get(id) }, limits });

/** Of a contract that is made and used at once: its create is node 0, its exercise node 1. */
function rendered(choice: string): InterpretedTransaction {
  const command: Command = {
    kind: "createAndExercise",
    template: { package: { name: "rendered" }, module: "Main", name: "Machine" },
    createArgument: { json: { owner: "alice" } },
    choice,
    argument: { json: {} },
  };
  const interpreted = engine.interpret(
    {
      actAs: ["alice"],
      readAs: [],
      commands: [command],
      disclosed: [],
      ledgerTime: 0n,
      preparationTime: 0n,
      submissionSeed: new Uint8Array(32),
      participantId: "p",
      packagePreference: new Map([["rendered", archive.id]]),
      mode: "NUCK",
    },
    { salt: harnessSalt, reader: new ScenarioLedger().reader(["alice"]) },
  );
  assert.ok(interpreted.ok, interpreted.error?.message);
  return renderTransaction({ interpretation: interpreted.ok, ledgerTime: 0n, disclosed: new Set(), values: { toJson: () => "{}" } });
}

for (const [name, told] of Object.entries({
  Idle: [[1, 1]],
  EndsInRollback: [[1, 2], [2]],
  IsRolledBack: [[1, 1]],
  GoesOn: [[1, 5], [2]],
  EndsInExercise: [[1, 5], [2], [5, 5]],
}))
  test(`rendered transactions: ${name} tells node ids and last descendants, of which what was rolled back is none`, () => {
    const [, ...events] = rendered(name).events;
    const numbers = events.map(({ nodeId, jsonAfter }) => {
      const last = /^"lastDescendantNodeId":(\d+)/.exec(jsonAfter)?.[1];
      return last === undefined ? [nodeId] : [nodeId, Number(last)];
    });
    assert.deepEqual(numbers, told);
  });

test("rendered transactions: of nodes without events the numbers are told, by who sees them", () => {
  assert.deepEqual(rendered("Idle").untoldNodes, []);
  assert.deepEqual(rendered("EndsInExercise").untoldNodes, [{ witnesses: ["alice"], nodeIds: [7, 6, 4, 3] }]);
});

test("rendered transactions: what was looked for by a key has to be as it was at commit, also where that was rolled back", () => {
  const [{ keyInputs }, inVain] = [rendered("Finds"), rendered("FindsInVain")];
  assert.deepEqual(
    keyInputs.map(({ contractIds, exhaustive }) => [contractIds, exhaustive]),
    [[[], true]],
  );
  assert.deepEqual(inVain.keyInputs, [...keyInputs, ...keyInputs]);
});
