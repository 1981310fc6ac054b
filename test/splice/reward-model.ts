/**
 * Stand-ins of rewards: licenses by which validators record that they are there, coupons of SVs and apps, and the transfer that makes
 * Amulet of them, which takes what it is given and leaves one contract.
 */
import type { Alternative, DefinitionId, Expr, Type } from "../../src/lf/ast.js";
import { expr, type, type ChoiceToBuild, type FieldOfThis, type ModuleBuilder } from "../support/lf-builder.js";
import { demand, either, isBy, nothing, now, sequence, variable, type Step } from "./economy-notation.js";

const decimal = type.numeric(10);
const cidOf = (id: DefinitionId): Type => type.contractId(type.con(id));
const field = (id: DefinitionId, record: Expr, name: string): Expr => expr.field(id, name, record);
const own = (name: string) => (self: FieldOfThis) => [self(name)];
export const archive = (id: DefinitionId, contractId: Expr): Expr =>
  expr.exercise(id, "Archive", contractId, expr.record({ ...id, name: "Archive" }, {}));
const archivedBy = (controller: string): ChoiceToBuild => ({
  fields: {},
  returns: type.unit,
  consuming: true,
  controllers: own(controller),
  update: () => nothing,
});
const ofDsoFor = (party: string) => ({ signatories: own("dso"), observers: own(party), choices: { Archive: archivedBy("dso") } });

interface RoundIds {
  readonly number: DefinitionId;
  readonly open: DefinitionId;
}

/** A validator's license and its records, one for each round at most. */
export function licenses(license: ModuleBuilder, { number, open }: RoundIds) {
  const faucets = license.record("FaucetState", { lastReceivedFor: type.con(number) });
  const record = license.template("ValidatorLivenessActivityRecord", {
    fields: { dso: type.party, validator: type.party, round: type.con(number) },
    ...ofDsoFor("validator"),
  });
  const isNew = (self: FieldOfThis): Expr =>
    expr.match(
      self("faucetState"),
      { pattern: { kind: "none" }, body: expr.bool(true) },
      {
        pattern: { kind: "some", body: "state" },
        body: expr.apply(
          expr.applyTypes(expr.builtin("LESS"), type.int64),
          field(number, field(faucets, variable("state"), "lastReceivedFor"), "number"),
          field(number, field(open, variable("round"), "round"), "number"),
        ),
      },
    );
  const licensed: DefinitionId = license.template("ValidatorLicense", {
    fields: { dso: type.party, validator: type.party, faucetState: type.optional(type.con(faucets)) },
    signatories: own("dso"),
    observers: own("validator"),
    choices: {
      ValidatorLicense_RecordValidatorLivenessActivity: {
        fields: { openRoundCid: cidOf(open) },
        returns: type.unit,
        consuming: true,
        controllers: own("validator"),
        update(self, arg) {
          const round = field(open, variable("round"), "round"),
            license_ = license.id("ValidatorLicense"),
            common = { dso: self("dso"), validator: self("validator") };
          const state = expr.some(type.con(faucets), expr.record(faucets, { lastReceivedFor: round }));
          return sequence(
            [
              now,
              ["round", type.con(open), expr.fetch(open, arg("openRoundCid"))],
              demand("begun", isBy(type.timestamp, field(open, variable("round"), "opensAt"), variable("now")), "OpenRound is open"),
              demand("new", isNew(self), "Not yet received"),
              ["renewed", cidOf(license_), expr.create(license_, expr.record(license_, { ...common, faucetState: state }))],
              ["recorded", cidOf(record), expr.create(record, expr.record(record, { ...common, round }))],
            ],
            nothing,
          );
        },
      },
    },
  });
  return { licensed, faucets, record };
}

export interface CouponIds {
  readonly svCoupon: DefinitionId;
  readonly appCoupon: DefinitionId;
}
export function coupons(amulet: ModuleBuilder, number: DefinitionId): CouponIds {
  const round = type.con(number),
    dso = type.party;
  return {
    svCoupon: amulet.template("SvRewardCoupon", {
      fields: { dso, sv: type.party, beneficiary: type.party, round, weight: type.int64 },
      ...ofDsoFor("beneficiary"),
    }),
    appCoupon: amulet.template("AppRewardCoupon", {
      fields: { dso, provider: type.party, featured: type.bool, amount: decimal, round },
      ...ofDsoFor("provider"),
    }),
  };
}

/** What coupons of every round are worth. */
export const issuance = {
  issuancePerValidatorRewardCoupon: 2_000_000_000n,
  issuancePerFeaturedAppRewardCoupon: 1_000_000_000_000n,
  issuancePerUnfeaturedAppRewardCoupon: 6_000_000_000n,
  issuancePerSvRewardCoupon: 100_000_000n,
  optIssuancePerValidatorFaucetCoupon: 50_000_000_000n,
} as const;
const faucet = "optIssuancePerValidatorFaucetCoupon";
export const issuanceFields: Readonly<Record<keyof typeof issuance, Type>> = {
  issuancePerValidatorRewardCoupon: decimal,
  issuancePerFeaturedAppRewardCoupon: decimal,
  issuancePerUnfeaturedAppRewardCoupon: decimal,
  issuancePerSvRewardCoupon: decimal,
  [faucet]: type.optional(decimal),
};
export const issued: Readonly<Record<string, Expr>> = Object.fromEntries(
  Object.entries(issuance).map(([name, parts]) => {
    const each = expr.numeric(parts, 10);
    return [name, name === faucet ? expr.some(decimal, each) : each];
  }),
);

export interface TransferIds extends RoundIds, CouponIds {
  readonly issuing: DefinitionId;
  readonly record: DefinitionId;
  readonly coin: DefinitionId;
  readonly amount: DefinitionId;
}

const added = (left: Expr, right: Expr): Expr =>
  expr.apply(expr.applyTypes(expr.builtin("ADD_NUMERIC"), { kind: "nat", value: 10 }), left, right);
function times(left: Expr, right: Expr): Expr {
  const scale: Type = { kind: "nat", value: 10 };
  return expr.apply(expr.applyTypes(expr.builtin("MUL_NUMERIC"), scale, scale, scale), expr.numeric(0n, 10), left, right);
}
const decimalOf = (whole: Expr): Expr =>
  expr.apply(expr.applyTypes(expr.builtin("INT64_TO_NUMERIC"), { kind: "nat", value: 10 }), expr.numeric(0n, 10), whole);

/** The types of a transfer's argument, and its choice; `make`: the Amulet of such a sum. */
export function transferring(rules: ModuleBuilder, ids: TransferIds, make: (owner: Expr, sum: Expr) => Expr) {
  const { coin, amount, record, svCoupon, appCoupon, number, issuing, open } = ids;
  const input = rules.variant("TransferInput", {
    InputAmulet: cidOf(coin),
    InputValidatorLivenessActivityRecord: cidOf(record),
    InputSvRewardCoupon: cidOf(svCoupon),
    InputAppRewardCoupon: cidOf(appCoupon),
  });
  const context = rules.record("TransferContext", {
    openMiningRound: cidOf(open),
    issuingMiningRounds: type.genMap(type.con(number), cidOf(issuing)),
    validatorRights: type.genMap(type.party, type.text),
    featuredAppRight: type.optional(type.text),
  });
  const transfer = rules.record("Transfer", { sender: type.party, provider: type.party, inputs: type.list(type.con(input)) });

  /** Ends it, and adds what it is worth to what was before. */
  const taken = (constructor_: string, id: DefinitionId, steps: readonly Step[], worth: Expr): Alternative => ({
    pattern: { kind: "variant", id: input, constructor_, binder: "cid" },
    body: sequence(
      [["spent", type.con(id), expr.fetch(id, variable("cid"))], ["gone", type.unit, archive(id, variable("cid"))], ...steps],
      expr.pure(decimal, added(variable("before"), worth)),
    ),
  });
  /** With the round that the context has for it, which has to issue. */
  const redeemed = (constructor_: string, id: DefinitionId, worth: (round: (name: string) => Expr) => Expr): Alternative => {
    const found = expr.apply(
      expr.applyTypes(expr.builtin("GENMAP_LOOKUP"), type.con(number), cidOf(issuing)),
      field(id, variable("spent"), "round"),
      field(context, variable("context"), "issuingMiningRounds"),
    );
    const missing = expr.apply(
      expr.applyTypes(expr.builtin("ERROR"), type.update(type.con(issuing))),
      expr.text("the context has the coupon's round"),
    );
    const issuingRound = expr.match(
      found,
      { pattern: { kind: "none" }, body: missing },
      { pattern: { kind: "some", body: "roundCid" }, body: expr.fetch(issuing, variable("roundCid")) },
    );
    const opensAt = field(issuing, variable("issuing"), "opensAt");
    return taken(
      constructor_,
      id,
      [
        now,
        ["issuing", type.con(issuing), issuingRound],
        demand("issues", isBy(type.timestamp, opensAt, variable("now")), "the round issues"),
      ],
      worth((name) => field(issuing, variable("issuing"), name)),
    );
  };
  const spent = (id: DefinitionId, name: string): Expr => field(id, variable("spent"), name);
  const worths = [
    taken("InputAmulet", coin, [], field(amount, spent(coin, "amount"), "initialAmount")),
    redeemed("InputValidatorLivenessActivityRecord", record, (round) =>
      expr.match(
        round(faucet),
        { pattern: { kind: "none" }, body: expr.numeric(0n, 10) },
        { pattern: { kind: "some", body: "each" }, body: variable("each") },
      ),
    ),
    redeemed("InputSvRewardCoupon", svCoupon, (round) => times(decimalOf(spent(svCoupon, "weight")), round("issuancePerSvRewardCoupon"))),
    redeemed("InputAppRewardCoupon", appCoupon, (round) =>
      times(
        spent(appCoupon, "amount"),
        either(spent(appCoupon, "featured"), round("issuancePerFeaturedAppRewardCoupon"), round("issuancePerUnfeaturedAppRewardCoupon")),
      ),
    ),
  ];
  const step = expr.lambda(
    { sum: type.update(decimal), input: type.con(input) },
    sequence([["before", decimal, variable("sum")]], expr.match(variable("input"), ...worths)),
  );
  const choice: ChoiceToBuild = {
    fields: { transfer: type.con(transfer), context: type.con(context) },
    returns: type.optional(cidOf(coin)),
    consuming: false,
    controllers: () => [field(transfer, field(rules.id("AmuletRules_Transfer"), variable("arg"), "transfer"), "sender")],
    update: (_, arg) =>
      expr.let(
        [expr.bind("context", type.con(context), arg("context"))],
        sequence(
          [
            [
              "total",
              decimal,
              expr.apply(
                expr.applyTypes(expr.builtin("FOLDL"), type.con(input), type.update(decimal)),
                step,
                expr.pure(decimal, expr.numeric(0n, 10)),
                field(transfer, arg("transfer"), "inputs"),
              ),
            ],
            demand("some", isMore(variable("total")), "there is something to transfer"),
            ["made", cidOf(coin), make(field(transfer, arg("transfer"), "sender"), variable("total"))],
          ],
          expr.pure(type.optional(cidOf(coin)), expr.some(cidOf(coin), variable("made"))),
        ),
      ),
  };
  return { input, context, transfer, choice };
}
const isMore = (sum: Expr): Expr => expr.apply(expr.applyTypes(expr.builtin("LESS"), decimal), expr.numeric(0n, 10), sum);

export interface WalletIds {
  readonly amuletRules: DefinitionId;
  readonly coin: DefinitionId;
  readonly input: DefinitionId;
  readonly context: DefinitionId;
  readonly transfer: DefinitionId;
}

/** By which a validator acts for the owner of a wallet: its batch knows one operation. */
export function walletInstalls({ amuletRules, coin, input, context, transfer }: WalletIds, install: ModuleBuilder): ModuleBuilder {
  const payment = install.record("PaymentTransferContext", { amuletRules: cidOf(amuletRules), context: type.con(context) });
  const operation = install.variant("AmuletOperation", { CO_MergeTransferInputs: type.unit }),
    outcome = install.variant("AmuletOperationOutcome", { COO_MergeTransferInputs: type.optional(cidOf(coin)), COO_Error: type.text });
  const result = install.record("WalletAppInstall_ExecuteBatchResult", { outcomes: type.list(type.con(outcome)) }),
    choice = { ...amuletRules, name: "AmuletRules_Transfer" };
  const both = (self: FieldOfThis) => [self("endUserParty"), self("validatorParty")];
  install.template("WalletAppInstall", {
    fields: { dsoParty: type.party, validatorParty: type.party, endUserName: type.text, endUserParty: type.party },
    signatories: both,
    choices: {
      Archive: { fields: {}, returns: type.unit, consuming: true, controllers: both, update: () => nothing },
      WalletAppInstall_ExecuteBatch: {
        fields: { context: type.con(payment), inputs: type.list(type.con(input)), operations: type.list(type.con(operation)) },
        returns: type.con(result),
        consuming: false,
        controllers: own("validatorParty"),
        update(self, arg) {
          const owner = self("endUserParty"),
            asked = expr.record(transfer, { sender: owner, provider: owner, inputs: arg("inputs") });
          const argument = expr.record(choice, { transfer: asked, context: field(payment, arg("context"), "context") });
          const rules = field(payment, arg("context"), "amuletRules"),
            made = expr.exercise(amuletRules, choice.name, rules, argument);
          const merged = expr.variant(outcome, "COO_MergeTransferInputs", variable("made"));
          return sequence(
            [["made", type.optional(cidOf(coin)), made]],
            expr.pure(type.con(result), expr.record(result, { outcomes: expr.list(type.con(outcome), merged) })),
          );
        },
      },
    },
  });
  return install;
}

/** How far an SV has had its share of rounds, and how it gets the next. */
export function svRewards(
  states: ModuleBuilder,
  rules: ModuleBuilder,
  { number, open, svCoupon, dsoRules }: RoundIds & Pick<CouponIds, "svCoupon"> & { readonly dsoRules: DefinitionId },
) {
  const reached = states.record("RewardState", { lastRoundCollected: type.con(number) });
  const state = states.template("SvRewardState", {
    fields: { dso: type.party, svName: type.text, state: type.con(reached) },
    signatories: own("dso"),
    choices: { Archive: archivedBy("dso") },
  });
  const share = rules.record("Share", { _1: type.party, _2: type.int64 });
  const claim: ChoiceToBuild = {
    fields: { sv: type.party, openRoundCid: cidOf(open), rewardStateCid: cidOf(state), beneficiaries: type.list(type.con(share)) },
    returns: type.unit,
    consuming: false,
    controllers: () => [field({ ...dsoRules, name: "DsoRules_ReceiveSvRewardCoupon" }, variable("arg"), "sv")],
    update(self, arg) {
      const round = field(open, variable("round"), "round"),
        number_ = (record: Expr): Expr => field(number, record, "number"),
        before = field(reached, field(state, variable("state"), "state"), "lastRoundCollected");
      const coupon = (beneficiary: Expr, weight: Expr): Expr =>
        expr.create(svCoupon, expr.record(svCoupon, { dso: self("dso"), sv: arg("sv"), beneficiary, round, weight }));
      const given = expr.match(
        arg("beneficiaries"),
        { pattern: { kind: "nil" }, body: nothing },
        {
          pattern: { kind: "cons", head: "first", tail: "others" },
          body: sequence(
            [["coupon", cidOf(svCoupon), coupon(field(share, variable("first"), "_1"), field(share, variable("first"), "_2"))]],
            nothing,
          ),
        },
      );
      const renewed = expr.record(state, {
        dso: self("dso"),
        svName: field(state, variable("state"), "svName"),
        state: expr.record(reached, { lastRoundCollected: round }),
      });
      return sequence(
        [
          now,
          ["round", type.con(open), expr.fetch(open, arg("openRoundCid"))],
          ["state", type.con(state), expr.fetch(state, arg("rewardStateCid"))],
          demand("begun", isBy(type.timestamp, field(open, variable("round"), "opensAt"), variable("now")), "OpenRound is open"),
          demand(
            "new",
            expr.apply(expr.applyTypes(expr.builtin("LESS"), type.int64), number_(before), number_(round)),
            "the round was not collected yet",
          ),
          ["gone", type.unit, archive(state, arg("rewardStateCid"))],
          ["renewed", cidOf(state), expr.create(state, renewed)],
        ],
        given,
      );
    },
  };
  return { state, reached, claim };
}
