/** Transfer offers and subscriptions that automation pays for wallets, on the public packages: `LEDGERLINE_REAL_DARS` names a folder that holds them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { create, exercise } from "../../src/splice/commands.js";
import { javaInstant } from "../../src/splice/instants.js";
import { templates } from "../../src/splice/names.js";
import { EconomyWorld } from "./economy-world.js";
import { bootstrapReal, missingDars, realGenerations } from "./real-dars.js";

const second = 1_000_000n;

test(
  "an offer that was accepted is paid by its sender's wallet, which backs out without the means; without a wallet, or with none any more, nobody pays it",
  { skip: missingDars(realGenerations.newer), timeout: 300_000 },
  async () => {
    const world = await EconomyWorld.open();
    try {
      const { dso, validators } = await bootstrapReal(world, "newer");
      const [sender, alice] = await world.parties("sender", "alice");
      await world.automate(validators);
      const accepted = async (): Promise<readonly string[]> =>
        (await world.contracts("acceptedTransferOffer")).map(({ payload }) => payload.trackingId);
      const held = async (party: string): Promise<readonly string[]> =>
        (await world.contracts("amulet"))
          .filter(({ payload }) => payload.owner === party)
          .map(({ payload }) => payload.amount.initialAmount);
      const offer = async (trackingId: string, amount: string, seconds: bigint): Promise<void> => {
        const terms = {
          sender,
          receiver: alice,
          dso,
          amount: { amount, unit: "AmuletUnit" },
          description: "",
          expiresAt: javaInstant(world.now + seconds * second),
          trackingId,
        };
        const {
          created: [made],
        } = await world.submit({ actAs: [sender], commands: [create(templates.transferOffer, terms)] });
        await world.submit({ actAs: [alice], commands: [exercise(templates.transferOffer, made!.contractId, "TransferOffer_Accept", {})] });
      };
      const [rules] = await world.contracts("amuletRules"),
        [round] = await world.contracts("openMiningRound");
      const tap = exercise(templates.amuletRules, rules!.contractId, "AmuletRules_DevNet_Tap", {
        receiver: sender,
        amount: "100.0",
        openRound: round!.contractId,
      });
      await world.submit({ actAs: [sender], readAs: [dso], commands: [tap] });
      await offer("early", "7.0", 600n);
      await world.moveBy(120n * second);
      assert.deepEqual([await accepted(), await held(alice)], [["early"], []], "he has no wallet");
      const install = { dsoParty: dso, validatorParty: validators[0]!, endUserName: "sender", endUserParty: sender },
        {
          created: [installed],
        } = await world.submit({ actAs: [sender, validators[0]!], commands: [create(templates.walletAppInstall, install)] });
      await world.moveBy(second);
      assert.deepEqual([await accepted(), await held(alice), await held(sender)], [[], ["7.0000000000"], ["93.0000000000"]]);
      await offer("dear", "94.0", 3_600n);
      await world.moveBy(120n * second);
      assert.deepEqual([await accepted(), await held(sender)], [[], ["93.0000000000"]], "he backs out");
      const end = exercise(templates.walletAppInstall, installed!.contractId, "Archive", {});
      await world.submit({ actAs: [sender, validators[0]!], commands: [end] });
      await offer("late", "7.0", 600n);
      await world.moveBy(120n * second);
      assert.deepEqual([await accepted(), await held(sender)], [["late"], ["93.0000000000"]]);
    } finally {
      await world.close();
    }
  },
);

test(
  "what automation pays for a wallet is paid in the name of the validator who provides it, with his right if he is featured",
  { skip: missingDars(realGenerations.newer), timeout: 300_000 },
  async () => {
    const world = await EconomyWorld.open();
    try {
      const { dso, validators } = await bootstrapReal(world, "newer"),
        [alice, bob] = await world.parties("alice", "bob");
      await world.automate(validators);
      const [provider] = validators.slice(1),
        [rules] = await world.contracts("amuletRules");
      const {
        created: [featured],
      } = await world.submit({ actAs: [dso], commands: [create(templates.featuredAppRight, { dso, provider })] });
      const install = { dsoParty: dso, validatorParty: provider, endUserName: "alice", endUserParty: alice };
      await world.submit({ actAs: [alice, provider!], commands: [create(templates.walletAppInstall, install)] });
      const tap = { receiver: alice, amount: "100.0", openRound: (await world.contracts("openMiningRound"))[0]!.contractId };
      await world.submit({
        actAs: [alice],
        readAs: [dso],
        commands: [exercise(templates.amuletRules, rules!.contractId, "AmuletRules_DevNet_Tap", tap)],
      });

      const offer = {
        sender: alice,
        receiver: bob,
        dso,
        amount: { amount: "1.0", unit: "AmuletUnit" },
        expiresAt: javaInstant(world.now + 600n * second),
        trackingId: "offer",
      };
      const subscriptionData = { sender: alice, receiver: bob, provider: bob, dso, description: "" };
      const payData = {
        paymentAmount: { amount: "1.0", unit: "AmuletUnit" },
        paymentInterval: { microseconds: String(7_200n * second) },
        paymentDuration: { microseconds: String(3_600n * second) },
      };
      const both = [alice, bob];
      const {
        created: [request],
      } = await world.submit({ actAs: both, commands: [create(templates.subscriptionRequest, { subscriptionData, payData })] });
      const reference = request!.contractId;
      const {
        created: [subscription],
      } = await world.submit({ actAs: both, commands: [create(templates.subscription, { subscriptionData, reference })] });
      const nextPaymentDueAt = javaInstant(world.now + 1_800n * second),
        idle = { subscription: subscription!.contractId, subscriptionData, payData, nextPaymentDueAt, reference };
      await world.submit({ actAs: both, commands: [create(templates.acceptedTransferOffer, offer)] });
      await world.submit({ actAs: both, commands: [create(templates.subscriptionIdleState, idle)] });
      await world.moveBy(120n * second);

      for (const [choice, context] of [
        ["AcceptedTransferOffer_Complete", "transferContext"],
        ["SubscriptionIdleState_MakePayment", "context"],
      ] as const) {
        const [paid, ...more] = await world.exercises(choice);
        assert.ok(paid, choice);
        const argument = paid.choiceArgument as Record<string, any>;
        assert.deepEqual(
          [more, argument.walletProvider, new Set(paid.actingParties), argument[context].context.featuredAppRight],
          [[], provider, new Set([alice, provider]), featured!.contractId],
          choice,
        );
      }
    } finally {
      await world.close();
    }
  },
);
