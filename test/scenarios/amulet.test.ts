/** Amulet and the token standard on the public packages, over HTTP: `LEDGERLINE_REAL_DARS` names a folder that holds them. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, it, type TestContext } from "node:test";
import { ago, amulet, AmuletWorld, treeOf } from "./amulet-world.js";
import { createdIn, eventsOf, exercise, World, type Json } from "./world.js";
import { text } from "../support/knobs.js";

const folder = text("LEDGERLINE_REAL_DARS");
const dars = ["splice-amulet-0.1.13.dar", "splice-token-test-trading-app-1.0.0.dar"];
const missing = folder === undefined ? "LEDGERLINE_REAL_DARS names no folder of DARs" : dars.find((dar) => !existsSync(join(folder, dar)));
const skip = missing === undefined ? false : folder === undefined ? missing : `${missing} is not in the folder`;

const trade = "#splice-token-test-trading-app:Splice.Testing.Apps.TradingApp:OTCTrade",
  proposal = `${trade}Proposal`;

describe("amulet", { skip }, () => {
  let world: World, ledger: AmuletWorld, alice: string, bob: string, venue: string;
  before(async () => {
    world = await World.start(
      dars.map((dar) => readFileSync(join(folder!, dar))),
      ["--memory"],
    );
    ledger = await AmuletWorld.bootstrap(world);
    [alice, bob, venue] = await world.parties("alice", "bob", "venue");
  });
  after(() => world.stop());

  const show = (t: TestContext, what: string, transaction: Json): Json => {
    t.diagnostic(`${what}\n    ${treeOf(transaction).join("\n    ")}`);
    return transaction;
  };
  const expireLock = { "expire-lock": { tag: "AV_Bool", value: true } };
  const holdingOf = (transaction: Json, name = "Amulet"): string => createdIn(transaction, name).contractId;
  const resultOf = (transaction: Json): Json => eventsOf(transaction)[0].exerciseResult;

  it("tap: nothing without the DSO's contracts, with them an Amulet that the owner sees as a holding", async (t) => {
    const argument = { receiver: alice, amount: "100.0", openRound: ledger.round.contractId };
    assert.equal(
      (await world.refused([alice], [exercise(amulet.rules, ledger.rules.contractId, "AmuletRules_DevNet_Tap", argument)])).code,
      "CONTRACT_NOT_FOUND",
    );
    const tapped = show(t, "tap", await ledger.tap(alice, "100.0"));
    assert.deepEqual(treeOf(tapped).slice(0, 2), [
      "exercise AmuletRules.AmuletRules_DevNet_Tap",
      "  exercise AmuletRules.AmuletRules_Mint",
    ]);
    assert.deepEqual(await ledger.holdings(alice), ["100.0000"]);
  });

  it("offer: the amount is locked until the receiver accepts, and comes back when the sender withdraws or the receiver rejects", async (t) => {
    const [sender, receiver] = await world.parties("sender", "receiver");
    const offer = async (amount: string): Promise<{ instruction: string; locked: Json }> => {
      const offered = show(
        t,
        `offer ${amount}`,
        await ledger.transfer(sender, receiver, amount, [holdingOf(await ledger.tap(sender, "100.0"))]),
      );
      assert.equal(resultOf(offered).output.tag, "TransferInstructionResult_Pending");
      return { instruction: resultOf(offered).output.value.transferInstructionCid, locked: createdIn(offered, "LockedAmulet") };
    };
    const end = (actor: string, choice: string, { instruction, locked }: { instruction: string; locked: Json }) =>
      world.transact(
        [actor],
        [exercise(amulet.transferInstruction, instruction, choice, { extraArgs: ledger.extraArgs(expireLock) })],
        ledger.disclosed(locked),
      );

    const first = await offer("12.5");
    assert.deepEqual((await ledger.holdings(sender)).filter((each) => each.endsWith("L")).length, 1);
    const [pending] = await ledger.views(amulet.transferInstruction, receiver);
    assert.deepEqual([pending!.view.transfer.amount, pending!.view.status.tag], ["12.5000000000", "TransferPendingReceiverAcceptance"]);
    const refused = await world.refused(
      [sender],
      [exercise(amulet.transferInstruction, first.instruction, "TransferInstruction_Accept", { extraArgs: ledger.extraArgs(expireLock) })],
      ledger.disclosed(first.locked),
    );
    assert.equal(refused.code, "DAML_AUTHORIZATION_ERROR");
    assert.equal(
      resultOf(show(t, "accept", await end(receiver, "TransferInstruction_Accept", first))).output.tag,
      "TransferInstructionResult_Completed",
    );
    assert.deepEqual(await ledger.holdings(receiver), ["12.5000"]);
    assert.equal(
      (
        await world.refused(
          [receiver],
          [
            exercise(amulet.transferInstruction, first.instruction, "TransferInstruction_Accept", {
              extraArgs: ledger.extraArgs(expireLock),
            }),
          ],
          ledger.disclosed(),
        )
      ).code,
      "CONTRACT_NOT_FOUND",
    );

    for (const [actor, choice] of [
      [sender, "TransferInstruction_Withdraw"],
      [receiver, "TransferInstruction_Reject"],
    ] as const) {
      const ended = show(t, choice, await end(actor, choice, await offer("20.0")));
      assert.equal(resultOf(ended).output.tag, "TransferInstructionResult_Failed");
      assert.equal((await ledger.holdings(sender)).filter((each) => each.endsWith("L")).length, 0);
    }
    assert.deepEqual(await ledger.holdings(receiver), ["12.5000"]);
  });

  it("an offer of more than there is fails in the model: the reason and the open choices are told", async () => {
    const poor = await world.party("poor"),
      tapped = await ledger.tap(poor, "5.0");
    const transfer = {
      sender: poor,
      receiver: bob,
      amount: "500.0",
      instrumentId: ledger.instrument,
      requestedAt: ago(60),
      executeBefore: ago(-3_600),
      inputHoldingCids: [holdingOf(tapped)],
      meta: { values: {} },
    };
    const error = await world.refused(
      [poor],
      [
        exercise(amulet.transferFactory, ledger.external.contractId, "TransferFactory_Transfer", {
          expectedAdmin: ledger.dso,
          transfer,
          extraArgs: ledger.extraArgs(),
        }),
      ],
      ledger.disclosed(),
    );
    assert.equal(error.code, "DAML_FAILURE");
    const trace = error.context.exercise_trace
      .trim()
      .split("\n")
      .map((line: string) => line.trim());
    assert.match(
      trace.at(-1),
      /^in exercise command 55ba4deb:Splice\.Api\.Token\.TransferInstructionV1:TransferFactory:TransferFactory_Transfer on contract 00[0-9a-f]{8}\.$/,
    );
    assert.match(
      trace.at(-2),
      /^in choice 55ba4deb:Splice\.Api\.Token\.TransferInstructionV1:TransferFactory:TransferFactory_Transfer on contract 00[0-9a-f]{8} \(#0\)$/,
    );
  });

  /** A trade of 30 from Alice for 20 from Bob, asked for and allocated by both. */
  async function tradeToSettle(t: TestContext): Promise<{
    readonly tradeCid: string;
    readonly allocations: ReadonlyMap<string, { readonly contractId: string; readonly locked: Json }>;
  }> {
    const leg = (sender: string, receiver: string, amount: string): Json => ({
      sender,
      receiver,
      amount,
      instrumentId: ledger.instrument,
      meta: { values: {} },
    });
    const transferLegs = { leg0: leg(alice, bob, "30.0"), leg1: leg(bob, alice, "20.0") };
    const proposed = await world.create([alice], proposal, { venue, tradeCid: null, transferLegs, approvers: [alice] });
    const accepted = createdIn(
      await world.transact([bob], [exercise(proposal, proposed.contractId, "OTCTradeProposal_Accept", { approver: bob })], {
        readAs: [alice],
      }),
    );
    const initiated = show(
      t,
      "initiate settlement",
      await world.transact(
        [venue],
        [
          exercise(proposal, accepted.contractId, "OTCTradeProposal_InitiateSettlement", {
            prepareUntil: ago(-3_600),
            settleBefore: ago(-7_200),
          }),
        ],
      ),
    );
    const tradeCid: string = createdIn(initiated, "OTCTrade").contractId;
    const allocations = new Map<string, { contractId: string; locked: Json }>();
    for (const [trader, transferLegId] of [
      [alice, "leg0"],
      [bob, "leg1"],
    ] as const) {
      const request = (await ledger.views(amulet.allocationRequest, trader)).find(({ contractId }) => contractId === tradeCid)!.view;
      const allocation = { settlement: request.settlement, transferLegId, transferLeg: request.transferLegs[transferLegId] };
      const allocated = show(
        t,
        `allocate ${transferLegId}`,
        await ledger.allocate(trader, allocation, [holdingOf(await ledger.tap(trader, "100.0"))]),
      );
      assert.equal(resultOf(allocated).output.tag, "AllocationInstructionResult_Completed");
      allocations.set(transferLegId, {
        contractId: resultOf(allocated).output.value.allocationCid,
        locked: createdIn(allocated, "LockedAmulet"),
      });
    }
    assert.deepEqual((await ledger.views(amulet.allocation, venue)).length, 2);
    return { tradeCid, allocations };
  }

  const finish = (choice: string, { tradeCid, allocations }: Awaited<ReturnType<typeof tradeToSettle>>): Promise<Json> => {
    const allocationsWithContext = Object.fromEntries(
      [...allocations].map(([leg, { contractId }]) => [leg, { _1: contractId, _2: ledger.extraArgs(expireLock) }]),
    );
    return world.transact(
      [venue],
      [exercise(trade, tradeCid, choice, { allocationsWithContext })],
      ledger.disclosed(...[...allocations.values()].map(({ locked }) => locked)),
    );
  };
  const sum = (holdings: readonly string[]): number => holdings.reduce((total, each) => total + Number.parseFloat(each), 0);

  it("delivery against delivery: the venue settles both legs in one transaction", async (t) => {
    const ready = await tradeToSettle(t);
    const before = [sum(await ledger.holdings(alice)), sum(await ledger.holdings(bob))] as const;
    const settled = show(t, "settle", await finish("OTCTrade_Settle", ready));
    assert.equal(treeOf(settled).filter((line) => line.includes("Allocation_ExecuteTransfer")).length, 2);
    const after = [sum(await ledger.holdings(alice)), sum(await ledger.holdings(bob))] as const;
    // What moved, up to the fees that the locks were made for.
    assert.ok(Math.abs(after[0] - before[0] + 10) < 3 && Math.abs(after[1] - before[1] - 10) < 3, `${before} then ${after}`);
    assert.ok((await ledger.holdings(bob)).includes("30.0000") && (await ledger.holdings(alice)).includes("20.0000"));
    assert.deepEqual(await ledger.views(amulet.allocation, venue), []);
  });

  it("delivery against delivery: the venue cancels, and both traders have theirs unlocked", async (t) => {
    const ready = await tradeToSettle(t);
    const cancelled = show(t, "cancel", await finish("OTCTrade_Cancel", ready));
    assert.equal(treeOf(cancelled).filter((line) => line.includes("Allocation_Cancel")).length, 2);
    for (const trader of [alice, bob]) assert.ok((await ledger.holdings(trader)).every((each) => !each.endsWith("L")));
  });

  it("delivery against delivery: a trader withdraws, and the venue can settle no more", async (t) => {
    const ready = await tradeToSettle(t),
      { contractId, locked } = ready.allocations.get("leg0")!;
    show(
      t,
      "withdraw",
      await world.transact(
        [alice],
        [exercise(amulet.allocation, contractId, "Allocation_Withdraw", { extraArgs: ledger.extraArgs(expireLock) })],
        ledger.disclosed(locked),
      ),
    );
    assert.ok((await ledger.holdings(alice)).every((each) => !each.endsWith("L")));
    await assert.rejects(finish("OTCTrade_Settle", ready), /CONTRACT_NOT_FOUND|CONTRACT_NOT_ACTIVE/);
  });
});
