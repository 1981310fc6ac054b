/**
 * Stand-ins of the packages that a network is bootstrapped from and kept alive with, of both generations: the names, templates
 * and choices that bootstrap and automation use, with the conditions under which the real ones refuse.
 */
import type { DefinitionId, Expr, Type } from "../../src/lf/ast.js";
import { bootstrapArguments } from "../../src/splice/bootstrap/configuration.js";
import type { Generation } from "../../src/splice/generations.js";
import { buildDar, buildPackage, expr, ModuleBuilder, type, type ChoiceToBuild, type FieldOfThis } from "../support/lf-builder.js";
import {
  demand,
  either,
  isBefore,
  isBy,
  isEqual,
  later,
  nothing,
  now,
  plus,
  sequence,
  typeOf,
  variable,
  type Step,
} from "./economy-notation.js";
import { confirmations } from "./confirmation-model.js";
import { coupons, issuanceFields, issued, licenses, svRewards, transferring, walletInstalls } from "./reward-model.js";

const versions = {
  rounds: {
    amulet: "0.1.13",
    nameService: "0.1.13",
    governance: "0.1.18",
    validatorLifecycle: "0.1.5",
    wallet: "0.1.13",
    walletPayments: "0.1.13",
  },
  configStates: {
    amulet: "0.1.22",
    nameService: "0.1.23",
    governance: "0.1.28",
    validatorLifecycle: "0.1.8",
    wallet: "0.1.23",
    walletPayments: "0.1.22",
  },
} as const;
/** Both generations have its types. */
const sample = bootstrapArguments({
  dso: "",
  sv: { party: "", name: "" },
  participant: "",
  synchronizerId: "",
  packages: { generation: "rounds", versions: versions.rounds },
});

const parties =
  (...names: string[]) =>
  (self: FieldOfThis): readonly Expr[] =>
    names.map(self);
const decimal = type.numeric(10);
const amuletPrice = expr.numeric(5_000_000_000n, 10);
const get =
  (id: DefinitionId, record: Expr) =>
  (field: string): Expr =>
    expr.field(id, field, record);
const cidOf = (id: DefinitionId): Type => type.contractId(type.con(id));
const fetched = (name: string, id: DefinitionId, contractId: Expr): Step => [name, type.con(id), expr.fetch(id, contractId)];
const archived = (name: string, id: DefinitionId, contractId: Expr): Step => [
  name,
  type.unit,
  expr.exercise(id, "Archive", contractId, expr.record(archiveOf(id), {})),
];
const archiveOf = ({ packageId, module }: DefinitionId): DefinitionId => ({ packageId, module, name: "Archive" });
const created = (name: string, id: DefinitionId, fields: Readonly<Record<string, Expr>>): Step => [
  name,
  cidOf(id),
  expr.create(id, expr.record(id, fields)),
];
const choiceBy = (
  controller: string,
  fields: Readonly<Record<string, Type>>,
  update: ChoiceToBuild["update"],
  consuming = false,
): ChoiceToBuild => ({ fields, returns: type.unit, consuming, controllers: parties(controller), update });
/** As compilers give it to every template. */
const archivable = { Archive: choiceBy("dso", {}, () => nothing, true) };

export function amuletPackage(generation: Generation) {
  const amulet = new ModuleBuilder("Splice.Amulet"),
    round = new ModuleBuilder("Splice.Round"),
    rules = new ModuleBuilder("Splice.AmuletRules");
  const external = new ModuleBuilder("Splice.ExternalPartyAmuletRules"),
    states = new ModuleBuilder("Splice.ExternalPartyConfigState");
  const license = new ModuleBuilder("Splice.ValidatorLicense");
  const ofDso = { signatories: parties("dso") };

  const coinRound = amulet.record("RoundNumber", { number: type.int64 }),
    rate = amulet.record("RatePerRound", { rate: decimal });
  const amount = amulet.record("ExpiringAmount", { initialAmount: decimal, createdAt: type.con(coinRound), ratePerRound: type.con(rate) });
  const coin = amulet.template("Amulet", {
    fields: { dso: type.party, owner: type.party, amount: type.con(amount) },
    signatories: parties("dso", "owner"),
    choices: archivable,
  });
  const coupon = amulet.template("DevelopmentFundCoupon", {
    fields: { dso: type.party, expiresAt: type.timestamp },
    ...ofDso,
    choices: archivable,
  });
  const number = round.record("Number", { number: type.int64 }),
    relTime = round.record("RelTime", { microseconds: type.int64 });
  const times = { opensAt: type.timestamp, targetClosesAt: type.timestamp },
    numbered = { dso: type.party, round: type.con(number) };
  const open = round.template("OpenMiningRound", {
    fields: { ...numbered, ...times, amuletPrice: decimal, tickDuration: type.con(relTime) },
    ...ofDso,
    choices: archivable,
  });
  const { licensed, faucets, record } = licenses(license, { number, open }),
    { svCoupon, appCoupon } = coupons(amulet, number);
  const summarizing = round.template("SummarizingMiningRound", {
    fields: { ...numbered, tickDuration: type.con(relTime) },
    ...ofDso,
    choices: archivable,
  });
  const issuing = round.template("IssuingMiningRound", {
    fields: { ...numbered, ...times, ...issuanceFields },
    ...ofDso,
    choices: archivable,
  });
  const closed = round.template("ClosedMiningRound", { fields: numbered, ...ofDso, choices: archivable });
  const externalRules = external.template("ExternalPartyAmuletRules", { fields: { dso: type.party }, ...ofDso });
  const state = states.id("ExternalPartyConfigState");
  const hasStates = generation === "configStates";
  if (hasStates)
    states.template("ExternalPartyConfigState", {
      fields: { dso: type.party, targetArchiveAfter: type.timestamp },
      ...ofDso,
      choices: archivable,
    });

  const config = typeOf(rules, "AmuletConfig", sample.amuletConfig);
  const later_ = rules.record("LaterConfig", { _1: type.text, _2: config });
  const schedule = rules.record("Schedule", { initialValue: config, futureValues: type.list(type.con(later_)) });
  const triple = rules.record("OpenMiningRoundTriple", { round0Cid: cidOf(open), round1Cid: cidOf(open), round2Cid: cidOf(open) });
  const fee = (self: FieldOfThis): Expr => {
    const path = ["initialValue", "transferConfig", "createFee", "fee"] as const;
    const ids = [
      schedule,
      rules.id("AmuletConfig"),
      rules.id("AmuletConfig_transferConfig"),
      rules.id("AmuletConfig_transferConfig_createFee"),
    ];
    return path.reduce<Expr>((record, field, index) => expr.field(ids[index]!, field, record), self("configSchedule"));
  };
  const summary = rules.record("AmuletCreateSummary", { amulet: cidOf(coin) }),
    tapped = rules.record("AmuletRules_DevNet_TapResult", { amuletSum: type.con(summary) });
  const coinOf = (dso: Expr, owner: Expr, sum: Expr, roundNumber: Expr): Expr =>
    expr.create(
      coin,
      expr.record(coin, {
        dso,
        owner,
        amount: expr.record(amount, {
          initialAmount: sum,
          createdAt: expr.record(coinRound, { number: roundNumber }),
          ratePerRound: expr.record(rate, { rate: expr.numeric(0n, 10) }),
        }),
      }),
    );
  const { input, context, transfer, choice } = transferring(
    rules,
    { number, open, issuing, record, coin, amount, svCoupon, appCoupon },
    (owner, sum) => coinOf(expr.field(rules.id("AmuletRules"), "dso", variable("this")), owner, sum, expr.int64(0n)),
  );
  const amuletRules = rules.template("AmuletRules", {
    fields: { dso: type.party, configSchedule: type.con(schedule), isDevNet: type.bool },
    ...ofDso,
    precondition: (self) =>
      hasStates
        ? isEqual(type.text, fee(self), expr.text("0.0"))
        : either(isEqual(type.text, fee(self), expr.text("0.0")), expr.bool(false), expr.bool(true)),
    choices: {
      ...archivable,
      AmuletRules_DevNet_Tap: {
        ...choiceBy("dso", { receiver: type.party, amount: decimal, openRound: cidOf(open) }, (self, arg) =>
          sequence(
            [
              fetched("round", open, arg("openRound")),
              [
                "coin",
                cidOf(coin),
                coinOf(self("dso"), arg("receiver"), arg("amount"), get(number, get(open, variable("round"))("round"))("number")),
              ],
            ],
            expr.pure(type.con(tapped), expr.record(tapped, { amuletSum: expr.record(summary, { amulet: variable("coin") }) })),
          ),
        ),
        returns: type.con(tapped),
        controllers: () => [expr.field(rules.id("AmuletRules_DevNet_Tap"), "receiver", variable("arg"))],
      },
      AmuletRules_Transfer: choice,
      AmuletRules_Preapprove: {
        ...choiceBy("dso", { receiver: type.party, provider: type.party, expiresAt: type.timestamp }, (self, arg) =>
          sequence(
            [now],
            expr.create(
              rules.id("TransferPreapproval"),
              expr.record(rules.id("TransferPreapproval"), {
                dso: self("dso"),
                receiver: arg("receiver"),
                provider: arg("provider"),
                validFrom: variable("now"),
                expiresAt: arg("expiresAt"),
              }),
            ),
          ),
        ),
        returns: cidOf(rules.id("TransferPreapproval")),
        controllers: () => ["receiver", "provider"].map((field) => expr.field(rules.id("AmuletRules_Preapprove"), field, variable("arg"))),
      },
      AmuletRules_MiningRound_StartIssuing: choiceBy(
        "dso",
        { miningRoundCid: cidOf(summarizing), summary: summaryType(rules) },
        (self, arg) => {
          const ended = get(summarizing, variable("ended")),
            tick = get(relTime, ended("tickDuration"))("microseconds");
          const opensAt = later(variable("now"), tick),
            targetClosesAt = later(later(opensAt, tick), tick);
          return sequence(
            [
              now,
              fetched("ended", summarizing, arg("miningRoundCid")),
              archived("gone", summarizing, arg("miningRoundCid")),
              created("issued", issuing, { dso: self("dso"), round: ended("round"), opensAt, targetClosesAt, ...issued }),
            ],
            nothing,
          );
        },
      ),
      AmuletRules_MiningRound_Archive: choiceBy("dso", { closedRoundCid: cidOf(closed) }, (_, arg) =>
        sequence([archived("gone", closed, arg("closedRoundCid"))], nothing),
      ),
      ...(hasStates
        ? {
            AmuletRules_BootstrapExternalPartyConfigState: choiceBy(
              "dso",
              { openMiningRoundTriple: type.con(triple), expectedDso: type.party },
              (self) => sequence([now, ...pairOfStates(state, self("dso"))], nothing),
            ),
          }
        : {}),
    },
  });
  const preapproval = rules.template("TransferPreapproval", {
    fields: { dso: type.party, receiver: type.party, provider: type.party, validFrom: type.timestamp, expiresAt: type.timestamp },
    signatories: parties("dso", "receiver", "provider"),
    choices: {
      TransferPreapproval_Expire: choiceBy(
        "dso",
        {},
        (self) => sequence([now, demand("over", isBefore(self("expiresAt"), variable("now")), "it has not expired")], nothing),
        true,
      ),
    },
  });

  const built = buildPackage({
    name: "splice-amulet",
    version: versions[generation].amulet,
    modules: [amulet, license, round, rules, external, ...(hasStates ? [states] : [])],
  });
  const config_ = rules.id("AmuletConfig"),
    ids = {
      config: config_,
      coin,
      coupon,
      licensed,
      faucets,
      svCoupon,
      input,
      context,
      transfer,
      number,
      relTime,
      open,
      summarizing,
      issuing,
      closed,
      externalRules,
      state,
      amuletRules,
      schedule,
      later: later_,
      triple,
      preapproval,
    };
  const foreign = Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, { ...id, packageId: built.id }])) as {
    readonly [K in keyof typeof ids]: DefinitionId;
  };
  return { built, ids: foreign, hasStates };
}

/** The first lasts a day, the second two. */
const pairOfStates = (state: DefinitionId, dso: Expr): readonly Step[] =>
  [1n, 2n].map((days) =>
    created(`state${days}`, state, { dso, targetArchiveAfter: later(variable("now"), expr.int64(days * 86_400_000_000n)) }),
  );

const summaryType = (rules: ModuleBuilder): Type =>
  type.con(
    rules.record("OpenMiningRoundSummary", {
      totalValidatorRewardCoupons: decimal,
      totalFeaturedAppRewardCoupons: decimal,
      totalUnfeaturedAppRewardCoupons: decimal,
      totalSvRewardWeight: type.int64,
      optTotalValidatorFaucetCoupons: type.optional(type.int64),
    }),
  );

interface Governance {
  readonly version?: string;
  /** Fields of its bootstrap's argument that it does not know yet. */
  readonly lacking?: readonly string[];
}

function governancePackage(generation: Generation, { version = versions[generation].governance, lacking = [] }: Governance) {
  const { ids, hasStates } = amuletPackage(generation);
  const rules = new ModuleBuilder("Splice.DsoRules"),
    bootstrap = new ModuleBuilder("Splice.DsoBootstrap"),
    price = new ModuleBuilder("Splice.DSO.AmuletPrice"),
    svStates = new ModuleBuilder("Splice.DSO.SvState");
  const ofDso = { signatories: parties("dso") };
  const vote = price.template("AmuletPriceVote", { fields: { dso: type.party, sv: type.party }, ...ofDso });

  const svInfo = rules.record("SvInfo", { name: type.text, svRewardWeight: type.int64 }),
    svs = type.genMap(type.party, type.con(svInfo));
  const config = typeOf(rules, "DsoRulesConfig", sample.config);
  const cast = rules.record("Vote", { accept: type.bool });
  const request = rules.template("VoteRequest", {
    fields: {
      dso: type.party,
      requester: type.text,
      voteBefore: type.timestamp,
      votes: type.genMap(type.text, type.con(cast)),
      targetEffectiveAt: type.optional(type.timestamp),
    },
    ...ofDso,
    choices: archivable,
  });
  const { confirm, execute, expire } = confirmations(rules, ids.amuletRules, svInfo);
  const sv = { sv: type.optional(type.party) },
    { state: rewardState, reached, claim } = svRewards(svStates, rules, { ...ids, dsoRules: rules.id("DsoRules") });
  const amuletRulesCid = cidOf(ids.amuletRules),
    tick = (record: Expr): Expr => get(ids.relTime, get(ids.open, record)("tickDuration"))("microseconds");
  const dsoRules = rules.template("DsoRules", {
    fields: { dso: type.party, svs, config },
    ...ofDso,
    choices: {
      ...archivable,
      DsoRules_ReceiveSvRewardCoupon: claim,
      DsoRules_ConfirmAction: confirm,
      DsoRules_ExecuteConfirmedAction: bySvOf(rules, "DsoRules_ExecuteConfirmedAction", execute.fields, execute.update),
      DsoRules_ExpireStaleConfirmation: bySvOf(rules, "DsoRules_ExpireStaleConfirmation", expire.fields, expire.update),
      DsoRules_ExpireTransferPreapproval: bySvOf(
        rules,
        "DsoRules_ExpireTransferPreapproval",
        { transferPreapprovalCid: cidOf(ids.preapproval), ...sv },
        (_, arg) =>
          expr.exercise(
            ids.preapproval,
            "TransferPreapproval_Expire",
            arg("transferPreapprovalCid"),
            expr.record({ ...ids.preapproval, name: "TransferPreapproval_Expire" }, {}),
          ),
      ),
      DsoRules_OnboardValidator: {
        ...choiceBy(
          "dso",
          { sponsor: type.party, validator: type.party, version: type.optional(type.text), contactPoint: type.optional(type.text) },
          (self, arg) =>
            sequence(
              [
                created("license", ids.licensed, {
                  dso: self("dso"),
                  validator: arg("validator"),
                  faucetState: expr.none(type.con(ids.faucets)),
                }),
              ],
              nothing,
            ),
        ),
        controllers: () =>
          ["sponsor", "validator"].map((field) => expr.field(rules.id("DsoRules_OnboardValidator"), field, variable("arg"))),
      },
      DsoRules_AdvanceOpenMiningRounds: bySvOf(
        rules,
        "DsoRules_AdvanceOpenMiningRounds",
        {
          amuletRulesCid,
          roundToArchiveCid: cidOf(ids.open),
          middleRoundCid: cidOf(ids.open),
          latestRoundCid: cidOf(ids.open),
          amuletPriceVoteCids: type.list(cidOf(vote)),
          ...sv,
        },
        (self, arg) => {
          const oldest = get(ids.open, variable("oldest")),
            middle = get(ids.open, variable("middle")),
            latest = get(ids.open, variable("latest"));
          const opensAt = later(variable("now"), tick(variable("latest"))),
            length = tick(variable("latest"));
          const next = plus(get(ids.number, latest("round"))("number"), expr.int64(1n));
          return sequence(
            [
              now,
              fetched("oldest", ids.open, arg("roundToArchiveCid")),
              fetched("middle", ids.open, arg("middleRoundCid")),
              fetched("latest", ids.open, arg("latestRoundCid")),
              demand("over", isBy(type.timestamp, oldest("targetClosesAt"), variable("now")), "roundToArchive is past targetCloseAt"),
              demand("begun", isBy(type.timestamp, latest("opensAt"), variable("now")), "latestRound is open"),
              demand(
                "lasting",
                isBy(type.timestamp, later(middle("opensAt"), tick(variable("middle"))), variable("now")),
                "middle round has been open for >= 1 tick",
              ),
              archived("gone", ids.open, arg("roundToArchiveCid")),
              created("ended", ids.summarizing, { dso: self("dso"), round: oldest("round"), tickDuration: oldest("tickDuration") }),
              created("announced", ids.open, {
                dso: self("dso"),
                round: expr.record(ids.number, { number: next }),
                opensAt,
                targetClosesAt: later(later(opensAt, length), length),
                amuletPrice,
                tickDuration: latest("tickDuration"),
              }),
            ],
            nothing,
          );
        },
      ),
      DsoRules_MiningRound_Close: bySvOf(
        rules,
        "DsoRules_MiningRound_Close",
        { amuletRulesCid, issuingRoundCid: cidOf(ids.issuing), ...sv },
        (self, arg) => {
          const issued = get(ids.issuing, variable("issued"));
          return sequence(
            [
              now,
              fetched("issued", ids.issuing, arg("issuingRoundCid")),
              demand("over", isBy(type.timestamp, issued("targetClosesAt"), variable("now")), "Mining round is past targetClosesAt"),
              archived("gone", ids.issuing, arg("issuingRoundCid")),
              created("closed", ids.closed, { dso: self("dso"), round: issued("round") }),
            ],
            nothing,
          );
        },
      ),
      DsoRules_CloseVoteRequest: bySvOf(
        rules,
        "DsoRules_CloseVoteRequest",
        {
          requestCid: cidOf(request),
          amuletRulesCid: type.optional(amuletRulesCid),
          ...sv,
        },
        (_, arg) => sequence([archived("gone", request, arg("requestCid"))], nothing),
      ),
      DsoRules_ExpireDevelopmentFundCoupon: bySvOf(
        rules,
        "DsoRules_ExpireDevelopmentFundCoupon",
        { developmentFundCouponCid: cidOf(ids.coupon), sv: type.party },
        (_, arg) =>
          sequence(
            [
              now,
              fetched("coupon", ids.coupon, arg("developmentFundCouponCid")),
              demand(
                "over",
                isBy(type.timestamp, get(ids.coupon, variable("coupon"))("expiresAt"), variable("now")),
                "DevelopmentFundCoupon is expired",
              ),
              archived("gone", ids.coupon, arg("developmentFundCouponCid")),
            ],
            nothing,
          ),
      ),
      ...(hasStates
        ? {
            DsoRules_UpdateExternalPartyConfigStates: bySvOf(
              rules,
              "DsoRules_UpdateExternalPartyConfigStates",
              {
                amuletRulesCid,
                externalPartyConfigStateCid0: cidOf(ids.state),
                externalPartyConfigStateCid1: cidOf(ids.state),
                openMiningRoundTriple: type.con(ids.triple),
                sv: type.party,
              },
              (self, arg) =>
                sequence(
                  [
                    now,
                    fetched("older", ids.state, arg("externalPartyConfigStateCid0")),
                    demand(
                      "over",
                      isBefore(get(ids.state, variable("older"))("targetArchiveAfter"), variable("now")),
                      "ExternalPartyConfigState0.targetArchiveAfter",
                    ),
                    archived("gone", ids.state, arg("externalPartyConfigStateCid0")),
                    created("renewed", ids.state, {
                      dso: self("dso"),
                      targetArchiveAfter: later(variable("now"), expr.int64(172_800_000_000n)),
                    }),
                  ],
                  nothing,
                ),
            ),
          }
        : {}),
    },
  });

  const fields = Object.fromEntries(
    Object.entries(sample).map(([name, value]) => [name, typeOf(bootstrap, `DsoBootstrap_${name}`, value)]),
  );
  const known = {
    ...fields,
    dso: type.party,
    sv1Party: type.party,
    round0Duration: type.con(ids.relTime),
    initialRound: type.int64,
    sv1RewardWeight: type.int64,
    amuletConfig: type.con(ids.config),
    config,
  };
  bootstrap.template("DsoBootstrap", {
    fields: Object.fromEntries(Object.entries(known).filter(([name]) => !lacking.includes(name))),
    ...ofDso,
    choices: {
      DsoBootstrap_Bootstrap: choiceBy(
        "dso",
        {},
        (self) => {
          const dso = self("dso"),
            duration = get(ids.relTime, self("round0Duration"))("microseconds"),
            begin = variable("now");
          const round = (number: bigint, opensAt: Expr, targetClosesAt: Expr) =>
            created(`round${number}`, ids.open, {
              dso,
              round: expr.record(ids.number, { number: expr.int64(number) }),
              opensAt,
              targetClosesAt,
              amuletPrice,
              tickDuration: self("round0Duration"),
            });
          const empty = expr.applyTypes(expr.builtin("GENMAP_EMPTY"), type.party, type.con(svInfo));
          const svsOf = expr.apply(
            expr.applyTypes(expr.builtin("GENMAP_INSERT"), type.party, type.con(svInfo)),
            self("sv1Party"),
            expr.record(svInfo, { name: self("sv1Name"), svRewardWeight: self("sv1RewardWeight") }),
            empty,
          );
          return sequence(
            [
              now,
              created("rules", ids.amuletRules, {
                dso,
                configSchedule: expr.record(ids.schedule, {
                  initialValue: self("amuletConfig"),
                  futureValues: expr.list(type.con(ids.later)),
                }),
                isDevNet: self("isDevNet"),
              }),
              created("external", ids.externalRules, { dso }),
              round(0n, begin, later(begin, duration)),
              round(1n, begin, later(later(begin, duration), duration)),
              round(2n, later(begin, duration), later(later(later(begin, duration), duration), duration)),
              ...(hasStates ? pairOfStates(ids.state, dso) : []),
              created("governed", dsoRules, { dso, svs: svsOf, config: self("config") }),
              created("vote", vote, { dso, sv: self("sv1Party") }),
              created("rewards", rewardState, {
                dso,
                svName: self("sv1Name"),
                state: expr.record(reached, { lastRoundCollected: expr.record(ids.number, { number: expr.int64(-1n) }) }),
              }),
            ],
            nothing,
          );
        },
        true,
      ),
    },
  });
  return buildPackage({ name: "splice-dso-governance", version, modules: [price, svStates, rules, bootstrap] });
}

/** As the SV that the argument names. */
function bySvOf(
  module: ModuleBuilder,
  choice: string,
  fields: Readonly<Record<string, Type>>,
  update: ChoiceToBuild["update"],
): ChoiceToBuild {
  const named = expr.field(module.id(choice), "sv", variable("arg"));
  const optional = fields["sv"]!.kind === "app";
  const controller = (self: FieldOfThis): Expr =>
    optional
      ? expr.match(
          named,
          { pattern: { kind: "none" }, body: self("dso") },
          { pattern: { kind: "some", body: "party" }, body: variable("party") },
        )
      : named;
  return { ...choiceBy("dso", fields, update), controllers: (self) => [controller(self)] };
}

function walletPackage(generation: Generation, version: string = versions[generation].wallet, more: readonly ModuleBuilder[] = []) {
  const { ids } = amuletPackage(generation),
    preapproval = new ModuleBuilder("Splice.Wallet.TransferPreapproval");
  const context = preapproval.record("TransferContext", {
    openMiningRound: cidOf(ids.open),
    issuingMiningRounds: type.list(type.text),
    validatorRights: type.list(type.text),
    featuredAppRight: type.optional(type.text),
  });
  const payment = preapproval.record("PaymentTransferContext", { amuletRules: cidOf(ids.amuletRules), context: type.con(context) });
  const input = preapproval.variant("TransferInput", { InputAmulet: cidOf(ids.coin) });
  preapproval.template("TransferPreapprovalProposal", {
    fields: { receiver: type.party, provider: type.party, expectedDso: type.optional(type.party) },
    signatories: parties("receiver"),
    observers: parties("provider"),
    choices: {
      TransferPreapprovalProposal_Accept: choiceBy(
        "provider",
        { context: type.con(payment), inputs: type.list(type.con(input)), expiresAt: type.timestamp },
        (self, arg) => {
          const rules = get(payment, arg("context"))("amuletRules");
          return sequence(
            [
              now,
              [
                "approved",
                cidOf(ids.preapproval),
                expr.exercise(
                  ids.amuletRules,
                  "AmuletRules_Preapprove",
                  rules,
                  expr.record(
                    { ...ids.amuletRules, name: "AmuletRules_Preapprove" },
                    {
                      receiver: self("receiver"),
                      provider: self("provider"),
                      expiresAt: arg("expiresAt"),
                    },
                  ),
                ),
              ],
            ],
            nothing,
          );
        },
        true,
      ),
    },
  });
  const installs = walletInstalls(ids, new ModuleBuilder("Splice.Wallet.Install"));
  return buildPackage({ name: "splice-wallet", version, modules: [preapproval, installs, ...more] });
}

/** What a wallet ends once its time is over. */
function requestsOfWallets(): readonly ModuleBuilder[] {
  const offer = new ModuleBuilder("Splice.Wallet.TransferOffer");
  const traffic = new ModuleBuilder("Splice.Wallet.BuyTrafficRequest"),
    minting = new ModuleBuilder("Splice.Wallet.MintingDelegation");
  const ifOver: ChoiceToBuild["update"] = (self) =>
    sequence([now, demand("over", isBefore(self("expiresAt"), variable("now")), "it has not expired")], nothing);
  const byActor = (choice: string): ChoiceToBuild => ({
    ...choiceBy("sender", { actor: type.party }, ifOver, true),
    controllers: () => [expr.field(offer.id(choice), "actor", variable("arg"))],
  });
  offer.template("TransferOffer", {
    fields: { dso: type.party, sender: type.party, receiver: type.party, expiresAt: type.timestamp },
    signatories: parties("sender"),
    observers: parties("receiver"),
    choices: { TransferOffer_Expire: byActor("TransferOffer_Expire") },
  });
  traffic.template("BuyTrafficRequest", {
    fields: { dso: type.party, endUserParty: type.party, expiresAt: type.timestamp },
    signatories: parties("endUserParty"),
    choices: { BuyTrafficRequest_Expire: choiceBy("endUserParty", {}, ifOver, true) },
  });
  const delegation = minting.record("Delegation", { dso: type.party, delegate: type.party, expiresAt: type.timestamp });
  minting.template("MintingDelegationProposal", {
    fields: { beneficiary: type.party, delegate: type.party, delegation: type.con(delegation) },
    signatories: parties("beneficiary"),
    observers: parties("delegate"),
    choices: { MintingDelegationProposal_Reject: choiceBy("delegate", {}, () => nothing, true) },
  });
  return [offer, traffic, minting];
}

function lifecyclePackage(generation: Generation) {
  const module = new ModuleBuilder("Splice.ValidatorOnboarding");
  module.template("UsedSecret", { fields: { dso: type.party }, signatories: parties("dso") });
  return buildPackage({ name: "splice-validator-lifecycle", version: versions[generation].validatorLifecycle, modules: [module] });
}

/** By the names that their files have. */
export function economyDars(generation: Generation, governed: Governance = {}): Readonly<Record<string, Uint8Array>> {
  const amulet = amuletPackage(generation).built,
    { governance, wallet, validatorLifecycle } = versions[generation];
  return {
    [`splice-dso-governance-${governance}.dar`]: buildDar(governancePackage(generation, governed), [amulet]),
    [`splice-wallet-${wallet}.dar`]: buildDar(walletPackage(generation), [amulet]),
    [`splice-validator-lifecycle-${validatorLifecycle}.dar`]: buildDar(lifecyclePackage(generation)),
  };
}
/** Its wallets make offers and requests, too. */
export const walletDarWithRequests = (): Uint8Array =>
  buildDar(walletPackage("configStates", "0.1.24", requestsOfWallets()), [amuletPackage("configStates").built]);
export const amuletDarOf = (generation: Generation): Uint8Array => buildDar(amuletPackage(generation).built);
