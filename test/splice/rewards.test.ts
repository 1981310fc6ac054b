/** Rewards of rounds on stand-ins of the packages: who records that he was there, and what wallets make of it. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { triggers } from "../../src/splice/automation/index.js";
import type { HostedNetwork } from "../../src/splice/bootstrap/index.js";
import { create, exercise } from "../../src/splice/commands.js";
import { templates } from "../../src/splice/names.js";
import { economyDars } from "./economy-model.js";
import { EconomyWorld, tickMicros } from "./economy-world.js";

describe("rewards of rounds", () => {
  let world: EconomyWorld, hosted: HostedNetwork, sv: string, validator: string;
  before(async () => {
    world = await EconomyWorld.open();
    const made = await world.bootstrap(world.folderOf("dars", economyDars("configStates")));
    hosted = made.ok ?? assert.fail(made.error);
    [sv, validator] = hosted.validators as [string, string];
    await world.automate(hosted.validators);
  });
  after(() => world.close());

  const roundsOf = async (name: "validatorLivenessActivityRecord" | "svRewardCoupon", party: string): Promise<number[]> =>
    (await world.contracts(name))
      .filter(({ payload }) => (payload.validator ?? payload.beneficiary) === party)
      .map(({ payload }) => Number(payload.round.number))
      .sort((a, b) => a - b);
  const amountsOf = async (party: string): Promise<string[]> =>
    (await world.contracts("amulet"))
      .filter(({ payload }) => payload.owner === party)
      .map(({ payload }) => payload.amount.initialAmount)
      .sort();
  const give = (provider: string, round: number, amount: string, featured = true) =>
    create(templates.appRewardCoupon, { dso: hosted.dso, provider, featured, amount, round: { number: String(round) } });
  const asDso = (...commands: readonly object[]) => world.submit({ actAs: [hosted.dso], commands });
  const open = async (): Promise<number[]> =>
    (await world.contracts("openMiningRound")).map(({ payload }) => Number(payload.round.number)).sort((a, b) => a - b);
  /** One after another, as rounds go. */
  const ticks = async (count: number): Promise<void> => {
    for (let tick = 0; tick < count; tick++) await world.moveBy(tickMicros);
  };
  const walletOf = async (name: string): Promise<string> => {
    const [party] = await world.parties(name),
      install = { dsoParty: hosted.dso, validatorParty: validator, endUserName: name, endUserParty: party };
    await world.submit({ actAs: [party, validator], commands: [create(templates.walletAppInstall, install)] });
    return party;
  };
  const tap = async (receiver: string, amount: string): Promise<void> => {
    const [rules] = await world.contracts("amuletRules"),
      [round] = await world.contracts("openMiningRound");
    const argument = { receiver, amount, openRound: round!.contractId };
    await world.submit({
      actAs: [receiver],
      readAs: [hosted.dso],
      commands: [exercise(templates.amuletRules, rules!.contractId, "AmuletRules_DevNet_Tap", argument)],
    });
  };

  it("validators and SVs have each round once, from the moment that it opens; who starts anew asks for none again", async () => {
    for (const party of [sv, validator]) assert.deepEqual(await roundsOf("validatorLivenessActivityRecord", party), [0, 1]);
    assert.deepEqual(await roundsOf("svRewardCoupon", sv), [0, 1]);
    assert.deepEqual(
      (await world.contracts("svRewardCoupon")).map(({ payload }) => [payload.sv, payload.weight]),
      [
        [sv, "10000"],
        [sv, "10000"],
      ],
    );
    await world.moveBy(tickMicros - 1n);
    assert.deepEqual(await roundsOf("validatorLivenessActivityRecord", validator), [0, 1]);
    await world.automate(hosted.validators);
    await world.moveBy(1n);
    for (const party of [sv, validator]) assert.deepEqual(await roundsOf("validatorLivenessActivityRecord", party), [0, 1, 2]);
    assert.deepEqual(await roundsOf("svRewardCoupon", sv), [0, 1, 2]);
    assert.ok(world.tasks.every(({ outcome }) => outcome === "ok"));
  });

  it("a wallet makes Amulet of its rewards when their round begins to issue; who has no wallet keeps them", async () => {
    const alice = await walletOf("alice"),
      [bob] = await world.parties("bob"),
      [round] = await open();
    await asDso(give(alice, round!, "2.0"), give(alice, round!, "10.0", false), give(alice, round! + 1, "3.0"), give(bob, round!, "2.0"));
    await ticks(1);
    await world.moveBy(tickMicros - 1n);
    assert.deepEqual(await amountsOf(alice), [], "it has ended, and does not issue yet");
    await world.moveBy(1n);
    assert.deepEqual(await amountsOf(alice), ["206.0000000000"], "100 for each that is featured, 0.6 for another");
    assert.deepEqual(
      (await world.contracts("appRewardCoupon")).map(({ payload }) => [payload.provider, Number(payload.round.number)]),
      [
        [alice, round! + 1],
        [bob, round],
      ],
    );
    const [, ofBob] = await world.contracts("appRewardCoupon");
    await asDso(exercise(templates.appRewardCoupon, ofBob!.contractId, "Archive", {}));
    await ticks(1);
    assert.deepEqual(await amountsOf(alice), ["506.0000000000"], "what it held and the next are one contract");
  });

  it("what a wallet holds becomes one contract with each round; what comes behind its beginning waits for the next", async () => {
    const carol = await walletOf("carol");
    await tap(carol, "1.0");
    await tap(carol, "2.0");
    await world.moveBy(1n);
    assert.deepEqual(await amountsOf(carol), ["1.0000000000", "2.0000000000"]);
    await world.moveBy(tickMicros);
    assert.deepEqual(await amountsOf(carol), ["3.0000000000"]);
    await tap(carol, "4.0");
    const done = world.done("collect-rewards");
    await world.moveBy(tickMicros / 2n + 2n);
    assert.deepEqual([await amountsOf(carol), world.done("collect-rewards")], [["3.0000000000", "4.0000000000"], done]);
    await world.moveBy(tickMicros / 2n);
    assert.deepEqual(await amountsOf(carol), ["7.0000000000"]);
  });

  it("what does not fit into one transfer takes several, the first to lapse first", async () => {
    const dave = await walletOf("dave"),
      [round] = await open();
    await asDso(...Array.from({ length: 250 }, () => give(dave, round!, "1.0")));
    await ticks(3);
    assert.deepEqual(await amountsOf(dave), ["25000.0000000000"]);
  });

  it("where it is switched off, wallets keep coupons and contracts as they are", async () => {
    const erin = await walletOf("erin"),
      [round] = await open();
    await world.automate(
      hosted.validators,
      triggers.filter(({ name }) => name !== "collect-rewards"),
    );
    await asDso(give(erin, round!, "1.0"));
    await tap(erin, "1.0");
    await tap(erin, "1.0");
    await ticks(3);
    assert.deepEqual(await amountsOf(erin), ["1.0000000000", "1.0000000000"]);
    await world.automate(hosted.validators);
    assert.deepEqual(await amountsOf(erin), ["102.0000000000"], "it is not too late yet");
  });
});
