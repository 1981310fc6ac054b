/** Rewards on the public packages, of every kind: `LEDGERLINE_REAL_DARS` names a folder that holds them. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { HostedNetwork } from "../../src/splice/bootstrap/index.js";
import { create, exercise } from "../../src/splice/commands.js";
import { Contracts } from "../../src/splice/contracts.js";
import { parseDecimal, showDecimal } from "../../src/splice/decimal.js";
import { javaInstant } from "../../src/splice/instants.js";
import { templates } from "../../src/splice/names.js";
import { Submitter } from "../../src/splice/submitter.js";
import { installWallet } from "../../src/splice/wallet-installs.js";
import { success } from "../ledger/support.js";
import { EconomyWorld, tickMicros } from "./economy-world.js";
import { bootstrapReal, missingDars, realGenerations } from "./real-dars.js";

const missing = missingDars(Object.values(realGenerations).flat());

for (const generation of ["older", "newer"] as const) {
  describe(`rewards of the public packages, ${generation} generation`, { skip: missing, timeout: 300_000 }, () => {
    let world: EconomyWorld, hosted: HostedNetwork, alice: string, bob: string, dso: string, validator: string;
    before(async () => {
      world = await EconomyWorld.open();
      hosted = await bootstrapReal(world, generation);
      [alice, bob] = await world.parties("alice", "bob");
      dso = hosted.dso;
      validator = hosted.validators[1]!;
      await world.automate(hosted.validators);
    });
    after(() => world.close());
    const installs = () => ({ contracts: new Contracts(world.ledger), submitter: new Submitter(world.ledger, { userId: "tester" }) });
    const held = async (owner: string): Promise<bigint[]> =>
      (await world.contracts("amulet"))
        .filter(({ payload }) => payload.owner === owner)
        .map(({ payload }) => parseDecimal(payload.amount.initialAmount));
    const give = (...commands: readonly object[]) => world.submit({ actAs: [dso, bob], commands });
    /** What a contract costs to make, and to have held for some rounds. */
    const feeMax = parseDecimal(generation === "older" ? "6.1" : "0.0");
    const near = (actual: readonly bigint[], expected: bigint): void => {
      assert.equal(actual.length, 1, "one contract");
      const less = expected - actual[0]!;
      assert.ok(less >= 0n && less <= feeMax, `${showDecimal(actual[0]!)}, not ${showDecimal(expected)}`);
    };
    const couponV2 = (provider: string, beneficiary: string | null, amount: string) =>
      create(templates.rewardCouponV2, {
        dso,
        provider,
        beneficiary,
        amount,
        round: { number: "0" },
        expiresAt: javaInstant(world.now + 10n * tickMicros),
        providerIsObserver: true,
      });
    const times = (issuance: string, units: bigint): bigint => parseDecimal(issuance) * units;

    it("of coupons, records and shares of the fund each wallet makes one contract, with what users bring their validator", async () => {
      success(await installWallet(installs(), { validator, userName: "alice", party: alice, dso }));
      assert.deepEqual(
        (await world.contracts("validatorRight")).map(({ payload }) => [payload.user, payload.validator]),
        [
          [validator, validator],
          [hosted.validators[0], hosted.validators[0]],
          [alice, validator],
        ],
      );
      const round = { number: "0" },
        expiresAt = javaInstant(world.now + 10n * tickMicros);
      const coupon = (provider: string, beneficiary: string | null, featured: boolean) =>
        create(templates.appRewardCoupon, { dso, provider, beneficiary, featured, amount: "2.0", round });
      await give(
        coupon(alice, null, true),
        coupon(alice, null, false),
        coupon(bob, alice, true),
        coupon(alice, bob, true),
        create(templates.validatorRewardCoupon, { dso, user: alice, amount: "3.0", round }),
        ...(generation === "older"
          ? []
          : [
              couponV2(alice, null, "2.5"),
              couponV2(bob, alice, "1.5"),
              couponV2(alice, bob, "8.0"),
              create(templates.unclaimedActivityRecord, { dso, beneficiary: alice, amount: "4.0", reason: "", expiresAt }),
              create(templates.developmentFundCoupon, { dso, beneficiary: alice, fundManager: bob, amount: "7.0", reason: "", expiresAt }),
            ]),
      );
      const [before_] = await held(validator);
      await world.moveBy(tickMicros);
      assert.deepEqual(await held(alice), []);
      await world.moveBy(tickMicros);
      const issued = (await world.contracts("issuingMiningRound"))[0]!.payload;
      const ofApps = times(issued.issuancePerFeaturedAppRewardCoupon, 4n) + times(issued.issuancePerUnfeaturedAppRewardCoupon, 2n);
      near(await held(alice), ofApps + (generation === "older" ? 0n : parseDecimal("15.0")));
      const ofValidator = times(issued.issuancePerValidatorRewardCoupon, 3n) + parseDecimal(issued.optIssuancePerValidatorFaucetCoupon);
      near(await held(validator), before_! + ofValidator);
      assert.deepEqual(
        (await world.contracts("appRewardCoupon")).map(({ payload }) => payload.beneficiary),
        [bob],
        "whoever has no wallet here collects for himself",
      );
      assert.ok(world.tasks.every(({ outcome }) => outcome === "ok"));
    });

    it(
      "a delegate mints for who left it to him, and keeps what he holds in few contracts",
      { skip: generation === "older" && "its wallets know no delegation of minting" },
      async () => {
        const [carol, delegate] = await world.parties("carol", "delegate"),
          [rules] = await world.contracts("amuletRules");
        const numbers = (await world.contracts("openMiningRound")).map(({ payload }) => Number(payload.round.number)),
          round = { number: String(Math.min(...numbers)) };
        await world.submit({
          actAs: [carol, validator],
          commands: [create(templates.validatorRight, { dso, user: carol, validator })],
        });
        const terms = { beneficiary: carol, delegate, dso, expiresAt: javaInstant(world.now + 20n * tickMicros), amuletMergeLimit: "2" };
        const tap = async (amount: string): Promise<void> => {
          const open = (await world.contracts("openMiningRound"))[0]!.contractId;
          await world.submit({
            actAs: [carol],
            readAs: [dso],
            commands: [
              exercise(templates.amuletRules, rules!.contractId, "AmuletRules_DevNet_Tap", { receiver: carol, amount, openRound: open }),
            ],
          });
        };
        for (const amount of ["5.0", "1.0", "2.0"]) await tap(amount);
        await world.submit({ actAs: [carol, delegate], commands: [create(templates.mintingDelegation, terms)] });
        await world.moveBy(31_000_000n);
        assert.equal((await held(carol)).length, 3, "fewer than twice as many as she wants");
        await tap("3.0");
        await world.moveBy(31_000_000n);
        const sorted = async () => (await held(carol)).map(showDecimal).sort();
        assert.deepEqual(await sorted(), ["5.0000000000", "6.0000000000"], "the smallest are merged");
        await give(couponV2(carol, null, "9.0"));
        await world.moveBy(31_000_000n);
        assert.deepEqual(await sorted(), ["5.0000000000", "6.0000000000", "9.0000000000"], "the round of such a coupon may be over");
        await give(create(templates.appRewardCoupon, { dso, provider: carol, beneficiary: null, featured: true, amount: "1.0", round }));
        for (let tick = 0; tick < 3; tick++) await world.moveBy(tickMicros);
        assert.deepEqual(await sorted(), ["100.0000000000", "20.0000000000"]);
        assert.ok(world.tasks.every(({ outcome }) => outcome === "ok"));
      },
    );
  });
}
