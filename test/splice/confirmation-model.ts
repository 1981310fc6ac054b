/** What SVs confirm and execute in the stand-ins of an economy: rounds issue, and go. How many confirm is not asked. */
import type { DefinitionId, Expr, Type } from "../../src/lf/ast.js";
import { expr, type, type ChoiceToBuild, type FieldOfThis, type ModuleBuilder } from "../support/lf-builder.js";
import { demand, isBefore, isEqual, later, nothing, now, sequence, variable } from "./economy-notation.js";
import { archive } from "./reward-model.js";

type Choice = Pick<ChoiceToBuild, "fields" | "update">;

const cidOf = (id: DefinitionId): Type => type.contractId(type.con(id));
const own =
  (name: string) =>
  (self: FieldOfThis): readonly Expr[] => [self(name)];
const refused = (why: string): Expr => expr.apply(expr.applyTypes(expr.builtin("ERROR"), type.update(type.unit)), expr.text(why));

/** In the module of the rules, which have `svs` and `config`. */
export function confirmations(rules: ModuleBuilder, amuletRules: DefinitionId, svInfo: DefinitionId) {
  const choices = ["MiningRound_StartIssuing", "MiningRound_Archive"].map((name) => ({
    tag: `CRARC_${name}`,
    id: { ...amuletRules, name: `AmuletRules_${name}` },
  }));
  const ofAmulet = rules.variant(
    "AmuletRules_ActionRequiringConfirmation",
    Object.fromEntries(choices.map(({ tag, id }) => [tag, type.con(id)])),
  );
  const wrapped = rules.record("OfAmuletRules", { amuletRulesAction: type.con(ofAmulet) }),
    action = rules.variant("ActionRequiringConfirmation", { ARC_AmuletRules: type.con(wrapped) });
  const confirmation = rules.template("Confirmation", {
    fields: { dso: type.party, confirmer: type.party, action: type.con(action), expiresAt: type.timestamp },
    signatories: own("dso"),
    choices: { Archive: { fields: {}, returns: type.unit, consuming: true, controllers: own("dso"), update: () => nothing } },
  });
  const of = (field: string): Expr => expr.field(confirmation, field, variable("confirmed"));
  const isSv = (self: FieldOfThis, party: Expr): Expr =>
    expr.match(
      expr.apply(expr.applyTypes(expr.builtin("GENMAP_LOOKUP"), type.party, type.con(svInfo)), party, self("svs")),
      { pattern: { kind: "none" }, body: expr.bool(false) },
      { pattern: { kind: "some", body: "info" }, body: expr.bool(true) },
    );

  const confirm: ChoiceToBuild = {
    fields: { confirmer: type.party, action: type.con(action) },
    returns: cidOf(confirmation),
    consuming: false,
    controllers: () => [expr.field(rules.id("DsoRules_ConfirmAction"), "confirmer", variable("arg"))],
    update(self, arg) {
      const timeout = expr.field(rules.id("DsoRulesConfig"), "actionConfirmationTimeout", self("config")),
        micros = expr.field(rules.id("DsoRulesConfig_actionConfirmationTimeout"), "microseconds", timeout);
      const made = { dso: self("dso"), confirmer: arg("confirmer"), action: arg("action"), expiresAt: later(variable("now"), micros) };
      return sequence(
        [now, demand("entitled", isSv(self, arg("confirmer")), "Confirmer is an SV")],
        expr.create(confirmation, expr.record(confirmation, made)),
      );
    },
  };
  const done = (rulesCid: Expr, of: Expr): Expr =>
    expr.match(of, {
      pattern: { kind: "variant", id: action, constructor_: "ARC_AmuletRules", binder: "wrapped" },
      body: expr.match(
        expr.field(wrapped, "amuletRulesAction", variable("wrapped")),
        ...choices.map(({ tag, id }) => ({
          pattern: { kind: "variant", id: ofAmulet, constructor_: tag, binder: "argument" } as const,
          body: expr.exercise(amuletRules, id.name, rulesCid, variable("argument")),
        })),
      ),
    });
  const execute: Choice = {
    fields: {
      action: type.con(action),
      amuletRulesCid: type.optional(cidOf(amuletRules)),
      confirmationCids: type.list(cidOf(confirmation)),
      sv: type.optional(type.party),
    },
    update(_, arg) {
      const taken = sequence(
        [
          ["before", type.unit, variable("others")],
          ["confirmed", type.con(confirmation), expr.fetch(confirmation, variable("each"))],
          demand("same", isEqual(type.con(action), of("action"), arg("action")), "Confirmed action matches"),
          demand("in_time", isBefore(variable("now"), of("expiresAt")), "confirmation.expiresAt"),
        ],
        archive(confirmation, variable("each")),
      );
      const all = expr.apply(
        expr.applyTypes(expr.builtin("FOLDL"), cidOf(confirmation), type.update(type.unit)),
        expr.lambda({ others: type.update(type.unit), each: cidOf(confirmation) }, taken),
        nothing,
        arg("confirmationCids"),
      );
      return sequence(
        [now, ["gone", type.unit, all]],
        expr.match(
          arg("amuletRulesCid"),
          { pattern: { kind: "none" }, body: refused("amuletRulesCid was not defined.") },
          { pattern: { kind: "some", body: "rulesCid" }, body: done(variable("rulesCid"), arg("action")) },
        ),
      );
    },
  };
  const expire: Choice = {
    fields: { staleConfirmationCid: cidOf(confirmation), sv: type.optional(type.party) },
    update: (_, arg) =>
      sequence(
        [
          now,
          ["confirmed", type.con(confirmation), expr.fetch(confirmation, arg("staleConfirmationCid"))],
          demand("over", isBefore(of("expiresAt"), variable("now")), "expiresAt"),
        ],
        archive(confirmation, arg("staleConfirmationCid")),
      ),
  };
  return { confirm, execute, expire };
}
