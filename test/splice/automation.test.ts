/** What keeps a network alive, on stand-ins of its packages. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Result } from "../../src/base/result.js";
import { limits } from "../../src/config.js";
import { triggers, type Trigger } from "../../src/splice/automation/index.js";
import type { HostedNetwork } from "../../src/splice/bootstrap/index.js";
import { exercise } from "../../src/splice/commands.js";
import { instantOf } from "../../src/splice/instants.js";
import { reference, templates } from "../../src/splice/names.js";
import { amuletDarOf, economyDars, walletDarWithRequests } from "./economy-model.js";
import { EconomyWorld, tickMicros } from "./economy-world.js";

const made = (result: Result<HostedNetwork, string>): HostedNetwork => result.ok ?? assert.fail(result.error);
const funds = "100000.0000000000";
const day = 86_400_000_000n;

async function network(generation: "rounds" | "configStates"): Promise<{ world: EconomyWorld; hosted: HostedNetwork }> {
  const world = await EconomyWorld.open();
  return { world, hosted: made(await world.bootstrap(world.folderOf("dars", economyDars(generation)))) };
}

const numbersOf = async (world: EconomyWorld, name: "openMiningRound" | "issuingMiningRound") =>
  (await world.contracts(name)).map(({ payload }) => Number(payload.round.number)).sort((a, b) => a - b);

for (const generation of ["rounds", "configStates"] as const) {
  describe(`automation, ${generation}`, () => {
    let world: EconomyWorld, hosted: HostedNetwork;
    before(async () => {
      ({ world, hosted } = await network(generation));
    });
    after(() => world.close());

    it("validators are licensed and funded once", async () => {
      await world.automate(hosted.validators);
      await world.automate(hosted.validators);
      assert.deepEqual(
        (await world.contracts("validatorLicense")).map(({ payload }) => payload.validator).sort(),
        [...hosted.validators].sort(),
      );
      assert.deepEqual(
        (await world.contracts("amulet")).map(({ payload }) => payload.amount.initialAmount),
        [funds, funds],
      );
    });

    it("rounds open, issue, close and go, one a tick, as time moves; nothing happens before it is due", async (context) => {
      const end = world.ledger.ledgerEnd(),
        rounds = 25;
      await world.moveBy(tickMicros - 1n);
      assert.equal(world.ledger.ledgerEnd(), end, "nothing is due yet");
      await world.moveBy(1n);
      const since = performance.now(),
        first = world.tasks.length;
      for (let round = 1; round < rounds; round++) await world.moveBy(tickMicros);
      const ms = (performance.now() - since) / (rounds - 1),
        commands = (world.tasks.length - first) / (rounds - 1);
      context.diagnostic(
        `a round takes ${ms.toFixed(1)} ms and ${commands.toFixed(1)} commands; largest lag ${Math.max(...world.tasks.map(({ lagSeconds }) => lagSeconds))} s`,
      );
      assert.deepEqual(await numbersOf(world, "openMiningRound"), [rounds, rounds + 1, rounds + 2]);
      assert.deepEqual(await numbersOf(world, "issuingMiningRound"), [rounds - 3, rounds - 2, rounds - 1], "each has three ticks");
      assert.deepEqual([await world.contracts("summarizingMiningRound"), await world.contracts("closedMiningRound")], [[], []]);
      assert.deepEqual([world.done("advance-open-rounds"), world.done("archive-closed-rounds")], [rounds, rounds - 3]);
      assert.ok(
        world.tasks.every(({ lagSeconds, outcome }) => outcome === "ok" && lagSeconds <= 1),
        "at once",
      );
      assert.deepEqual(await world.madeBy(hosted.dso), ["DsoBootstrap_Bootstrap"], "the rest is the SV's and the validators'");
      // Of each of the rounds that began to issue both have 5 for being there, and the SV 100 more.
      assert.deepEqual(
        (await world.contracts("amulet")).map(({ payload }) => payload.amount.initialAmount).sort(),
        ["100120.0000000000", "102520.0000000000"],
        "each has one contract, with what rounds gave",
      );
    });

    it(
      "the older state of the configuration makes room for a new one when its time is over",
      { skip: generation === "rounds" && "its configuration has no states" },
      async () => {
        const states = async (): Promise<(readonly [endsAt: bigint, contractId: string])[]> =>
          (await world.contracts("externalPartyConfigState"))
            .map(({ contractId, payload }) => [instantOf(payload.targetArchiveAfter), contractId] as const)
            .sort(([a], [b]) => (a < b ? -1 : 1));
        const before = await states(),
          [[endsAt], newer] = before as [(typeof before)[0], (typeof before)[0]];
        await world.moveBy(endsAt - world.now);
        assert.deepEqual(await states(), before, "its time is not over yet");
        await world.moveBy(1n);
        const after = await states();
        assert.deepEqual([after.length, after[0]], [2, newer]);
        assert.notDeepEqual(after[1], newer);
      },
    );

    it("after a long pause one round follows, not all that were missed", async () => {
      const [, , newest] = await numbersOf(world, "openMiningRound");
      await world.moveBy(1_000n * tickMicros);
      assert.equal((await numbersOf(world, "openMiningRound"))[2], newest! + 1);
    });

    it("what is switched off stays undone; another start goes on where it was", async () => {
      await world.automate(
        hosted.validators,
        triggers.filter(({ name }) => name !== "start-issuing"),
      );
      await world.moveBy(3n * tickMicros);
      assert.equal((await world.contracts("summarizingMiningRound")).length, 1);
      await world.restart();
      await world.automate(hosted.validators);
      assert.equal((await world.contracts("summarizingMiningRound")).length, 0);
    });
  });
}

describe("automation", () => {
  let world: EconomyWorld, hosted: HostedNetwork, alice: string, bob: string;
  before(async () => {
    ({ world, hosted } = await network("configStates"));
    [alice, bob] = await world.parties("alice", "bob");
    await world.automate(hosted.validators);
  });
  after(() => world.close());
  const create = (name: keyof typeof templates, createArguments: object) => ({
    CreateCommand: { templateId: reference(templates[name]), createArguments },
  });
  const propose = (receiver: string, provider: string) =>
    world.submit({ actAs: [receiver], commands: [create("transferPreapprovalProposal", { receiver, provider, expectedDso: hosted.dso })] });

  it("proposals to a validator of this node are accepted, once for each receiver; others wait for theirs", async () => {
    const [, validator] = hosted.validators as [string, string];
    await propose(alice, validator);
    await world.settle();
    assert.deepEqual(
      (await world.contracts("transferPreapproval")).map(({ payload }) => payload.receiver),
      [alice],
    );
    await propose(alice, validator);
    await propose(alice, bob);
    await world.settle();
    assert.equal((await world.contracts("transferPreapproval")).length, 1);
    assert.equal((await world.contracts("transferPreapprovalProposal")).length, 2);
  });

  it("an approval that expired is archived, and the proposal that waited behind it accepted", async () => {
    const [approved] = await world.contracts("transferPreapproval");
    await world.automate(
      hosted.validators,
      triggers.filter(({ name }) => name !== "renew-preapprovals"),
    );
    await world.moveBy(90n * day + 1n);
    await world.settle();
    const now = await world.contracts("transferPreapproval");
    assert.deepEqual(
      now.map(({ payload }) => payload.receiver),
      [alice],
    );
    assert.notEqual(now[0]!.contractId, approved!.contractId);
    assert.deepEqual([world.done("expire-preapprovals"), world.done("accept-preapprovals")], [1, 2]);
  });

  it("where validators take their time, a proposal waits so long; of several to one receiver one is accepted", async () => {
    const [, validator] = hosted.validators as [string, string],
      [patient] = await world.parties("patient");
    await world.automate(hosted.validators, triggers, 30);
    for (let i = 0; i < 3; i++) await propose(patient, validator);
    const approved = async () =>
      (await world.contracts("transferPreapproval")).filter(({ payload }) => payload.receiver === patient).length;
    await world.moveBy(29_900_000n);
    assert.equal(await approved(), 0);
    await world.moveBy(100_000n);
    assert.equal(await approved(), 1, "of those that were due together only one is accepted");
  });

  it("each validator approves by himself: neither another's approval nor a proposal to him stands in the way", async () => {
    const [one, other] = hosted.validators as [string, string],
      [sought, both] = await world.parties("sought", "both");
    await world.automate(hosted.validators);
    const providersFor = async (receiver: string) =>
      (await world.contracts("transferPreapproval"))
        .flatMap(({ payload }) => (payload.receiver === receiver ? [payload.provider] : []))
        .sort();
    await propose(sought, one);
    await world.settle();
    for (let i = 0; i < 2; i++) await propose(sought, other);
    for (const validator of [one, other]) await propose(both, validator);
    await world.settle();
    assert.deepEqual([await providersFor(sought), await providersFor(both)], [[one, other].sort(), [one, other].sort()]);
  });

  it("votes are closed when they are decided, at their target, or when their time is over", async () => {
    const at = (seconds: number) => new Date(Number(world.now / 1_000n) + seconds * 1_000).toISOString();
    const request = (requester: string, vote: object) =>
      world.submit({
        actAs: [hosted.dso],
        commands: [
          create("voteRequest", {
            dso: hosted.dso,
            requester,
            voteBefore: at(60),
            votes: [["sv", { accept: true }]],
            targetEffectiveAt: null,
            ...vote,
          }),
        ],
      });
    const open = async () => (await world.contracts("voteRequest")).map(({ payload }) => payload.requester).sort();
    await world.automate(
      hosted.validators,
      triggers.filter(({ name }) => name !== "close-votes"),
    );
    await request("accepted", {});
    await request("rejected", { votes: [["sv", { accept: false }]], targetEffectiveAt: at(120) });
    await request("nobody voted", { votes: [] });
    await request("somebody else voted", { votes: [["stranger", { accept: true }]] });
    await request("later", { targetEffectiveAt: at(120) });
    await world.automate(hosted.validators);
    assert.deepEqual(await open(), ["later", "nobody voted", "somebody else voted"]);
    await world.moveBy(60_000_000n);
    assert.deepEqual(await open(), ["later"]);
    await world.moveBy(60_000_000n);
    assert.deepEqual(await open(), []);
  });

  it("what nobody took of the development fund in time goes back to it", async () => {
    const give = (seconds: number) =>
      world.submit({
        actAs: [hosted.dso],
        commands: [
          create("developmentFundCoupon", {
            dso: hosted.dso,
            expiresAt: new Date(Number(world.now / 1_000n) + seconds * 1_000).toISOString(),
          }),
        ],
      });
    await give(60);
    await give(3_600);
    const left = async () => (await world.contracts("developmentFundCoupon")).length;
    await world.moveBy(59_000_000n);
    assert.equal(await left(), 2);
    await world.moveBy(1_001_000n);
    assert.deepEqual([await left(), world.done("expire-fund-coupons")], [1, 1]);
  });

  it("what a wallet offered or asked for ends when its time is over, by the first wallet that is here; without a wallet it stays", async () => {
    const [, validator] = hosted.validators as [string, string],
      { dso } = hosted;
    await world.upload(walletDarWithRequests());
    await world.automate(
      hosted.validators,
      triggers.filter(({ name }) => name !== "reject-minting-proposals"),
    );
    const [carol, dave] = await world.parties("carol", "dave");
    const install = { dsoParty: dso, validatorParty: validator, endUserName: "carol", endUserParty: carol };
    await world.submit({ actAs: [carol, validator], commands: [create("walletAppInstall", install)] });
    const at = (seconds: number) => new Date(Number(world.now / 1_000n) + seconds * 1_000).toISOString(),
      make = (by: string, name: keyof typeof templates, terms: object) => world.submit({ actAs: [by], commands: [create(name, terms)] });
    await make(carol, "transferOffer", { dso, sender: carol, receiver: dave, expiresAt: at(60) });
    await make(dave, "transferOffer", { dso, sender: dave, receiver: carol, expiresAt: at(60) });
    await make(carol, "transferOffer", { dso, sender: carol, receiver: dave, expiresAt: at(3_600) });
    await make(dave, "transferOffer", { dso, sender: dave, receiver: dave, expiresAt: at(60) });
    await make(carol, "transferOffer", { dso: dave, sender: carol, receiver: dave, expiresAt: at(60) });
    await make(carol, "buyTrafficRequest", { dso, endUserParty: carol, expiresAt: at(60) });
    const delegation = { dso, delegate: carol, expiresAt: at(60) };
    await make(dave, "mintingDelegationProposal", { beneficiary: dave, delegate: carol, delegation });
    const left = async () =>
      await Promise.all(
        (["transferOffer", "buyTrafficRequest", "mintingDelegationProposal"] as const).map(
          async (name) => (await world.contracts(name)).length,
        ),
      );
    await world.moveBy(59_000_000n);
    assert.deepEqual(await left(), [5, 1, 1], "nothing is over yet");
    await world.moveBy(1_001_000n);
    assert.deepEqual([await left(), world.done("expire-requests")], [[3, 0, 0], 4]);
    assert.deepEqual(
      (await world.contracts("transferOffer")).map(({ payload }) => [payload.dso, payload.sender, payload.receiver]),
      [
        [dso, carol, dave],
        [dso, dave, dave],
        [dave, carol, dave],
      ],
      "its time, nobody's wallet, another network",
    );
  });

  it("what fails, or throws, is told and tried again, and keeps nothing else from being done", async () => {
    let attempts = 0;
    const impossible: Trigger = {
      name: "impossible",
      what: "",
      due: async ({ dso }) => ({
        tasks: [
          {
            key: "it",
            since: 0n,
            submission: () => {
              attempts++;
              return { actAs: [dso], commands: [exercise(templates.amuletRules, "00", "Nothing", {})] };
            },
          },
        ],
      }),
    };
    const broken: Trigger = {
      name: "broken",
      what: "",
      due: async () => {
        throw new Error("a bug");
      },
    };
    await world.automate(hosted.validators, [impossible, broken, ...triggers]);
    const advanced = world.done("advance-open-rounds"),
      since = performance.now(),
      before = attempts;
    for (let move = 0; move < 5; move++) await world.moveBy(tickMicros);
    assert.equal(world.done("advance-open-rounds"), advanced + 5);
    // Each wait is at least as long as the first, whatever this machine needs for the moves.
    const retriesMax = Math.ceil((performance.now() - since) / limits.automationRetryMs);
    assert.ok(attempts >= 1 && attempts - before <= retriesMax, `it waits before it tries again: ${before}, then ${attempts}`);
    assert.ok(
      world.log.some(({ level, fields }) => level === "warn" && fields["trigger"] === "impossible" && fields["code"] !== undefined),
    );
    assert.ok(
      world.log.some(({ level, fields }) => level === "error" && fields["trigger"] === "broken" && /a bug/.test(String(fields["error"]))),
    );
  });

  it("what goes through and tells that it did nothing is told and tried again, and what is done by then is left", async () => {
    const nothingLeft: Trigger = {
      name: "nothing-left",
      what: "",
      due: async () => ({ tasks: [{ key: "it", since: 0n, submission: () => undefined }] }),
    };
    const inVain: Trigger = {
      name: "in-vain",
      what: "",
      due: async ({ dso }) => ({
        tasks: [
          {
            key: "it",
            since: 0n,
            submission: () => ({ actAs: [dso], commands: [create("externalPartyAmuletRules", { dso })] }),
            problemOf: ({ created }) => `made ${created.length}, to no avail`,
          },
        ],
      }),
    };
    await world.automate(hosted.validators, [nothingLeft, inVain]);
    assert.deepEqual(
      world.tasks.filter(({ trigger: name }) => ["nothing-left", "in-vain"].includes(name)).map(({ outcome }) => outcome),
      ["NOT_DONE"],
    );
    assert.ok(world.log.some(({ level, fields }) => level === "warn" && fields["cause"] === "made 1, to no avail"));
  });

  it("what is due however often it is done does not keep the node busy", async () => {
    const endless: Trigger = {
      name: "endless",
      what: "",
      due: async ({ dso }) => ({
        tasks: [{ key: "it", since: 0n, submission: () => ({ actAs: [dso], commands: [create("externalPartyAmuletRules", { dso })] }) }],
      }),
    };
    await world.automate(hosted.validators, [endless]);
    const done = world.done("endless");
    await world.settle();
    assert.ok(done >= 50 && world.done("endless") <= done + 50, `${done} times, then a pause`);
  });
});

describe("automation: a newer generation that is uploaded", () => {
  let world: EconomyWorld, hosted: HostedNetwork;
  before(async () => {
    ({ world, hosted } = await network("rounds"));
    await world.automate(hosted.validators);
  });
  after(() => world.close());

  it("without its governance it is told what is missing, and rounds go on with the older packages", async () => {
    await world.upload(amuletDarOf("configStates"));
    await world.settle();
    assert.ok(
      world.log.some(
        ({ level, fields }) =>
          level === "warn" && fields["trigger"] === "renew-amulet-rules" && /splice-dso-governance/.test(String(fields["reason"])),
      ),
    );
    await world.moveBy(tickMicros);
    assert.deepEqual(await numbersOf(world, "openMiningRound"), [1, 2, 3]);
    assert.equal((await world.contracts("issuingMiningRound")).length, 1);
  });

  it("with it the rules are made anew at once, without fees and with states of the configuration; then all goes on", async () => {
    const [before_] = await world.contracts("amuletRules");
    for (const dar of Object.values(economyDars("configStates"))) await world.upload(dar);
    await world.settle();
    const rules = await world.contracts("amuletRules"),
      config = rules[0]!.payload.configSchedule.initialValue;
    assert.equal(rules.length, 1);
    assert.notEqual(rules[0]!.contractId, before_!.contractId);
    assert.deepEqual(
      [config.transferConfig.createFee.fee, config.transferConfig.transferFee.steps, config.packageConfig.amulet],
      ["0.0", [], "0.1.22"],
    );
    assert.equal((await world.contracts("externalPartyConfigState")).length, 2);
    await world.moveBy(tickMicros);
    assert.deepEqual(await numbersOf(world, "openMiningRound"), [2, 3, 4]);
    assert.equal(world.done("renew-amulet-rules"), 1);
  });
});
