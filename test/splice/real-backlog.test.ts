/**
 * What cannot be done, or is not wanted, stays on the ledger before what can: on the public packages, `LEDGERLINE_REAL_DARS` names a
 * folder that holds them.
 */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { limits } from "../../src/config.js";
import { triggers } from "../../src/splice/automation/index.js";
import { create, exercise } from "../../src/splice/commands.js";
import { javaInstant } from "../../src/splice/instants.js";
import { templates } from "../../src/splice/names.js";
import { EconomyWorld, tickMicros } from "./economy-world.js";
import { bootstrapReal, missingDars, realGenerations } from "./real-dars.js";

const second = 1_000_000n,
  day = 86_400n * second;
/** As many as one transaction takes. */
const many = limits.automationContractsMax;
const times = <T>(count: number, make: (index: number) => T): readonly T[] => Array.from({ length: count }, (_, index) => make(index));

describe("behind a backlog", { skip: missingDars(realGenerations.newer), timeout: 300_000 }, () => {
  let world: EconomyWorld, dso: string, validators: readonly string[], validator: string, alice: string, bob: string, carol: string;
  before(async () => {
    world = await EconomyWorld.open();
    ({ dso, validators } = await bootstrapReal(world, "newer"));
    validator = validators[1]!;
    [alice, bob, carol] = await world.parties("alice", "bob", "carol");
    await world.automate(validators);
    await tap(carol, "1000.0");
  });
  after(() => world.close());

  const payloads = async (name: keyof typeof templates) => (await world.contracts(name)).map(({ payload }) => payload);
  const submit = (actAs: readonly string[], ...commands: readonly object[]) => world.submit({ actAs, commands });
  async function tap(receiver: string, amount: string): Promise<void> {
    const [rules] = await world.contracts("amuletRules"),
      [round] = await world.contracts("openMiningRound");
    const argument = { receiver, amount, openRound: round!.contractId };
    const command = exercise(templates.amuletRules, rules!.contractId, "AmuletRules_DevNet_Tap", argument);
    await world.submit({ actAs: [receiver], readAs: [dso], commands: [command] });
  }
  const installed = (party: string) =>
    submit(
      [party, validator],
      create(templates.walletAppInstall, { dsoParty: dso, validatorParty: validator, endUserName: party, endUserParty: party }),
    );

  it("proposals of who is approved already do not hide another's", async () => {
    const proposal = (receiver: string) =>
      create(templates.transferPreapprovalProposal, { receiver, provider: validator, expectedDso: dso });
    await submit([alice], proposal(alice));
    await world.settle();
    await submit([alice], ...times(many, () => proposal(alice)));
    await submit([bob], proposal(bob));
    await world.settle();
    assert.deepEqual(
      (await payloads("transferPreapproval")).map(({ receiver }) => receiver),
      [alice, bob],
    );
  });

  it("accepted offers that cannot be paid do not hide one that can", async () => {
    const accepted = (sender: string, index: number) =>
      create(templates.acceptedTransferOffer, {
        sender,
        receiver: bob,
        dso,
        amount: { amount: "1.0", unit: "AmuletUnit" },
        expiresAt: javaInstant(world.now + 60n * second),
        trackingId: String(index),
      });
    await installed(carol);
    await submit([alice, bob], ...times(many, (index) => accepted(alice, index))); // she has no wallet
    await submit([carol, bob], accepted(carol, 0));
    await world.moveBy(6n * second);
    const left = await payloads("acceptedTransferOffer");
    assert.deepEqual([left.length, left.filter(({ sender }) => sender === carol)], [many, []]);
    await installed(alice); // who then ends what is hers
    await world.moveBy(60n * second);
    assert.deepEqual(await payloads("acceptedTransferOffer"), []);
  });

  it("subscriptions that lapsed, or are not due yet, do not hide one that is", async () => {
    const subscribe = async (sender: string, dueIn: bigint, count: number) => {
      const subscriptionData = { sender, receiver: bob, provider: bob, dso, description: "" };
      const payData = {
        paymentAmount: { amount: "1.0", unit: "USDUnit" },
        paymentInterval: { microseconds: String(2n * day) },
        paymentDuration: { microseconds: String(day) },
      };
      const {
        created: [request],
      } = await submit([sender, bob], create(templates.subscriptionRequest, { subscriptionData, payData }));
      const reference = request!.contractId;
      const {
        created: [made],
      } = await submit([sender, bob], create(templates.subscription, { subscriptionData, reference }));
      const nextPaymentDueAt = javaInstant(world.now + dueIn),
        state = { subscription: made!.contractId, subscriptionData, payData, nextPaymentDueAt, reference };
      await submit([sender, bob], ...times(count, () => create(templates.subscriptionIdleState, state)));
    };
    await subscribe(alice, -day, many);
    await subscribe(carol, 2n * day, many);
    await subscribe(carol, day / 2n, 1);
    await world.settle();
    assert.deepEqual(
      (await payloads("subscriptionPayment")).map(({ subscriptionData }) => subscriptionData.sender),
      [carol],
    );
  });

  it("transfer commands that expired end, and hide none that can be sent", async () => {
    const command = (sender: string, nonce: number, seconds: bigint) =>
      create(templates.transferCommand, {
        dso,
        sender,
        receiver: bob,
        delegate: validator,
        amount: "1.0",
        expiresAt: javaInstant(world.now + seconds * second),
        nonce: String(nonce),
        description: null,
      });
    await world.automate(
      validators,
      triggers.filter(({ name }) => name !== "expire-transfer-commands"),
    );
    await submit([alice, dso], ...times(many, (index) => command(alice, index + 5, 1n)));
    await world.moveBy(2n * second);
    await submit([carol, validator], create(templates.validatorRight, { dso, user: carol, validator }));
    await submit([carol, dso], command(carol, 0, 3_600n));
    await world.settle();
    const left = async () => (await payloads("transferCommand")).map(({ sender }) => sender);
    assert.deepEqual(new Set(await left()), new Set([alice]), "sent");
    await world.automate(validators);
    assert.deepEqual([await left(), world.done("expire-transfer-commands")], [[], many]);
  });

  it("names that last do not hide one whose time is over", async () => {
    const entry = (name: string, expiresIn: bigint) =>
      create(templates.ansEntry, { user: bob, name, url: "", description: "", expiresAt: javaInstant(world.now + expiresIn), dso });
    await submit([bob, dso], ...times(many, (index) => entry(`lasting${index}`, 90n * day)), entry("brief", second));
    await world.moveBy(2n * second);
    assert.equal((await payloads("ansEntry")).filter(({ name }) => name === "brief").length, 0);
  });

  it("a decided vote whose action is refused does not hold up the others", async () => {
    const action = (tag: string, value: object) => ({ tag: "ARC_DsoRules", value: { dsoAction: { tag, value } } });
    const request = (of: object) =>
      create(templates.voteRequest, {
        dso,
        requester: "sv",
        action: of,
        reason: { url: "", body: "" },
        voteBefore: javaInstant(world.now + day),
        votes: [["sv", { sv: validators[0]!, accept: true, reason: { url: "", body: "" }, optCastAt: null }]],
        trackingCid: null,
        targetEffectiveAt: null,
      });
    const {
      created: [right],
    } = await submit([dso], create(templates.featuredAppRight, { dso, provider: bob }));
    await submit([dso], exercise(templates.featuredAppRight, right!.contractId, "Archive", {}));
    const impossible = action("SRARC_RevokeFeaturedAppRight", { rightCid: right!.contractId });
    await submit([dso], ...times(3, () => request(impossible)), request(action("SRARC_GrantFeaturedAppRight", { provider: alice })));
    await world.settle();
    assert.deepEqual(
      (await payloads("featuredAppRight")).map(({ provider }) => provider),
      [alice],
    );
    assert.equal((await payloads("voteRequest")).length, 3);
  });

  it("delegations without anything to mint do not hide one with something, nor coupons of users those of their app", async () => {
    const delegated = (who: readonly string[]) =>
      submit(
        [...who, validator],
        ...who.flatMap((user) => [
          create(templates.validatorRight, { dso, user, validator }),
          create(templates.mintingDelegation, {
            beneficiary: user,
            delegate: validator,
            dso,
            expiresAt: javaInstant(world.now + 30n * day),
            amuletMergeLimit: "10",
          }),
        ]),
      );
    const idle = await world.parties(...times(many, (index) => `idle${index}`)),
      [minter, app] = await world.parties("minter", "app");
    await delegated(idle);
    await delegated([minter]);
    await installed(app);
    const number = (await payloads("openMiningRound"))[0].round.number;
    const coupon = (provider: string, beneficiary: string | null, amount: string) =>
      create(templates.appRewardCoupon, { dso, provider, beneficiary, featured: true, amount, round: { number } });
    for (let transactions = 0; transactions < 2; transactions++) await submit([dso], ...times(many, () => coupon(app, bob, "1.0")));
    await submit([dso], coupon(app, null, "100.0"), coupon(minter, null, "5.0"));
    for (let tick = 0; tick < 4; tick++) await world.moveBy(tickMicros);
    const owners = (await payloads("amulet")).map(({ owner }) => owner);
    assert.deepEqual([owners.includes(minter), owners.includes(app)], [true, true]);
  });
});
