/** What a model says when it fails is told whole to whoever submitted the command. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { limits } from "../../src/config.js";
import { buildDar, buildPackage, expr, ModuleBuilder, type } from "../support/lf-builder.js";
import { create, createAndExercise, World, type Command, type Json } from "./world.js";

const main = new ModuleBuilder("M"),
  failed = main.exception("Failed", { message: type.text }, (self) => self("message")),
  unitUpdate = type.update(type.unit);
const choice = {
  fields: { text: type.text },
  returns: type.unit,
  consuming: false,
  controllers: (self: (field: string) => ReturnType<typeof expr.text>) => [self("owner")],
};
main.template("Machine", {
  fields: { owner: type.party, name: type.text, size: type.int64, note: type.optional(type.text) },
  signatories: (self) => [self("owner")],
  precondition: (self) => expr.apply(expr.applyTypes(expr.builtin("LESS"), type.int64), expr.int64(0n), self("size")),
  choices: {
    Abort: { ...choice, update: (_, arg) => expr.apply(expr.applyTypes(expr.builtin("ERROR"), unitUpdate), arg("text")) },
    Assert: {
      ...choice,
      update: (_, arg) => ({
        kind: "throw",
        returnType: unitUpdate,
        exceptionType: type.con(failed),
        exception: expr.record(failed, { message: arg("text") }),
      }),
    },
    Fail: {
      ...choice,
      update: (_, arg) =>
        expr.apply(
          expr.applyTypes(expr.builtin("FAIL_WITH_STATUS"), unitUpdate),
          expr.text("my-error"),
          { kind: "lit", value: { kind: "failureCategory", value: "INVALID_INDEPENDENT_OF_SYSTEM_STATE" } },
          arg("text"),
          expr.applyTypes(expr.builtin("TEXTMAP_EMPTY"), type.text),
        ),
    },
  },
});
const failingPackage = buildPackage({ name: "failing", version: "1.0.0", modules: [main] }),
  dar = buildDar(failingPackage),
  machine = "#failing:M:Machine";

let world: World, alice: string;
before(async () => {
  world = await World.start([dar]);
  [alice] = await world.parties("alice");
});
after(() => world.stop());

const machineOf = (more: Json = {}): Json => ({ owner: alice, name: "lathe", size: "1", ...more });
const refused = (command: Command): Promise<Json> => world.refused([alice], [command]);
const failing = (name: string, text: string): Promise<Json> => refused(createAndExercise(machine, machineOf(), name, { text }));

/** Longer than what a log would keep, with an end that is looked for. */
const long = `${"the balance of the account does not suffice; ".repeat(60)}END`;

describe("messages of a model", () => {
  for (const [name, code, opening] of [
    ["Abort", "INTERPRETATION_USER_ERROR", "User abort: "],
    ["Assert", "DAML_FAILURE", "User failure: UNHANDLED_EXCEPTION/M:Failed (error category 9): "],
    ["Fail", "DAML_FAILURE", "User failure: my-error (error category 8): "],
  ] as const) {
    it(`${name}: a message of ${long.length} characters is told to its end, behind the opening that clients cut off`, async () => {
      const error = await failing(name, long);
      assert.deepEqual([error.code, error.cause], [code, `Interpretation error: Error: ${opening}${long}`]);
    });
  }

  it("an abort's text is a resource too, whole", async () => {
    assert.deepEqual((await failing("Abort", long)).resources, [["ErrorResource(EXCEPTION_TEXT)", long]]);
  });

  it("a precondition that does not hold is told with the contract that it refused", async () => {
    const { code, cause } = await refused(create(machine, machineOf({ size: "-1", name: 'a "large" lathe' })));
    assert.equal(code, "TEMPLATE_PRECONDITION_VIOLATED");
    const id = `M:Machine@${failingPackage.id.slice(0, 8)}`;
    assert.equal(
      cause,
      `Interpretation error: Error: Update failed due to precondition violation when creating ${id} with ${id}{ owner = '${alice}', name = "a "large" lathe", size = -1, note = None }`,
    );
  });

  it("what is too long is cut, and never within a character", async () => {
    for (const shift of ["", "x"]) {
      const {
        cause,
        resources: [[, text]],
      } = await failing("Abort", `${shift}${"😀".repeat(limits.errorCauseCharsMax)}`);
      for (const told of [cause, text]) {
        assert.ok(told.endsWith("😀...") && told.length <= limits.errorCauseCharsMax + 3, told.slice(-10));
      }
    }
    const { cause } = await refused(create(machine, machineOf({ size: "0", name: "x".repeat(100_000) })));
    assert.ok(cause.endsWith("x...") && cause.length <= limits.errorCauseCharsMax + 3);
  });
});
