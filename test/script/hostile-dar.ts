/** A DAR with a script that makes contracts without end, one that throws after a question, and one that is well behaved. */
import { expr, ModuleBuilder, type } from "../support/lf-builder.js";
import { type Rest, ScriptBuilder } from "../support/script-builder.js";

const contractsAtOnce = 500;

export function buildHostileDar(): Uint8Array {
  const module = new ModuleBuilder("Hostile"),
    script = new ScriptBuilder(module);
  const coin = module.template("Coin", { fields: { owner: type.party, value: type.int64 }, signatories: (self) => [self("owner")] });
  const owner = expr.variable("owner"),
    mint = script.commands.create({ template: coin, argument: expr.record(coin, { owner, value: expr.int64(1n) }) });
  const again: Rest = { result: type.unit, free: expr.apply(expr.value(module.id("flood")), owner) };
  module.value(
    "flood",
    type.arrow(type.party, script.freeType(type.unit)),
    expr.lambda(
      { owner: type.party },
      script.submit({ actAs: [owner], commands: Array<typeof mint>(contractsAtOnce).fill(mint), at: ["flood", 10] }, () => again).free,
    ),
  );
  script.define(
    "a_floods",
    script.allocate("alice", (alice) => ({ result: type.unit, free: expr.apply(expr.value(module.id("flood")), alice) })),
  );

  const refused = module.exception("Refused", { why: type.text }, (self) => self("why"));
  script.define(
    "b_throws",
    script.ask({ name: "GetTime", payload: [], answer: type.timestamp, at: ["throws", 20] }, () => ({
      result: type.unit,
      free: {
        kind: "throw",
        returnType: script.freeType(type.unit),
        exceptionType: type.con(refused),
        exception: expr.record(refused, { why: expr.text("not today") }),
      },
    })),
  );
  script.define(
    "c_behaves",
    script.allocate("alice", (alice) =>
      script.submit(
        {
          actAs: [alice],
          commands: [script.commands.create({ template: coin, argument: expr.record(coin, { owner: alice, value: expr.int64(2n) }) })],
        },
        () => script.end(),
      ),
    ),
  );
  return script.buildDar("hostile", [module]);
}
