/**
 * Stand-ins that settle a trade: allocations of the token standard's first generation with the choices of their interface, which
 * take from the registry's context what the real ones take, and an app that trades two legs.
 */
import type { DefinitionId, Expr, Type } from "../../src/lf/ast.js";
import { buildDar, buildPackage, expr, ModuleBuilder, type, type ChoiceToBuild, type FieldOfThis } from "../support/lf-builder.js";
import { demand, either, isBefore, isBy, isEqual, now, nothing, sequence, variable, type Step } from "./economy-notation.js";

const decimal = type.numeric(10);
const parties =
  (...names: string[]) =>
  (self: FieldOfThis): readonly Expr[] =>
    names.map(self);
const cidOf = (id: DefinitionId): Type => type.contractId(type.con(id));
const fetched = (name: string, id: DefinitionId, contractId: Expr): Step => [name, type.con(id), expr.fetch(id, contractId)];
const archived = (name: string, id: DefinitionId, contractId: Expr): Step => [
  name,
  type.unit,
  expr.exercise(id, "Archive", contractId, expr.record({ ...id, name: "Archive" }, {})),
];
const created = (name: string, id: DefinitionId, fields: Readonly<Record<string, Expr>>): Step => [
  name,
  cidOf(id),
  expr.create(id, expr.record(id, fields)),
];
/** A field of a field, and so on. */
const path = (record: Expr, ...steps: readonly (readonly [DefinitionId, string])[]): Expr =>
  steps.reduce((at, [id, field]) => expr.field(id, field, at), record);
/** As compilers give it to every template: its signatories archive. */
const archivable = (...by: string[]): Readonly<Record<string, ChoiceToBuild>> => ({
  Archive: { fields: {}, returns: type.unit, controllers: parties(...by), update: () => nothing },
});
const at = ({ id }: { readonly id: string }, module: ModuleBuilder, name: string): DefinitionId => ({
  packageId: id,
  module: module.name,
  name,
});

// What a context is made of.
const metadata = new ModuleBuilder("Splice.Api.Token.MetadataV1");
metadata.interface("AnyContract", { view: type.con(metadata.record("AnyContractView", {})) });
metadata.variant("AnyValue", {
  AV_Text: type.text,
  AV_Bool: type.bool,
  AV_ContractId: cidOf(metadata.id("AnyContract")),
});
metadata.record("ChoiceContext", { values: type.textMap(type.con(metadata.id("AnyValue"))) });
metadata.record("Metadata", { values: type.textMap(type.text) });
metadata.record("ExtraArgs", { context: type.con(metadata.id("ChoiceContext")), meta: type.con(metadata.id("Metadata")) });
const metadataV1 = buildPackage({ name: "splice-api-token-metadata-v1", version: "1.0.0", modules: [metadata] });
const ofMetadata = (name: string): DefinitionId => at(metadataV1, metadata, name);
const extraArgs = type.con(ofMetadata("ExtraArgs")),
  anyValue = type.con(ofMetadata("AnyValue"));

// The interface of allocations.
const standard = new ModuleBuilder("Splice.Api.Token.AllocationV1");
const instrument = standard.record("InstrumentId", { admin: type.party, id: type.text });
const leg = standard.record("TransferLeg", {
  sender: type.party,
  receiver: type.party,
  amount: decimal,
  instrumentId: type.con(instrument),
});
const settlement = standard.record("SettlementInfo", { executor: type.party, settleBefore: type.timestamp });
const specification = standard.record("AllocationSpecification", {
  settlement: type.con(settlement),
  transferLegId: type.text,
  transferLeg: type.con(leg),
});
const view = standard.record("AllocationView", {
  allocation: type.con(specification),
  holdingCids: type.list(type.contractId(type.con(specification))),
});
const method = type.arrow(extraArgs, type.update(type.unit));
const allocation = standard.interface("Allocation", {
  view: type.con(view),
  methods: { executor: type.party, sender: type.party, receiver: type.party, executeTransfer: method, cancel: method, withdraw: method },
  choices: Object.fromEntries(
    (
      [
        ["ExecuteTransfer", "executeTransfer", ["executor", "sender", "receiver"]],
        ["Cancel", "cancel", ["executor", "sender", "receiver"]],
        ["Withdraw", "withdraw", ["sender"]],
      ] as const
    ).map(([suffix, impl, by]) => {
      const name = `Allocation_${suffix}`,
        argument = standard.record(name, { extraArgs });
      const call = (called: string): Expr => ({
        kind: "callInterface",
        interface: standard.id("Allocation"),
        method: called,
        expr: variable("this"),
      });
      return [
        name,
        {
          name,
          consuming: true,
          selfBinder: "self",
          argBinder: { name: "arg", type: type.con(argument) },
          returnType: type.unit,
          controllers: expr.list(type.party, ...by.map(call)),
          observers: expr.list(type.party),
          authorizers: undefined,
          update: expr.apply(call(impl), expr.field(argument, "extraArgs", variable("arg"))),
        },
      ];
    }),
  ),
});
const allocationV1 = buildPackage({ name: "splice-api-token-allocation-v1", version: "1.0.0", modules: [standard] });
const ofStandard = ({ name }: DefinitionId): DefinitionId => at(allocationV1, standard, name);
const specificationType = type.con(ofStandard(specification));
const inSpecification = {
  executor: [ofStandard(specification), "settlement", ofStandard(settlement), "executor"],
  settleBefore: [ofStandard(specification), "settlement", ofStandard(settlement), "settleBefore"],
  sender: [ofStandard(specification), "transferLeg", ofStandard(leg), "sender"],
  receiver: [ofStandard(specification), "transferLeg", ofStandard(leg), "receiver"],
  amount: [ofStandard(specification), "transferLeg", ofStandard(leg), "amount"],
} as const;
const specified = (record: Expr, what: keyof typeof inSpecification): Expr => {
  const [outer, field, inner, name] = inSpecification[what];
  return path(record, [outer, field], [inner, name]);
};

/** What the context has under a key, or a refusal that names it. */
function inContext(name: string, key: string, constructor_: "AV_Bool" | "AV_ContractId", of: Type): Step {
  const values = path(variable("extra"), [ofMetadata("ExtraArgs"), "context"], [ofMetadata("ChoiceContext"), "values"]);
  const missing = expr.apply(expr.applyTypes(expr.builtin("ERROR"), type.update(of)), expr.text(`Missing context entry ${key}`));
  const found = expr.match(
    variable("found"),
    {
      pattern: { kind: "variant", id: ofMetadata("AnyValue"), constructor_, binder: "given" },
      body: expr.pure(
        of,
        constructor_ === "AV_Bool"
          ? variable("given")
          : expr.apply(
              expr.applyTypes(expr.builtin("COERCE_CONTRACT_ID"), type.con(ofMetadata("AnyContract")), (of as { arg: Type }).arg),
              variable("given"),
            ),
      ),
    },
    { pattern: { kind: "default" }, body: missing },
  );
  const looked = expr.apply(expr.applyTypes(expr.builtin("TEXTMAP_LOOKUP"), anyValue), expr.text(key), values);
  return [
    name,
    of,
    expr.match(looked, { pattern: { kind: "some", body: "found" }, body: found }, { pattern: { kind: "none" }, body: missing }),
  ];
}

function amuletPackage() {
  const amulet = new ModuleBuilder("Splice.Amulet"),
    rules = new ModuleBuilder("Splice.AmuletRules"),
    external = new ModuleBuilder("Splice.ExternalPartyAmuletRules"),
    round = new ModuleBuilder("Splice.Round"),
    allocations = new ModuleBuilder("Splice.AmuletAllocation");
  const number = amulet.record("RoundNumber", { number: type.int64 }),
    rate = amulet.record("RatePerRound", { rate: decimal }),
    amount = amulet.record("ExpiringAmount", { initialAmount: decimal, createdAt: type.con(number), ratePerRound: type.con(rate) });
  const coin = amulet.template("Amulet", {
    fields: { dso: type.party, owner: type.party, amount: type.con(amount) },
    signatories: parties("dso", "owner"),
    choices: archivable("dso", "owner"),
  });
  const amountOf = (initialAmount: Expr): Expr =>
    expr.record(amount, {
      initialAmount,
      createdAt: expr.record(number, { number: expr.int64(0n) }),
      ratePerRound: expr.record(rate, { rate: expr.numeric(0n, 10) }),
    });
  const coinOf = (dso: Expr, owner: Expr, initialAmount: Expr): Readonly<Record<string, Expr>> => ({
    dso,
    owner,
    amount: amountOf(initialAmount),
  });
  const lock = amulet.record("TimeLock", { holders: type.list(type.party), expiresAt: type.timestamp });
  const locked = amulet.id("LockedAmulet"),
    lockedOwner = (self: FieldOfThis): Expr => expr.field(coin, "owner", self("amulet")),
    lockedDso = (self: FieldOfThis): Expr => expr.field(coin, "dso", self("amulet"));
  const backTo = (self: FieldOfThis): Step => ["back", cidOf(coin), expr.create(coin, self("amulet"))];
  amulet.template("LockedAmulet", {
    fields: { amulet: type.con(coin), lock: type.con(lock) },
    signatories: (self) => [lockedDso(self), lockedOwner(self)],
    choices: {
      Archive: { fields: {}, returns: type.unit, controllers: (self) => [lockedDso(self), lockedOwner(self)], update: () => nothing },
      LockedAmulet_OwnerExpireLockV2: {
        fields: {},
        returns: type.unit,
        controllers: (self) => [lockedOwner(self)],
        update: (self) =>
          sequence(
            [
              now,
              demand("over", isBy(type.timestamp, expr.field(lock, "expiresAt", self("lock")), variable("now")), "Lock is not expired"),
              backTo(self),
            ],
            nothing,
          ),
      },
    },
  });
  rules.template("AmuletRules", { fields: { dso: type.party, isDevNet: type.bool }, signatories: parties("dso") });
  const roundNumber = round.record("Number", { number: type.int64 });
  const open = round.template("OpenMiningRound", {
    fields: { dso: type.party, round: type.con(roundNumber), opensAt: type.timestamp, targetClosesAt: type.timestamp },
    signatories: parties("dso"),
  });

  const made = allocations.id("AmuletAllocation"),
    own = (field: string): Expr => expr.field(made, field, variable("this")),
    spec = own("allocation");
  const lockOf: Step = fetched("locked", locked, own("lockedAmulet"));
  const gone: Step = archived("gone", locked, own("lockedAmulet"));
  const give = (to: Expr): Step => created("given_", coin, coinOf(own("dso"), to, specified(spec, "amount")));
  /** Whoever has no lock left has had it back. */
  const unlock: Expr = expr.lambda(
    { extra: extraArgs },
    sequence(
      [inContext("expires", "expire-lock", "AV_Bool", type.bool)],
      either(variable("expires"), sequence([lockOf, gone, give(specified(spec, "sender"))], nothing), nothing),
    ),
  );
  const execute: Expr = expr.lambda(
    { extra: extraArgs },
    sequence(
      [
        now,
        demand("inTime", isBefore(variable("now"), specified(spec, "settleBefore")), "Settlement deadline exceeded"),
        inContext("roundCid", "open-round", "AV_ContractId", cidOf(open)),
        fetched("round", open, variable("roundCid")),
        lockOf,
        gone,
        give(specified(spec, "receiver")),
      ],
      nothing,
    ),
  );
  allocations.template("AmuletAllocation", {
    fields: { dso: type.party, lockedAmulet: cidOf(locked), allocation: specificationType },
    signatories: (self) => [self("dso"), specified(self("allocation"), "sender")],
    observers: (self) => [specified(self("allocation"), "executor")],
    choices: {},
    implements: [
      {
        interface: ofStandard(allocation),
        methods: new Map<string, Expr>([
          ...(["executor", "sender", "receiver"] as const).map((party) => [party, specified(spec, party)] as const),
          ["executeTransfer", execute],
          ["cancel", unlock],
          ["withdraw", unlock],
        ]),
        view: expr.record(ofStandard(view), { allocation: spec, holdingCids: expr.list(type.contractId(specificationType)) }),
      },
    ],
  });

  const allocate = external.id("AllocationFactory_Allocate"),
    asked = expr.field(allocate, "allocation", variable("arg")),
    held = path(variable("input"), [coin, "amount"], [amount, "initialAmount"]);
  const subtract = (left: Expr, right: Expr): Expr =>
    expr.apply(expr.applyTypes(expr.builtin("SUB_NUMERIC"), { kind: "nat", value: 10 } as Type), left, right);
  external.template("ExternalPartyAmuletRules", {
    fields: { dso: type.party },
    signatories: parties("dso"),
    choices: {
      AllocationFactory_Allocate: {
        fields: { expectedAdmin: type.party, allocation: specificationType, inputHoldingCid: cidOf(coin), extraArgs },
        returns: cidOf(made),
        consuming: false,
        controllers: () => [specified(asked, "sender")],
        update: (self, arg) =>
          expr.let(
            [expr.bind("extra", extraArgs, arg("extraArgs"))],
            sequence(
              [
                demand("expected", isEqual(type.party, self("dso"), arg("expectedAdmin")), "Expected admin does not match"),
                inContext("roundCid", "open-round", "AV_ContractId", cidOf(open)),
                fetched("round", open, variable("roundCid")),
                fetched("input", coin, arg("inputHoldingCid")),
                demand(
                  "isOwn",
                  isEqual(type.party, expr.field(coin, "owner", variable("input")), specified(asked, "sender")),
                  "The holding is somebody else's",
                ),
                archived("spent", coin, arg("inputHoldingCid")),
                created("lockedCid", locked, {
                  amulet: expr.record(coin, coinOf(self("dso"), specified(asked, "sender"), specified(asked, "amount"))),
                  lock: expr.record(lock, { holders: expr.list(type.party, self("dso")), expiresAt: specified(asked, "settleBefore") }),
                }),
                created("change", coin, coinOf(self("dso"), specified(asked, "sender"), subtract(held, specified(asked, "amount")))),
              ],
              expr.create(made, expr.record(made, { dso: self("dso"), lockedAmulet: variable("lockedCid"), allocation: asked })),
            ),
          ),
      },
    },
  });
  return buildPackage({ name: "splice-amulet", version: "0.1.22", modules: [amulet, rules, external, round, allocations] });
}

/** Two parties agree on a trade of two legs, and the venue settles or cancels it. */
function tradingPackage() {
  const app = new ModuleBuilder("Trading");
  const legs = { venue: type.party, alice: type.party, bob: type.party };
  const all = (self: FieldOfThis): Readonly<Record<string, Expr>> =>
    Object.fromEntries(Object.keys(legs).map((name) => [name, self(name)]));
  const trade = app.id("OTCTrade"),
    agreed = app.id("OTCTradeAgreement");
  app.template("OTCTradeProposal", {
    fields: legs,
    signatories: parties("alice"),
    observers: parties("bob"),
    choices: {
      OTCTradeProposal_Accept: {
        fields: {},
        returns: cidOf(agreed),
        controllers: parties("bob"),
        update: (self) => expr.create(agreed, expr.record(agreed, all(self))),
      },
    },
  });
  app.template("OTCTradeAgreement", {
    fields: legs,
    signatories: parties("alice", "bob"),
    observers: parties("venue"),
    choices: {
      OTCTrade_InitiateSettlement: {
        fields: { settleBefore: type.timestamp },
        returns: cidOf(trade),
        controllers: parties("venue"),
        update: (self, arg) => expr.create(trade, expr.record(trade, { ...all(self), settleBefore: arg("settleBefore") })),
      },
    },
  });
  const allocationCid = cidOf(ofStandard(allocation));
  const settles = (name: string, choice: string, when: Step): ChoiceToBuild => ({
    fields: { first: allocationCid, ofFirst: extraArgs, second: allocationCid, ofSecond: extraArgs },
    returns: type.unit,
    controllers: parties("venue"),
    update: (_, arg) => {
      const exercised = (which: "first" | "second", extra: Expr): Step => [
        `done_${name}_${which}`,
        type.unit,
        expr.update({
          kind: "exerciseInterface",
          interface: ofStandard(allocation),
          choice,
          contractId: arg(which),
          arg: expr.record(at(allocationV1, standard, choice), { extraArgs: extra }),
        }),
      ];
      return sequence([now, when, exercised("first", arg("ofFirst")), exercised("second", arg("ofSecond"))], nothing);
    },
  });
  const deadline = expr.field(trade, "settleBefore", variable("this"));
  app.template("OTCTrade", {
    fields: { ...legs, settleBefore: type.timestamp },
    signatories: parties("venue", "alice", "bob"),
    choices: {
      OTCTrade_Settle: settles(
        "settle",
        "Allocation_ExecuteTransfer",
        demand("inTime", isBefore(variable("now"), deadline), "Settlement deadline exceeded"),
      ),
      OTCTrade_Cancel: settles(
        "cancel",
        "Allocation_Cancel",
        demand("tooLate", isBy(type.timestamp, deadline, variable("now")), "Settlement deadline has not passed"),
      ),
    },
  });
  return buildPackage({ name: "trading-app", version: "1.0.0", modules: [app] });
}

export const tradingAmuletDar = buildDar(amuletPackage(), [metadataV1, allocationV1]);
export const tradingAppDar = buildDar(tradingPackage(), [metadataV1, allocationV1]);
