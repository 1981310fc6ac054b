/** The name service and subscriptions on the public packages: `LEDGERLINE_REAL_DARS` names a folder that holds them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { triggers } from "../../src/splice/automation/index.js";
import {
  acceptSubscription,
  balanceOf,
  cancelSubscription,
  createSplice,
  ownEntries,
  rejectSubscription,
  requestEntry,
  subscriptionRequest,
  subscriptionsOf,
  tap,
} from "../../src/splice/index.js";
import { instantOf } from "../../src/splice/instants.js";
import { success } from "../ledger/support.js";
import { EconomyWorld } from "./economy-world.js";
import { bootstrapReal, missingDars, realGenerations } from "./real-dars.js";
import { ownTurns } from "../support/turns.js";

const day = 86_400_000_000n;

test(
  "names: one is asked for, paid, given and renewed in time; taken and malformed ones are paid back; unpaid they expire",
  { skip: missingDars(realGenerations.newer), timeout: 580_000 },
  async () => {
    const world = await EconomyWorld.open();
    try {
      const { dso, validators } = await bootstrapReal(world, "newer");
      await world.automate(validators);
      const splice = createSplice({ ledger: world.ledger, turns: ownTurns() });
      for (const name of ["alice", "bob", "carol"])
        await splice.wallets.onboard({ name, party: undefined, createPartyIfMissing: true, byAdmin: true });
      const alice = splice.wallets.of("alice")!,
        bob = splice.wallets.of("bob")!,
        carol = splice.wallets.of("carol")!;
      for (const wallet of [alice, bob]) success(await tap(wallet.context, wallet.owner, { amount: "100", commandId: undefined }));
      success(await tap(carol.context, carol.owner, { amount: "1", commandId: undefined }));
      const held = async (wallet: typeof alice): Promise<string> =>
        success(await balanceOf(wallet.context, wallet.owner)).effective_unlocked_qty;
      const ask = async (wallet: typeof alice, name: string): Promise<string> => {
        const { subscriptionRequestCid } = success(await requestEntry(wallet.context, wallet.owner, { name, url: "", description: "" }));
        const first = success(await acceptSubscription(wallet.context, wallet.owner, subscriptionRequestCid, wallet.validator));
        assert.equal(success(await acceptSubscription(wallet.context, wallet.owner, subscriptionRequestCid, wallet.validator)), first);
        await world.settle();
        return subscriptionRequestCid;
      };
      await ask(alice, "alice.unverified.ans");
      const [entry] = success(await ownEntries(alice.context, alice.owner));
      assert.deepEqual(
        [entry!.name, entry!.amount, entry!.unit, await held(alice)],
        ["alice.unverified.ans", "1.0000000000", "USDUNIT", "19800.0000000000"],
      );
      assert.equal(success(await splice.entries.ofName("alice.unverified.ans")).user, alice.owner.party);
      await ask(carol, "carol.unverified.ans");
      assert.equal(await held(carol), "0.0000000000", "she has no means to renew it");
      const [subscription] = success(await subscriptionsOf(alice.context, alice.owner));
      assert.ok("idle" in subscription!.state);
      for (const name of ["alice.unverified.ans", "Bob!", "bob.unverified.other"]) await ask(bob, name);
      assert.deepEqual([success(await ownEntries(bob.context, bob.owner)), await held(bob)], [[], "20000.0000000000"]);
      const kept = async (): Promise<readonly string[]> =>
        (await world.contracts("ansEntryContext")).map(({ payload }) => (payload as unknown as { readonly name: string }).name);
      const { subscriptionRequestCid: declined } = success(
        await requestEntry(bob.context, bob.owner, { name: "bob.unverified.ans", url: "", description: "" }),
      );
      assert.equal(success(await subscriptionRequest(bob.context, bob.owner, declined)).contract_id, declined);
      success(await rejectSubscription(bob.context, bob.owner, declined));
      await world.settle();
      assert.deepEqual(
        [await kept(), await world.contracts("terminatedSubscription")],
        [["alice.unverified.ans", "carol.unverified.ans"], []],
        "of declined ones nothing is kept",
      );
      for (const again of [
        await acceptSubscription(bob.context, bob.owner, declined, bob.validator),
        await rejectSubscription(bob.context, bob.owner, declined),
      ])
        assert.equal(again.error!.kind, "notFound");

      const expiresAt = async (): Promise<bigint> => {
        const entries = await world.contracts("ansEntry");
        return instantOf(entries.find(({ payload }) => payload.user === alice.owner.party)!.payload.expiresAt);
      };
      const before = await expiresAt();
      while (world.now < before - 29n * day) await world.moveBy(day);
      assert.ok((await expiresAt()) > before, "renewed within its last days");
      const state = success(await subscriptionsOf(alice.context, alice.owner))[0]!.state;
      assert.ok("idle" in state);
      success(await cancelSubscription(alice.context, alice.owner, state.idle.contract_id));
      assert.deepEqual(success(await subscriptionsOf(alice.context, alice.owner)), []);
      await world.moveBy((await expiresAt()) - world.now + 1_000_000n);
      assert.deepEqual(await world.contracts("ansEntry"), []);
      assert.deepEqual([await world.contracts("subscription"), await kept()], [[], []], "what is cancelled or not paid in time ends");
      assert.deepEqual(await world.madeBy(dso), ["DsoBootstrap_Bootstrap"], "what the network does for it the SV does by the rules");
    } finally {
      await world.close();
    }
  },
);

test(
  "names: of two who pay for one at the same time one has it, and the other his money back",
  { skip: missingDars(realGenerations.newer), timeout: 580_000 },
  async () => {
    const world = await EconomyWorld.open();
    try {
      const { validators } = await bootstrapReal(world, "newer"),
        withoutExecution = triggers.filter(({ name }) => name !== "execute-confirmed-actions");
      await world.automate(validators, withoutExecution);
      const splice = createSplice({ ledger: world.ledger, turns: ownTurns() }),
        asked = { name: "one.unverified.ans", url: "", description: "" };
      const wallets = [];
      for (const name of ["alice", "bob"]) {
        await splice.wallets.onboard({ name, party: undefined, createPartyIfMissing: true, byAdmin: true });
        const { context, owner, validator } = splice.wallets.of(name)!;
        success(await tap(context, owner, { amount: "100", commandId: undefined }));
        const { subscriptionRequestCid } = success(await requestEntry(context, owner, asked));
        success(await acceptSubscription(context, owner, subscriptionRequestCid, validator));
        wallets.push({ context, owner });
      }
      await world.settle();
      assert.deepEqual(
        (await world.contracts("confirmation")).map(({ payload }) => payload.action.value.ansEntryContextAction.tag),
        ["ANSRARC_CollectInitialEntryPayment", "ANSRARC_RejectEntryInitialPayment"],
      );
      await world.automate(validators);
      const held = [];
      for (const { context, owner } of wallets) held.push(success(await balanceOf(context, owner)).effective_unlocked_qty);
      assert.deepEqual(held, ["19800.0000000000", "20000.0000000000"]);
      assert.deepEqual(
        (await world.contracts("ansEntry")).map(({ payload }) => [payload.user, payload.name]),
        [[wallets[0]!.owner.party, asked.name]],
      );
      assert.deepEqual(await world.contracts("confirmation"), []);
    } finally {
      await world.close();
    }
  },
);
