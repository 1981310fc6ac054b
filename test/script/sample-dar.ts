/** A DAR whose scripts end in every way that a script can. */
import { expr, ModuleBuilder, type } from "../support/lf-builder.js";
import { ScriptBuilder, typedText } from "../support/script-builder.js";
import { stableId } from "../support/script-library.js";

export function buildSampleDar(name = "sample", greeting = "hello"): Uint8Array {
  const module = new ModuleBuilder("Tests.Sample"),
    script = new ScriptBuilder(module);
  const iou = module.template("Iou", {
    fields: { issuer: type.party, owner: type.party, amount: type.int64 },
    signatories: (self) => [self("issuer")],
    observers: (self) => [self("owner")],
    precondition: (self) => expr.apply(expr.applyTypes(expr.builtin("GREATER"), type.int64), self("amount"), expr.int64(0n)),
    choices: {
      Spend: { fields: {}, returns: type.unit, controllers: (self) => [self("owner")], update: () => expr.pure(type.unit, expr.unit) },
    },
  });
  module.template("Unused", { fields: { owner: type.party }, signatories: (self) => [self("owner")] });
  const owe = (issuer: ReturnType<typeof expr.variable>, owner: typeof issuer, amount = 1n) =>
    script.commands.create({ template: iou, argument: expr.record(iou, { issuer, owner, amount: expr.int64(amount) }) });

  script.define(
    "a_works",
    script.allocate("alice", (alice) =>
      script.submit({ actAs: [alice], commands: [owe(alice, alice)], at: ["works", 10] }, () => script.end(typedText(greeting))),
    ),
  );
  script.define(
    "b_lacksAuthority",
    script.allocate("alice", (alice) =>
      script.allocate("bob", (bob) =>
        script.submit({ actAs: [alice], commands: [owe(alice, bob), owe(bob, alice)], at: ["lacksAuthority", 20] }, () => script.end()),
      ),
    ),
  );
  script.define(
    "c_asserts",
    script.ask({ name: "GetTime", payload: [], answer: type.timestamp, at: ["asserts", 30] }, () => script.error("5 /= 6")),
  );
  // A value that is defined by calling itself: it never gets to its first question.
  const loop = module.value(
    "spin",
    type.arrow(type.int64, type.int64),
    expr.lambda({ n: type.int64 }, expr.apply(expr.value(module.id("spin")), expr.variable("n"))),
  );
  script.define(
    "loops",
    script.ask({ name: "GetTime", payload: [], answer: type.timestamp, at: ["loops", 40] }, () =>
      script.end({ type: type.int64, expr: expr.apply(expr.value(loop), expr.int64(0n)) }),
    ),
  );
  script.define(
    "e_sleeps",
    script.ask(
      {
        name: "Sleep",
        payload: [
          {
            type: type.con(stableId("DA.Time.Types", "RelTime")),
            expr: expr.record(stableId("DA.Time.Types", "RelTime"), { microseconds: expr.int64(31_536_000_000_000n) }),
          },
        ],
        answer: type.unit,
        at: ["sleeps", 50],
      },
      () => script.end(),
    ),
  );
  script.define(
    "f_expectsFailure",
    script.allocate("alice", (alice) =>
      script.submit({ actAs: [alice], commands: [owe(alice, alice, 0n)], behaviour: "MustFail", at: ["expectsFailure", 60] }, () =>
        script.end(),
      ),
    ),
  );
  script.define(
    "g_asksTooMuch",
    script.ask({ name: "Divine", payload: [], answer: type.unit, at: ["asksTooMuch", 70] }, () => script.end()),
  );
  script.define(
    "anyName",
    script.ask(
      {
        name: "AllocateParty",
        payload: [typedText("carol"), typedText(""), { type: type.optional(type.text), expr: expr.none(type.text) }],
        answer: type.party,
      },
      (carol) => script.submit({ actAs: [carol], commands: [owe(carol, carol)] }, () => script.end()),
    ),
  );
  const order = type.con(module.record("Order", { count: type.int64, note: type.text }));
  script.defineFunction("needsArgument", order, (argument) => script.end({ type: order, expr: argument }));
  return script.buildDar(name, [module]);
}
