/**
 * Small stand-ins of the packages that a Splice network is made of: the same names, templates and interfaces, with the
 * fields that its servers read, and contracts that their maker signs alone.
 */
import type { DefinitionId, Expr, InterfaceInstance, TemplateChoice, Type } from "../../src/lf/ast.js";
import { demand, isEqual } from "./economy-notation.js";
import { buildDar, buildPackage, expr, ModuleBuilder, type, type FieldOfThis } from "../support/lf-builder.js";

const decimal = type.numeric(10);
const parties =
  (...names: string[]) =>
  (self: FieldOfThis): readonly Expr[] =>
    names.map(self);
const done = expr.pure(type.unit, expr.unit);

/** An interface and the records that its view and choice are made of. */
function standard(
  part: string,
  moduleName: string,
  define: (
    module: ModuleBuilder,
    factoryChoice: (name: string, fields: Readonly<Record<string, Type>>) => Readonly<Record<string, TemplateChoice>>,
  ) => void,
) {
  const module = new ModuleBuilder(`Splice.Api.Token.${moduleName}`);
  define(module, (name, fields) => {
    const argument = module.record(name, { actor: type.party, ...fields });
    return {
      [name]: {
        name,
        consuming: false,
        selfBinder: "self",
        argBinder: { name: "arg", type: type.con(argument) },
        returnType: type.unit,
        controllers: expr.list(type.party, expr.field(argument, "actor", expr.variable("arg"))),
        observers: expr.list(type.party),
        authorizers: undefined,
        update: done,
      },
    };
  });
  const built = buildPackage({ name: `splice-api-token-${part}`, version: "1.0.0", modules: [module] });
  return { built, id: (name: string): DefinitionId => ({ packageId: built.id, module: module.name, name }) };
}

const instrumentFields = { admin: type.party, id: type.text };
const holdings = (of: Type): Readonly<Record<string, Type>> => ({ holdingCids: type.list(type.contractId(of)) });

const allocationV1 = standard("allocation-v1", "AllocationV1", (module) => {
  const instrument = module.record("InstrumentId", instrumentFields);
  const settlement = module.record("SettlementInfo", { executor: type.party, settleBefore: type.timestamp });
  const leg = module.record("TransferLeg", { sender: type.party, instrumentId: type.con(instrument) });
  const specification = module.record("AllocationSpecification", { settlement: type.con(settlement), transferLeg: type.con(leg) });
  const view = module.record("AllocationView", { allocation: type.con(specification), ...holdings(type.con(specification)) });
  module.interface("Allocation", { view: type.con(view) });
});
const allocationV2 = standard("allocation-v2", "AllocationV2", (module, choice) => {
  const account = module.record("Account", { owner: type.optional(type.party), id: type.text });
  const specification = module.record("AllocationSpecification", { admin: type.party, settlementDeadline: type.optional(type.timestamp) });
  const view = module.record("AllocationView", { allocation: type.con(specification), ...holdings(type.con(specification)) });
  module.interface("Allocation", { view: type.con(view) });
  const leg = module.record("TransferLeg", { sender: type.con(account), receiver: type.con(account) });
  const listed = module.record("FinalizedAllocation", { allocationCid: type.contractId(type.con(view)) });
  module.interface("SettlementFactory", {
    view: type.con(account),
    choices: choice("SettlementFactory_SettleBatch", { transferLegs: type.list(type.con(leg)), allocations: type.list(type.con(listed)) }),
  });
});
const transferV1 = standard("transfer-instruction-v1", "TransferInstructionV1", (module, choice) => {
  const instrument = module.record("InstrumentId", instrumentFields);
  const transfer = module.record("Transfer", {
    sender: type.party,
    receiver: type.party,
    amount: decimal,
    instrumentId: type.con(instrument),
    executeBefore: type.timestamp,
  });
  module.interface("TransferInstruction", { view: type.con(transfer) });
  module.interface("TransferFactory", {
    view: type.con(instrument),
    choices: choice("TransferFactory_Transfer", { expectedAdmin: type.party, transfer: type.con(transfer) }),
  });
});

const transferV2 = standard("transfer-instruction-v2", "TransferInstructionV2", (module, choice) => {
  const instrument = module.record("InstrumentId", instrumentFields);
  const account = module.record("Account", { owner: type.optional(type.party), provider: type.optional(type.party), id: type.text });
  const transfer = module.record("Transfer", {
    sender: type.con(account),
    receiver: type.con(account),
    amount: decimal,
    instrumentId: type.con(instrument),
    executeBefore: type.timestamp,
  });
  module.interface("TransferFactory", {
    view: type.con(instrument),
    choices: choice("TransferFactory_Transfer", { transfer: type.con(transfer) }),
  });
});

const apis = [allocationV1.built, allocationV2.built, transferV1.built, transferV2.built];
const instance = (interface_: DefinitionId, view: Expr): InterfaceInstance => ({ interface: interface_, methods: new Map(), view });
const own = (id: DefinitionId, field: string): Expr => expr.field(id, field, expr.variable("this"));

/** Ends a contract. */
const spend = { Spend: { fields: {}, returns: type.unit, controllers: parties("dso"), update: () => done } };

function amuletPackage(version: string) {
  const amulet = new ModuleBuilder("Splice.Amulet"),
    rules = new ModuleBuilder("Splice.AmuletRules"),
    external = new ModuleBuilder("Splice.ExternalPartyAmuletRules");
  const configState = new ModuleBuilder("Splice.ExternalPartyConfigState"),
    round = new ModuleBuilder("Splice.Round"),
    transfers = new ModuleBuilder("Splice.AmuletTransferInstruction");
  const licenses = new ModuleBuilder("Splice.ValidatorLicense");
  const allocations = new ModuleBuilder("Splice.AmuletAllocation"),
    allocationsV2 = new ModuleBuilder("Splice.AmuletAllocationV2");
  const ofDso = { signatories: parties("dso"), choices: spend };

  const number = amulet.record("RoundNumber", { number: type.int64 }),
    rate = amulet.record("RatePerRound", { rate: decimal });
  const amount = amulet.record("ExpiringAmount", { initialAmount: decimal, createdAt: type.con(number), ratePerRound: type.con(rate) });
  const coin = amulet.template("Amulet", {
    fields: { dso: type.party, owner: type.party, amount: type.con(amount) },
    ...ofDso,
    observers: parties("owner"),
  });
  const lock = amulet.record("TimeLock", {
    holders: type.list(type.party),
    expiresAt: type.timestamp,
    optContext: type.optional(type.text),
  });
  const locked = amulet.template("LockedAmulet", {
    fields: { dso: type.party, amulet: type.con(coin), lock: type.con(lock) },
    ...ofDso,
    observers: (self) => [expr.field(coin, "owner", self("amulet"))],
  });
  amulet.template("ValidatorRight", {
    fields: { dso: type.party, user: type.party, validator: type.party },
    signatories: parties("user", "validator"),
    choices: { Archive: { fields: {}, returns: type.unit, controllers: parties("user", "validator"), update: () => done } },
  });
  amulet.template("FeaturedAppRight", { fields: { dso: type.party, provider: type.party }, ...ofDso, observers: parties("provider") });
  const made = rules.record("AmuletCreateSummary", { amulet: type.contractId(type.con(coin)) });
  const tapped = rules.record("AmuletRules_DevNet_TapResult", { amuletSum: type.con(made) });
  const tapArgument = rules.id("AmuletRules_DevNet_Tap"),
    cid = type.contractId(type.con(coin));
  rules.template("AmuletRules", {
    fields: { dso: type.party, configSchedule: type.text, isDevNet: type.bool },
    ...ofDso,
    choices: {
      ...spend,
      AmuletRules_DevNet_Tap: {
        fields: { receiver: type.party, amount: decimal, openRound: type.contractId(type.text) },
        returns: type.con(tapped),
        consuming: false,
        controllers: () => [expr.field(tapArgument, "receiver", expr.variable("arg"))],
        update: (self, arg) => {
          const zero = expr.int64(0n),
            none = expr.numeric(0n, 10);
          const initial = expr.record(amount, {
            initialAmount: arg("amount"),
            createdAt: expr.record(number, { number: zero }),
            ratePerRound: expr.record(rate, { rate: none }),
          });
          const contract = expr.record(coin, { dso: self("dso"), owner: arg("receiver"), amount: initial });
          const result = expr.record(tapped, { amuletSum: expr.record(made, { amulet: expr.variable("made") }) });
          return expr.block([expr.bind("made", cid, expr.create(coin, contract))], expr.pure(type.con(tapped), result));
        },
      },
    },
  });
  rules.template("TransferPreapproval", {
    fields: { dso: type.party, receiver: type.party, provider: type.party, validFrom: type.timestamp },
    ...ofDso,
    observers: parties("receiver"),
  });
  const allocateArgument = external.id("AllocationFactory_Allocate");
  external.template("ExternalPartyAmuletRules", {
    fields: { dso: type.party },
    ...ofDso,
    choices: {
      ...spend,
      /** It alone judges whose rules the caller expects. */
      AllocationFactory_Allocate: {
        fields: { actor: type.party, expectedAdmin: type.party },
        returns: type.unit,
        consuming: false,
        controllers: () => [expr.field(allocateArgument, "actor", expr.variable("arg"))],
        update: (self, arg) =>
          demand("expected", isEqual(type.party, self("dso"), arg("expectedAdmin")), "Expected admin does not match")[2],
      },
    },
  });
  configState.template("ExternalPartyConfigState", { fields: { dso: type.party, targetArchiveAfter: type.timestamp }, ...ofDso });
  const roundNumber = round.record("Number", { number: type.int64 }),
    relTime = round.record("RelTime", { microseconds: type.int64 });
  const fee = round.record("FixedFee", { fee: decimal }),
    step = round.record("Step", { _1: decimal, _2: decimal });
  const stepped = round.record("SteppedRate", { initialRate: decimal, steps: type.list(type.con(step)) });
  const transferConfig = round.record("TransferConfig", {
    createFee: type.con(fee),
    holdingFee: type.con(rate),
    lockHolderFee: type.con(fee),
    transferFee: type.con(stepped),
  });
  round.template("OpenMiningRound", {
    fields: {
      dso: type.party,
      round: type.con(roundNumber),
      amuletPrice: decimal,
      opensAt: type.timestamp,
      targetClosesAt: type.timestamp,
      tickDuration: type.con(relTime),
      transferConfigUsd: type.con(transferConfig),
    },
    ...ofDso,
  });
  const faucets = licenses.record("FaucetState", {
    firstReceivedFor: type.con(roundNumber),
    lastReceivedFor: type.con(roundNumber),
    numCouponsMissed: type.int64,
  });
  licenses.template("ValidatorLicense", {
    fields: { dso: type.party, validator: type.party, faucetState: type.optional(type.con(faucets)) },
    ...ofDso,
  });
  const other = external.record("ITR_Other", { description: type.text });
  const reason = external.variant("InvalidTransferReason", { ITR_Other: type.con(other) });
  const failure = external.record("TransferCommandFailure", { reason: type.con(reason) }),
    success = external.record("TransferCommandSuccess", {});
  const sendResult = external.variant("TransferCommandResult", {
    TransferCommandResultFailure: type.con(failure),
    TransferCommandResultSuccess: type.con(success),
  });
  const sent = external.record("TransferCommand_SendResult", { result: type.con(sendResult), sender: type.party, nonce: type.int64 });
  /** Its end is what it is told. */
  const ends = (result: Type) => ({
    fields: { result },
    returns: result,
    controllers: parties("dso"),
    update: (_: FieldOfThis, arg: FieldOfThis) => expr.pure(result, arg("result")),
  });
  external.template("TransferCommand", {
    fields: { dso: type.party, sender: type.party, nonce: type.int64 },
    ...ofDso,
    observers: parties("sender"),
    choices: {
      TransferCommand_Send: ends(type.con(sent)),
      TransferCommand_Withdraw: ends(type.unit),
      TransferCommand_Expire: ends(type.unit),
    },
  });

  const transferId = transfers.id("AmuletTransferInstruction"),
    lockedCid = type.contractId(type.con(locked));
  transfers.template("AmuletTransferInstruction", {
    fields: { dso: type.party, lockedAmulet: lockedCid, transfer: type.con(transferV1.id("Transfer")) },
    ...ofDso,
    implements: [instance(transferV1.id("TransferInstruction"), own(transferId, "transfer"))],
  });
  const none = (of: Type): Expr => expr.list(type.contractId(of));
  const v1Id = allocations.id("AmuletAllocation"),
    v1Specification = type.con(allocationV1.id("AllocationSpecification")),
    v2Specification = type.con(allocationV2.id("AllocationSpecification"));
  allocations.template("AmuletAllocation", {
    fields: { dso: type.party, lockedAmulet: lockedCid, allocation: v1Specification, expiresAt: type.optional(type.timestamp) },
    ...ofDso,
    implements: [
      instance(
        allocationV1.id("Allocation"),
        expr.record(allocationV1.id("AllocationView"), { allocation: own(v1Id, "allocation"), holdingCids: none(v1Specification) }),
      ),
      instance(
        allocationV2.id("Allocation"),
        expr.record(allocationV2.id("AllocationView"), {
          allocation: expr.record(allocationV2.id("AllocationSpecification"), {
            admin: own(v1Id, "dso"),
            settlementDeadline: own(v1Id, "expiresAt"),
          }),
          holdingCids: none(v2Specification),
        }),
      ),
    ],
  });
  const v2Id = allocationsV2.id("AmuletAllocationV2");
  allocationsV2.template("AmuletAllocationV2", {
    fields: { dso: type.party, lockedAmulet: type.optional(lockedCid), allocation: v2Specification },
    ...ofDso,
    implements: [
      instance(
        allocationV2.id("Allocation"),
        expr.record(allocationV2.id("AllocationView"), { allocation: own(v2Id, "allocation"), holdingCids: none(v2Specification) }),
      ),
    ],
  });
  return buildPackage({
    name: "splice-amulet",
    version,
    modules: [amulet, rules, external, configState, round, licenses, transfers, allocations, allocationsV2],
  });
}

const governance = new ModuleBuilder("Splice.DsoRules");
const unit = type.unit;
const newWeight = governance.record("DsoRules_UpdateSvRewardWeight", { svParty: type.party, newRewardWeight: type.int64 });
const dsoAction = governance.variant("DsoRulesAction", {
  SRARC_SetConfig: unit,
  SRARC_GrantFeaturedAppRight: unit,
  SRARC_UpdateSvRewardWeight: type.con(newWeight),
});
const amuletAction = governance.variant("AmuletRulesAction", { CRARC_SetConfig: unit });
const ofDsoRules = governance.record("OfDsoRules", { dsoAction: type.con(dsoAction) }),
  ofAmuletRules = governance.record("OfAmuletRules", { amuletRulesAction: type.con(amuletAction) });
const action = governance.variant("ActionRequiringConfirmation", {
  ARC_DsoRules: type.con(ofDsoRules),
  ARC_AmuletRules: type.con(ofAmuletRules),
});
const request = governance.record("VoteRequestData", {
  dso: type.party,
  requester: type.text,
  action: type.con(action),
  voteBefore: type.timestamp,
  votes: type.genMap(type.text, type.int64),
  weight: decimal,
  trackingCid: type.optional(type.contractId(type.con(action))),
});
const accepted = governance.record("Accepted", { effectiveAt: type.timestamp }),
  failed = governance.record("Failed", { description: type.text });
const outcome = governance.variant("VoteRequestOutcome", {
  VRO_Accepted: type.con(accepted),
  VRO_AcceptedButActionFailed: type.con(failed),
  VRO_Rejected: unit,
  VRO_Expired: unit,
});
const closed = governance.record("CloseVoteRequestResult", {
  request: type.con(request),
  completedAt: type.timestamp,
  outcome: type.con(outcome),
});
const svInfo = governance.record("SvInfo", { name: type.text });
const upgrade = governance.record("SynchronizerUpgradeSchedule", { time: type.timestamp, migrationId: type.int64 }),
  config = governance.record("DsoRulesConfig", { nextScheduledSynchronizerUpgrade: type.optional(type.con(upgrade)) });
governance.template("DsoRules", {
  fields: { dso: type.party, svs: type.genMap(type.party, type.con(svInfo)), config: type.con(config) },
  signatories: parties("dso"),
  choices: {
    ...spend,
    /** Gives back what it is given. */
    DsoRules_CloseVoteRequest: {
      fields: { result: type.con(closed) },
      returns: type.con(closed),
      consuming: false,
      controllers: parties("dso"),
      update: (_, arg) => expr.pure(type.con(closed), arg("result")),
    },
  },
});

/** A token of somebody else's: its allocations hold tokens, its rules are under a key. */
const team = new ModuleBuilder("Team"),
  teamId = team.id("TeamAllocation"),
  specification = type.con(allocationV1.id("AllocationSpecification"));
team.template("Token", { fields: { admin: type.party, owner: type.party }, signatories: parties("admin") });
team.template("TeamAllocation", {
  fields: { admin: type.party, allocation: specification, tokens: type.list(type.contractId(specification)) },
  signatories: parties("admin"),
  implements: [
    instance(
      allocationV1.id("Allocation"),
      expr.record(allocationV1.id("AllocationView"), { allocation: own(teamId, "allocation"), holdingCids: own(teamId, "tokens") }),
    ),
  ],
});

/** The rules of the public test token. */
const testToken = new ModuleBuilder("Splice.Testing.Tokens.TestTokenV1");
testToken.template("TokenRules", { fields: { admin: type.party }, signatories: parties("admin") });

export const amuletDar = (version: string): Uint8Array => buildDar(amuletPackage(version), apis);
export const governanceDar = buildDar(buildPackage({ name: "splice-dso-governance", version: "0.1.28", modules: [governance] }));
export const teamDar = buildDar(buildPackage({ name: "team-token", version: "1.0.0", modules: [team] }), apis);
export const testTokenDar = buildDar(buildPackage({ name: "splice-test-token-v1", version: "1.0.0", modules: [testToken] }));
