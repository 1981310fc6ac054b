/** Values that code makes and no ledger takes: where that is found out. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { limits } from "../../../src/config.js";
import { decodePackage, stablePackages } from "../../../src/lf/archive/index.js";
import type { DefinitionId, Expr } from "../../../src/lf/ast.js";
import { type Command, Engine, type InterpretResult } from "../../../src/lf/index.js";
import { buildPackage, expr, ModuleBuilder, type } from "../../support/lf-builder.js";
import { harnessSalt, ScenarioLedger } from "../../golden/scenario-ledger.js";
import { Harness, submissionOf } from "./harness.js";

const main = new ModuleBuilder("Main"),
  owned = (self: (field: string) => Expr): Expr[] => [self("owner")];
const nulText = expr.apply(expr.builtin("CODE_POINTS_TO_TEXT"), expr.list(type.int64, expr.int64(0n))),
  view = main.record("View", { note: type.text }),
  shown = main.interface("Shown", { view: type.con(view) });

const reading = (template: string): Expr =>
  expr.field(view, "note", {
    kind: "viewInterface",
    interface: shown,
    expr: { kind: "toInterface", interface: shown, template: main.id(template), expr: expr.variable("this") },
  });

const thrown = (id: DefinitionId): Expr => ({
  kind: "throw",
  returnType: type.text,
  exceptionType: type.con(id),
  exception: expr.record(id, {}),
});
const quiet = main.exception("Quiet", {}, () => expr.text("hush")),
  loud = main.exception("Loud", {}, () => thrown(quiet)),
  endless = main.exception("Endless", {}, () => thrown(main.id("Endless")));

for (const [name, note] of [
  ["Sound", expr.text("well")],
  ["Ill", nulText],
  ["Loudly", thrown(loud)],
  ["Endlessly", thrown(endless)],
] as const)
  main.template(name, {
    fields: { owner: type.party },
    signatories: owned,
    implements: [{ interface: shown, methods: new Map(), view: expr.record(view, { note }) }],
    choices: {
      Look: {
        fields: {},
        returns: type.text,
        consuming: false,
        controllers: owned,
        update: () => expr.pure(type.text, expr.apply(expr.builtin("TEXT_TO_HEX"), reading(name))),
      },
    },
  });
main.template("Never", {
  fields: { owner: type.party, note: type.text },
  signatories: owned,
  precondition: () => expr.bool(false),
  choices: {},
});
main.template("Maker", {
  fields: { owner: type.party },
  signatories: owned,
  choices: {
    Make: {
      fields: {},
      returns: type.contractId(type.con(main.id("Never"))),
      consuming: false,
      controllers: owned,
      update: (self) => expr.create(main.id("Never"), expr.record(main.id("Never"), { owner: self("owner"), note: nulText })),
    },
  },
});

const archive = buildPackage({ name: "values", version: "1.0.0", modules: [main] });
const packages = new Map([...stablePackages(), archive].map(({ id, payload }) => [id, decodePackage(id, payload).ok!]));
const engine = new Engine({ packages: { getPackage: (id) => packages.get(id) }, limits });

function run(name: string, choice: string): InterpretResult {
  const command: Command = {
    kind: "createAndExercise",
    template: { package: { name: "values" }, module: "Main", name },
    createArgument: { json: { owner: "alice" } },
    choice,
    argument: { json: {} },
  };
  return engine.interpret(submissionOf({ actAs: ["alice"], commands: [command], packagePreference: new Map([["values", archive.id]]) }), {
    salt: harnessSalt,
    reader: new ScenarioLedger().reader(["alice"]),
  });
}

const classOf = ({ error }: InterpretResult): unknown => (error?.phase === "interpretation" ? error.class : error);

test("engine: a view that no ledger takes fails the update that reads it", () => {
  assert.equal(classOf(run("Sound", "Look")), undefined);
  assert.equal(classOf(run("Ill", "Look")), "MalformedText");
});

test("engine: an exception that another one's message throws stands for it in a view, and is told beside it in an update", () => {
  const viewed = (name: string) =>
    engine.computeView({
      template: { ...main.id(name), packageId: archive.id },
      argument: { kind: "record", fields: [{ value: { kind: "party", value: "alice" } }] },
      interface: { ...shown, packageId: archive.id },
    }).error;
  const told = ({ error }: Pick<InterpretResult, "error">): unknown =>
    error?.phase === "interpretation" && error.class === "FailureStatus" ? [error.detail.errorId, error.detail.errorMessage] : error;
  assert.deepEqual(told({ error: viewed("Loudly") }), ["UNHANDLED_EXCEPTION/Main:Quiet", "hush"]);
  assert.deepEqual(told(run("Loudly", "Look")), [
    "UNHANDLED_EXCEPTION/Main:Loud",
    "<Failed to calculate message as Main:Quiet was thrown during conversion>",
  ]);
  assert.equal(viewed("Endlessly")?.class, "LimitExceeded");
});

test("engine: that a payload is none of a ledger's is told before its template refuses it", () => {
  assert.equal(classOf(run("Maker", "Make")), "MalformedText");
});

test("engine: a disclosed contract has the key that its template gives it, value and hash", () => {
  const keyed = new Harness("keys-2.3", "keys", "Keys");
  const { instance } = keyed.commit(["alice"], keyed.create("Acc", { owner: "alice", k: "1", note: "n", seen: [] })).created[0]!;
  const touch = keyed.exercise("Acc", instance.contractId, "Touch", {}),
    disclosing = (key: object): unknown =>
      classOf(keyed.disclosing([{ ...instance, key: { ...instance.key!, ...key } }]).submit(["alice"], touch));
  assert.equal(disclosing({}), undefined);
  const fields = [{ value: { kind: "party", value: "alice" } }, { value: { kind: "int64", value: 999n } }];
  assert.equal(disclosing({ key: { kind: "record", fields } }), "Upgrade.ValidationFailed");
  assert.equal(disclosing({ hash: "00".repeat(32) }), "Upgrade.AuthenticationFailed");
});
