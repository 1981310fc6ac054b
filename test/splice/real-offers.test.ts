/** Transfer offers that automation pays, on the public packages: `LEDGERLINE_REAL_DARS` names a folder that holds them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { create, exercise } from "../../src/splice/commands.js";
import { javaInstant } from "../../src/splice/instants.js";
import { templates } from "../../src/splice/names.js";
import { EconomyWorld } from "./economy-world.js";
import { bootstrapReal, missingDars, realGenerations } from "./real-dars.js";

const second = 1_000_000n;

test(
  "an offer that was accepted while its sender had no means is paid once he has them, and not after it expired; a wallet backs out of it",
  { skip: missingDars(realGenerations.newer), timeout: 300_000 },
  async () => {
    const world = await EconomyWorld.open();
    try {
      const { dso, validators } = await bootstrapReal(world, "newer");
      const [poor, alice] = await world.parties("poor", "alice");
      await world.automate(validators);
      const accepted = async (): Promise<readonly string[]> =>
        (await world.contracts("acceptedTransferOffer")).map(({ payload }) => payload.trackingId);
      const held = async (party: string): Promise<readonly string[]> =>
        (await world.contracts("amulet"))
          .filter(({ payload }) => payload.owner === party)
          .map(({ payload }) => payload.amount.initialAmount);
      const offer = async (trackingId: string, amount: string, seconds: bigint): Promise<void> => {
        const terms = {
          sender: poor,
          receiver: alice,
          dso,
          amount: { amount, unit: "AmuletUnit" },
          description: "",
          expiresAt: javaInstant(world.now + seconds * second),
          trackingId,
        };
        const {
          created: [made],
        } = await world.submit({ actAs: [poor], commands: [create(templates.transferOffer, terms)] });
        await world.submit({ actAs: [alice], commands: [exercise(templates.transferOffer, made!.contractId, "TransferOffer_Accept", {})] });
      };
      await offer("short", "7.0", 60n);
      await offer("long", "7.0", 3_600n);
      await world.moveBy(120n * second);
      assert.deepEqual([await accepted(), await held(alice)], [["short", "long"], []], "without means nobody is paid");
      const [rules] = await world.contracts("amuletRules"),
        [round] = await world.contracts("openMiningRound");
      const tap = exercise(templates.amuletRules, rules!.contractId, "AmuletRules_DevNet_Tap", {
        receiver: poor,
        amount: "100.0",
        openRound: round!.contractId,
      });
      await world.submit({ actAs: [poor], readAs: [dso], commands: [tap] });
      for (let tries = 0; tries < 60 && (await accepted()).length > 1; tries++) {
        await delay(500); // what failed is tried again by the wall clock
        await world.moveBy(second);
      }
      assert.deepEqual([await accepted(), await held(alice), await held(poor)], [["short"], ["7.0000000000"], ["93.0000000000"]]);
      const install = { dsoParty: dso, validatorParty: validators[0]!, endUserName: "poor", endUserParty: poor };
      await world.submit({ actAs: [poor, validators[0]!], commands: [create(templates.walletAppInstall, install)] });
      await world.moveBy(30n * second);
      assert.deepEqual([await accepted(), world.done("expire-requests")], [[], 1], "the wallet of either ends what expired");
      await offer("dear", "94.0", 3_600n);
      await world.moveBy(120n * second);
      assert.deepEqual([await accepted(), await held(poor)], [[], ["93.0000000000"]], "with a wallet he backs out");
    } finally {
      await world.close();
    }
  },
);
