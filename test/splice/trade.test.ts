/** Delivery against delivery over HTTP, with contexts from the registry alone. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createdIn, exercise, World, type Json } from "../scenarios/world.js";
import { extraArgs } from "./token-standard.js";
import { tradingAmuletDar, tradingAppDar } from "./trade-model.js";

const names = {
  amulet: "#splice-amulet:Splice.Amulet:Amulet",
  locked: "#splice-amulet:Splice.Amulet:LockedAmulet",
  rules: "#splice-amulet:Splice.AmuletRules:AmuletRules",
  external: "#splice-amulet:Splice.ExternalPartyAmuletRules:ExternalPartyAmuletRules",
  round: "#splice-amulet:Splice.Round:OpenMiningRound",
  allocation: "#splice-api-token-allocation-v1:Splice.Api.Token.AllocationV1:Allocation",
  proposal: "#trading-app:Trading:OTCTradeProposal",
  agreement: "#trading-app:Trading:OTCTradeAgreement",
  trade: "#trading-app:Trading:OTCTrade",
} as const;
const begin = Date.parse("2030-01-01T00:00:00Z");
const secondsOn = (seconds: number): string => new Date(begin + seconds * 1_000).toISOString();

describe("delivery against delivery", () => {
  let world: World, dso: string, alice: string, bob: string, venue: string;

  before(async () => {
    world = await World.start([tradingAmuletDar, tradingAppDar], ["--memory", "--static-time"]);
    [dso, alice, bob, venue] = await world.parties("dso", "alice", "bob", "venue");
    await moveTo(0);
    await world.create([dso], names.rules, { dso, isDevNet: true });
    await world.create([dso], names.external, { dso });
    for (const number of [0, 1, 2])
      await world.create([dso], names.round, {
        dso,
        round: { number: String(number) },
        opensAt: secondsOn(-3_600),
        targetClosesAt: secondsOn(86_400),
      });
    for (const owner of [alice, bob])
      await world.create([dso, owner], names.amulet, {
        dso,
        owner,
        amount: { initialAmount: "100.0", createdAt: { number: "0" }, ratePerRound: { rate: "0.0" } },
      });
  });
  after(() => world.stop());

  async function moveTo(seconds: number): Promise<void> {
    const reply = await world.client.post("/admin/time", { newTime: secondsOn(seconds) });
    assert.equal(reply.status, 200, reply.text);
  }
  async function ask(path: string, body: object = {}): Promise<Json> {
    const reply = await world.client.post(path, body);
    assert.equal(reply.status, 200, reply.text);
    return reply.json();
  }
  const registry = (path: string, body: object = {}) => ask(`/registry${path}`, body);
  const context = (id: string, step: string): Promise<Json> => registry(`/allocations/v1/${id}/choice-contexts/${step}`);
  /** What is free and what is locked, by Scan. */
  async function balances(): Promise<Readonly<Record<string, readonly [free: string, locked: string]>>> {
    const { record_time } = await ask("/api/scan/v0/state/acs/force");
    const { summaries } = await ask("/api/scan/v1/holdings/summary", { migration_id: 0, record_time, owner_party_ids: [alice, bob] });
    return Object.fromEntries(
      summaries.map((one: Json) => [
        one.party_id.split("::")[0],
        [one.total_unlocked_coin, one.total_locked_coin].map((text) => String(Number(text))),
      ]),
    );
  }
  const coinOf = async (owner: string): Promise<string> => {
    const held = await world.activeContracts({ parties: [owner] });
    return held
      .filter(({ templateId }) => templateId.endsWith(":Amulet"))
      .sort((a, b) => Number(b.createArgument.amount.initialAmount) - Number(a.createArgument.amount.initialAmount))[0]!.contractId;
  };

  interface Ready {
    readonly trade: string;
    readonly allocations: readonly [ofAlice: string, ofBob: string];
  }

  /** Alice's 30 for Bob's 20, proposed, accepted and allocated. */
  async function allocated(settleInSeconds: number): Promise<Ready> {
    const proposal = await world.create([alice], names.proposal, { venue, alice, bob });
    const agreement = createdIn(
      await world.transact([bob], [exercise(names.proposal, proposal.contractId, "OTCTradeProposal_Accept")]),
      "OTCTradeAgreement",
    );
    const settleBefore = secondsOn(settleInSeconds),
      begun = await world.transact(
        [venue],
        [exercise(names.agreement, agreement.contractId, "OTCTrade_InitiateSettlement", { settleBefore })],
      );
    const allocations: string[] = [];
    for (const [transferLegId, sender, receiver, amount] of [
      ["leg0", alice, bob, "30.0"],
      ["leg1", bob, alice, "20.0"],
    ] as const) {
      const allocation = {
        settlement: { executor: venue, settleBefore },
        transferLegId,
        transferLeg: { sender, receiver, amount, instrumentId: { admin: dso, id: "Amulet" } },
      };
      const argument = { expectedAdmin: dso, allocation, inputHoldingCid: await coinOf(sender), extraArgs: extraArgs() };
      const { factoryId, choiceContext } = await registry("/allocation-instruction/v1/allocation-factory", { choiceArguments: argument });
      const chosen = exercise(names.external, factoryId, "AllocationFactory_Allocate", {
        ...argument,
        extraArgs: extraArgs(choiceContext),
      });
      const made = await world.transact([sender], [chosen], { disclosedContracts: choiceContext.disclosedContracts });
      allocations.push(createdIn(made, "AmuletAllocation").contractId);
    }
    return { trade: createdIn(begun, "OTCTrade").contractId, allocations: allocations as [string, string] };
  }
  /** What the venue submits, with the contexts of both allocations. */
  function ending({ trade, allocations: [first, second] }: Ready, choice: string, [ofFirst, ofSecond]: readonly Json[]) {
    const disclosed = [ofFirst, ofSecond].flatMap((one) => one.disclosedContracts);
    return [
      [venue],
      [exercise(names.trade, trade, choice, { first, ofFirst: extraArgs(ofFirst), second, ofSecond: extraArgs(ofSecond) })],
      { disclosedContracts: [...new Map(disclosed.map((one: Json) => [one.contractId, one])).values()] },
    ] as const;
  }
  const contexts = ({ allocations }: Ready, step: string) => Promise.all(allocations.map((id) => context(id, step)));

  it("two legs are allocated and settled at once; then neither has a context any more", async () => {
    const ready = await allocated(600);
    assert.deepEqual(await balances(), { alice: ["70", "30"], bob: ["80", "20"] });
    const given = await contexts(ready, "execute-transfer");
    const bare = given.map((one) => ({ ...one, disclosedContracts: [] }));
    assert.equal((await world.refused(...ending(ready, "OTCTrade_Settle", bare))).code, "CONTRACT_NOT_FOUND");
    assert.match((await world.refused(...ending(ready, "OTCTrade_Cancel", given))).cause, /Settlement deadline has not passed/);
    await world.transact(...ending(ready, "OTCTrade_Settle", given));
    assert.deepEqual(await balances(), { alice: ["90", "0"], bob: ["110", "0"] });
    for (const id of ready.allocations)
      for (const step of ["execute-transfer", "withdraw", "cancel"])
        assert.equal((await world.client.post(`/registry/allocations/v1/${id}/choice-contexts/${step}`, {})).status, 404);
  });

  it("after the deadline it is cancelled, also where an owner took his lock back before", async () => {
    const ready = await allocated(1_200);
    assert.match((await world.refused(...ending(ready, "OTCTrade_Cancel", await contexts(ready, "cancel")))).cause, /has not passed/);
    await moveTo(1_200);
    const late = await contexts(ready, "execute-transfer");
    assert.match((await world.refused(...ending(ready, "OTCTrade_Settle", late))).cause, /Settlement deadline exceeded/);
    const [locked] = (await world.activeContracts({ parties: [alice] })).filter(({ templateId }) => templateId.endsWith(":LockedAmulet"));
    await world.transact([alice], [exercise(names.locked, locked.contractId, "LockedAmulet_OwnerExpireLockV2")]);
    const gone = await world.client.post(`/registry/allocations/v1/${ready.allocations[0]}/choice-contexts/execute-transfer`, {});
    assert.deepEqual(
      [gone.status, /^LockedAmulet '.* not found for AmuletAllocation '.*, which expires on /.test(gone.json().error)],
      [404, true],
    );
    const [ofAlice, ofBob] = await contexts(ready, "cancel");
    assert.deepEqual(ofAlice, {
      choiceContextData: { values: { "expire-lock": { tag: "AV_Bool", value: false } } },
      disclosedContracts: [],
    });
    assert.equal(ofBob.choiceContextData.values["expire-lock"].value, true);
    await world.transact(...ending(ready, "OTCTrade_Cancel", [ofAlice, ofBob]));
    assert.deepEqual(await balances(), { alice: ["90", "0"], bob: ["110", "0"] });
  });

  it("a sender withdraws what he allocated; a wrong admin is refused by the model, not by the registry", async () => {
    const { allocations } = await allocated(6_000),
      given = await context(allocations[0], "withdraw");
    const withdrawal = (with_: Json) => exercise(names.allocation, allocations[0], "Allocation_Withdraw", { extraArgs: extraArgs(with_) });
    assert.match((await world.refused([alice], [withdrawal(undefined)])).cause, /Missing context entry expire-lock/);
    await world.transact([alice], [withdrawal(given)], { disclosedContracts: given.disclosedContracts });
    assert.deepEqual(await balances(), { alice: ["90", "0"], bob: ["90", "20"] });
    const allocation = {
      settlement: { executor: venue, settleBefore: secondsOn(6_000) },
      transferLegId: "leg0",
      transferLeg: { sender: alice, receiver: bob, amount: "1.0", instrumentId: { admin: dso, id: "Amulet" } },
    };
    const argument = { expectedAdmin: bob, allocation, inputHoldingCid: await coinOf(alice), extraArgs: extraArgs() };
    const { factoryId, choiceContext } = await registry("/allocation-instruction/v1/allocation-factory", { choiceArguments: argument });
    const refused = await world.refused(
      [alice],
      [exercise(names.external, factoryId, "AllocationFactory_Allocate", { ...argument, extraArgs: extraArgs(choiceContext) })],
      { disclosedContracts: choiceContext.disclosedContracts },
    );
    assert.match(refused.cause, /Expected admin does not match/);
  });
});
