/** Requests for traffic that a wallet left behind, on the public packages: `LEDGERLINE_REAL_DARS` names a folder that holds them. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { Automation, triggers } from "../../src/splice/automation/index.js";
import { create, exercise } from "../../src/splice/commands.js";
import { anyPartyFormat, transactionPages } from "../../src/splice/history/reading.js";
import { javaInstant } from "../../src/splice/instants.js";
import { templates } from "../../src/splice/names.js";
import { EconomyWorld, type LogLine } from "./economy-world.js";
import { bootstrapReal, missingDars, realGenerations } from "./real-dars.js";

const second = 1_000_000n;

describe("requests for traffic that a wallet left behind", { skip: missingDars(realGenerations.newer), timeout: 300_000 }, () => {
  let world: EconomyWorld, dso: string, validators: readonly string[], validator: string, alice: string, poor: string, stranger: string;
  before(async () => {
    world = await EconomyWorld.open();
    ({ dso, validators } = await bootstrapReal(world, "newer"));
    validator = validators[1]!;
    [alice, poor, stranger] = await world.parties("alice", "poor", "stranger");
    for (const party of [alice, poor]) {
      const install = { dsoParty: dso, validatorParty: validator, endUserName: party, endUserParty: party };
      await world.submit({ actAs: [party, validator], commands: [create(templates.walletAppInstall, install)] });
    }
    await world.automate(validators);
    const [rules] = await world.contracts("amuletRules"),
      [round] = await world.contracts("openMiningRound");
    for (const receiver of [alice, stranger]) {
      const argument = { receiver, amount: "10000.0", openRound: round!.contractId };
      const tap = exercise(templates.amuletRules, rules!.contractId, "AmuletRules_DevNet_Tap", argument);
      await world.submit({ actAs: [receiver], readAs: [dso], commands: [tap] });
    }
  });
  after(() => world.close());

  const request = async (party: string, trafficAmount: string, seconds = 3_600n): Promise<string> => {
    const terms = {
      dso,
      endUserParty: party,
      expiresAt: javaInstant(world.now + seconds * second),
      trackingId: `of ${party}`,
      trafficAmount,
      memberId: `PAR::${world.ledger.participantId}`,
      synchronizerId: world.ledger.synchronizerId,
      migrationId: "0",
    };
    const { created } = await world.submit({ actAs: [party], commands: [create(templates.buyTrafficRequest, terms)] });
    return created[0]!.contractId;
  };
  const left = async () => (await world.contracts("buyTrafficRequest")).map(({ payload }) => payload.endUserParty);
  const bought = async () => (await world.contracts("memberTraffic")).map(({ payload }) => payload.totalPurchased);
  /** How a request ended, and why. */
  const endOf = async (contractId: string): Promise<readonly unknown[]> => {
    const { ledger } = world,
      format = anyPartyFormat({ cumulative: [{ kind: "wildcard", includeCreatedEventBlob: false }] });
    for await (const page of transactionPages(ledger, { format, after: 0, to: ledger.ledgerEnd(), descending: true }))
      for (const { events } of page.ok ?? assert.fail(page.error.cause))
        for (const { ExercisedEvent } of events)
          if (ExercisedEvent?.contractId === contractId)
            return [ExercisedEvent.choice, (ExercisedEvent.choiceArgument as { readonly reason?: string }).reason];
    return [];
  };

  it("is left to the wallet at first, then bought for it", async () => {
    await request(alice, "1000000");
    await world.moveBy(4n * second);
    assert.deepEqual([await left(), await bought()], [[alice], []]);
    await world.moveBy(2n * second);
    assert.deepEqual([await left(), await bought()], [[], ["1000000"]]);
  });

  it("is cancelled where the wallet has not the means, or the rules sell no so little", async () => {
    const dear = await request(poor, "1000000"),
      little = await request(alice, "1");
    await world.moveBy(6n * second);
    assert.deepEqual([await left(), (await bought()).length], [[], 1]);
    const [[choice, reason], [otherChoice, otherReason]] = (await Promise.all([endOf(dear), endOf(little)])) as [string[], string[]];
    assert.deepEqual([choice, otherChoice], ["BuyTrafficRequest_Cancel", "BuyTrafficRequest_Cancel"]);
    assert.match(reason!, /^out of funds \(missing .* CC\)$/);
    assert.match(otherReason!, /^not enough traffic requested \(trafficAmount 1 < minTopupAmount 200000\)$/);
  });

  it("of who has no wallet stays, and one that expired is ended, not bought", async () => {
    await request(stranger, "1000000");
    const late = await request(alice, "1000000", 3n);
    await world.moveBy(6n * second);
    assert.deepEqual([await left(), (await bought()).length], [[stranger], 1]);
    assert.deepEqual(await endOf(late), ["BuyTrafficRequest_Expire", undefined]);
  });

  it("where the wallet comes first after all it is bought once, and nobody is told of a failure", async () => {
    const contractId = await request(alice, "1000000"),
      wallet = world.ledger,
      log: LogLine[] = [];
    let refused = 0;
    /** Automation's own attempt comes right behind the wallet's. */
    const submit: typeof wallet.submit = async (submission) => {
      if (submission.userId !== "splice-automation" || !submission.commands.includes(contractId)) return wallet.submit(submission);
      if (refused === 0) assert.ok((await wallet.submit({ ...submission, userId: "wallet" })).ok);
      const behind = await wallet.submit(submission);
      if (behind.error) refused++;
      return behind;
    };
    const ledger = new Proxy(wallet, {
      get: (target, name) => {
        if (name === "submit") return submit;
        const member = Reflect.get(target, name, target) as unknown;
        return typeof member === "function" ? (member.bind(target) as unknown) : member;
      },
    });
    await world.stopAutomation();
    await world.moveBy(6n * second);
    const line =
      (level: string) =>
      (message: string, fields = {}) =>
        void log.push({ level, message, fields });
    const automation = new Automation({
      ledger,
      validators,
      triggers,
      log: { debug: line("debug"), info: line("info"), warn: line("warn"), error: line("error") },
    });
    assert.ok(await automation.settle(20_000));
    await automation.close();
    assert.deepEqual([await left(), (await bought()).length, refused], [[stranger], 2, 1]);
    assert.deepEqual(
      log.filter(({ level }) => level === "warn" || level === "error"),
      [],
    );
  });
});
