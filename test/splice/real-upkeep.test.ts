/** What keeps a network's contracts in order, on the public packages: `LEDGERLINE_REAL_DARS` names a folder that holds them. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { localnetPausedTriggers } from "../../src/localnet/members.js";
import { triggers } from "../../src/splice/automation/index.js";
import { create, exercise } from "../../src/splice/commands.js";
import { javaInstant } from "../../src/splice/instants.js";
import { createSplice } from "../../src/splice/index.js";
import { templates } from "../../src/splice/names.js";
import { EconomyWorld, tickMicros } from "./economy-world.js";
import { bootstrapReal, missingDars, realGenerations } from "./real-dars.js";
import { ownTurns } from "../support/turns.js";

const second = 1_000_000n,
  hour = 3_600n * second,
  day = 24n * hour;
const scanUrl = "http://scan.localhost:4000",
  movedScanUrl = "http://scan.localhost:14000",
  programVersion = "1.2.3";
/** What brings rewards has tests of its own, and changes licenses and holdings in each round. */
const ofRewards: ReadonlySet<string> = new Set(["record-liveness", "receive-sv-rewards", "collect-rewards", "mint-rewards"]),
  upkeep = triggers.filter(({ name }) => !ofRewards.has(name));

for (const generation of ["older", "newer"] as const) {
  describe(`upkeep of a network, ${generation} generation`, { skip: missingDars(realGenerations[generation]), timeout: 300_000 }, () => {
    let world: EconomyWorld, dso: string, validators: readonly string[], alice: string, bob: string;
    before(async () => {
      world = await EconomyWorld.open();
      ({ dso, validators } = await bootstrapReal(world, generation));
      [alice, bob] = await world.parties("alice", "bob");
      await world.automate(validators, upkeep, 0, { scanUrl, programVersion });
    });
    after(() => world.close());

    const payloads = async (name: keyof typeof templates) => (await world.contracts(name)).map(({ payload }) => payload);
    const governed = async (choice: string, argument: object, also: readonly string[] = []): Promise<void> => {
      const [rules] = await world.contracts("dsoRules");
      await world.submit({ actAs: [dso, ...also], commands: [exercise(templates.dsoRules, rules!.contractId, choice, argument)] });
    };
    const automateMoved = () => world.automate(validators, upkeep, 0, { scanUrl: movedScanUrl, programVersion });
    const failures = () => world.tasks.filter(({ outcome }) => outcome !== "ok");
    /** So that those look that need not look at every turn. */
    const wait = () => world.moveBy(30n * second);

    it("the SV's nodes are published with its Scan, once; a new address takes the place of the old one", async () => {
      const published = async () => (await payloads("svNodeState")).flatMap(({ state }) => state.synchronizerNodes);
      assert.deepEqual(
        (await published()).map(([id, { cometBft, scan }]: any) => [id, cometBft.nodes, scan]),
        [[world.ledger.synchronizerId, [], { publicUrl: scanUrl }]],
      );
      await automateMoved();
      assert.deepEqual(
        (await published()).map(([, { scan }]: any) => scan.publicUrl),
        [movedScanUrl],
      );
      assert.equal(world.done("publish-scan"), 2);
      const { network } = createSplice({ ledger: world.ledger, turns: ownTurns() });
      assert.deepEqual(await network.scans(), [
        { domainId: world.ledger.synchronizerId, nodes: [{ publicUrl: movedScanUrl, svName: "sv" }] },
      ]);
      assert.deepEqual(await network.sequencers(), [{ domainId: world.ledger.synchronizerId, nodes: [] }]);
    });

    it("a license tells its validator's release, and each hour that it is there", async () => {
      const active = async () => (await payloads("validatorLicense")).map(({ lastActiveAt }) => lastActiveAt);
      assert.deepEqual(
        (await payloads("validatorLicense")).map(({ metadata }) => [metadata.version, metadata.contactPoint]),
        validators.map(() => [programVersion, ""]),
      );
      const begun = await active();
      await world.moveBy(hour - 1n);
      assert.deepEqual(await active(), begun);
      await world.moveBy(2n);
      assert.deepEqual(
        await active(),
        validators.map(() => javaInstant(world.now)),
      );
    });

    it("a validator with two licenses keeps one, and what is kept of an SV's rewards is one contract", async () => {
      const [, validator] = validators as [string, string],
        [sv] = await payloads("svNodeState");
      await governed("DsoRules_OnboardValidator", { sponsor: sv.sv, validator, version: null, contactPoint: null }, [sv.sv, validator]);
      const [state] = await payloads("svRewardState");
      await world.submit({ actAs: [dso], commands: [create(templates.svRewardState, state)] });
      await wait();
      assert.equal((await payloads("validatorLicense")).filter((license) => license.validator === validator).length, 1);
      assert.equal((await payloads("svRewardState")).length, 1);
    });

    it("traffic of one member becomes one contract once it is in more than the rules allow; that of others is left", async () => {
      const buy = (memberId: string) =>
        world.submit({
          actAs: [dso],
          commands: [
            create(templates.memberTraffic, {
              dso,
              memberId,
              synchronizerId: world.ledger.synchronizerId,
              migrationId: "0",
              totalPurchased: "1000",
              numPurchases: "1",
              amuletSpent: "1.0",
              usdSpent: "2.0",
            }),
          ],
        });
      for (let i = 0; i < 5; i++) await buy("PAR::one::1220");
      await buy("PAR::two::1220");
      await wait();
      assert.equal((await payloads("memberTraffic")).length, 6, "as many may stay apart");
      await buy("PAR::one::1220");
      await wait();
      assert.deepEqual((await payloads("memberTraffic")).map(({ memberId, totalPurchased }) => [memberId, totalPurchased]).sort(), [
        ["PAR::one::1220", "6000"],
        ["PAR::two::1220", "1000"],
      ]);
    });

    it("rounds go on when an SV has left: its vote for the price does not count, and goes; nobody is told of its nodes", async () => {
      const another = { newSvParty: alice, newSvName: "sv2", newSvRewardWeight: "30000", newSvParticipantId: "PAR::two::1220" };
      await world.stopAutomation(); // it would write where the newcomer's Scan is found while he leaves
      await governed("DsoRules_AddSv", { ...another, joinedAsOfRound: { number: "0" } }, [alice]);
      await governed("DsoRules_OffboardSv", { sv: alice });
      const rounds = world.done("advance-open-rounds");
      assert.deepEqual([(await payloads("amuletPriceVote")).length, (await payloads("svNodeState")).length], [2, 2]);
      const told = await createSplice({ ledger: world.ledger, turns: ownTurns() }).network.dso();
      assert.deepEqual(
        told.ok?.sv_node_states.map(({ contract }) => (contract.payload as { readonly svName: string }).svName),
        ["sv"],
      );
      await automateMoved();
      await world.moveBy(2n * tickMicros);
      assert.ok(world.done("advance-open-rounds") > rounds);
      assert.equal((await payloads("amuletPriceVote")).length, 1);
      assert.deepEqual(failures(), []);
    });

    it("activity that the SVs reward is paid by unclaimed rewards once there are enough, and unclaimed again after its time", async () => {
      const unclaimed = async () => (await payloads("unclaimedReward")).map(({ amount }) => Number(amount)).sort((a, b) => a - b);
      const rewards = await world.contracts("unclaimedReward");
      if (rewards.length > 0)
        await world.submit({
          actAs: [dso],
          commands: rewards.map(({ contractId }) => exercise(templates.unclaimedReward, contractId, "Archive", {})),
        });
      const reward = (amount: string) => world.submit({ actAs: [dso], commands: [create(templates.unclaimedReward, { dso, amount })] });
      const record = { beneficiary: bob, amount: "10.0", reason: "for the good of all", expiresAt: javaInstant(world.now + hour / 6n) };
      await reward("4.0");
      await governed("DsoRules_CreateUnallocatedUnclaimedActivityRecord", record);
      await world.settle();
      assert.equal((await payloads("unallocatedActivityRecord")).length, 1, "there is too little");
      assert.match(
        String(world.log.at(-1)?.fields["reason"]),
        /an activity is worth 10\.0000000000, and of unclaimed rewards there are 4\.0/,
      );
      await reward("9.0");
      await world.settle();
      assert.deepEqual(
        (await payloads("unclaimedActivityRecord")).map(({ beneficiary, amount }) => [beneficiary, Number(amount)]),
        [[bob, 10]],
      );
      assert.deepEqual([await payloads("unallocatedActivityRecord"), await unclaimed()], [[], [3]]);
      await world.moveBy(hour / 6n + second);
      assert.deepEqual(
        [await payloads("unclaimedActivityRecord"), (await unclaimed()).reduce((sum, each) => sum + each, 0) >= 13],
        [[], true],
      );
    });

    it("a validator sends what a party that it set up asks for, and nobody else's; the network numbers them", async () => {
      const [, validator] = validators as [string, string],
        [rules] = await world.contracts("amuletRules"),
        [external] = await world.contracts("externalPartyAmuletRules");
      const round = (await world.contracts("openMiningRound")).findLast(
        ({ payload }) => Date.parse(payload.opensAt) * 1_000 <= Number(world.now),
      );
      await world.submit({
        actAs: [alice],
        readAs: [dso],
        commands: [
          exercise(templates.amuletRules, rules!.contractId, "AmuletRules_DevNet_Tap", {
            receiver: alice,
            amount: "100.0",
            openRound: round!.contractId,
          }),
        ],
      });
      await world.submit({ actAs: [alice, validator], commands: [create(templates.validatorRight, { dso, user: alice, validator })] });
      await world.submit({
        actAs: [bob],
        commands: [create(templates.transferPreapprovalProposal, { receiver: bob, provider: validator, expectedDso: dso })],
      });
      await world.settle();
      const ask = (sender: string, receiver: string, nonce: string) =>
        world.submit({
          actAs: [sender],
          readAs: [dso],
          commands: [
            exercise(templates.externalPartyAmuletRules, external!.contractId, "ExternalPartyAmuletRules_CreateTransferCommand", {
              sender,
              receiver,
              delegate: validator,
              amount: "10.0",
              expiresAt: javaInstant(world.now + day),
              nonce,
              description: null,
              expectedDso: dso,
            }),
          ],
        });
      const held = async (party: string) =>
        (await payloads("amulet"))
          .filter(({ owner }) => owner === party)
          .reduce((sum, { amount }) => sum + Number(amount.initialAmount), 0);
      await ask(alice, bob, "1");
      await ask(alice, bob, "0");
      await ask(bob, alice, "0");
      await world.settle();
      assert.deepEqual(
        (await payloads("transferCommand")).map(({ sender }) => sender),
        [bob],
        "bob was not set up",
      );
      assert.deepEqual(
        new Map((await payloads("transferCommandCounter")).map(({ sender, nextNonce }) => [sender, nextNonce])),
        new Map([
          [alice, "2"],
          [bob, "0"],
        ]),
      );
      assert.equal(await held(bob), 20);
      await ask(alice, bob, "0");
      await world.settle();
      assert.deepEqual(
        (await payloads("transferCommand")).map(({ sender }) => sender),
        [bob],
        "what comes too late fails at once",
      );
      assert.equal(await held(bob), 20);
      assert.deepEqual(failures(), []);
    });

    it(
      "a wallet declines to mint for whom its validator did not set up, where it is no validator's, and all but the last proposal of one party",
      { skip: generation === "older" && "its wallets know no delegation of minting" },
      async () => {
        const [, validator] = validators as [string, string],
          [carol, dave] = await world.parties("carol", "dave");
        const proposals = async () =>
          (await payloads("mintingDelegationProposal")).map(({ delegation }) => [
            delegation.beneficiary,
            delegation.delegate,
            delegation.amuletMergeLimit,
          ]);
        const install = (endUserParty: string) => ({ dsoParty: dso, validatorParty: validator, endUserName: endUserParty, endUserParty });
        const rightOf = (user: string) => create(templates.validatorRight, { dso, user, validator });
        await world.submit({
          actAs: [carol, dave, validator],
          commands: [create(templates.walletAppInstall, install(carol)), rightOf(dave)],
        });
        const propose = (beneficiary: string, delegate: string, amuletMergeLimit: string) =>
          world.submit({
            actAs: [beneficiary],
            commands: [
              create(templates.mintingDelegationProposal, {
                delegation: { beneficiary, delegate, dso, expiresAt: javaInstant(world.now + day), amuletMergeLimit },
              }),
            ],
          });
        await propose(dave, carol, "1");
        await propose(bob, validator, "2");
        await propose(dave, validator, "3");
        await world.settle();
        assert.deepEqual(await proposals(), [[dave, validator, "3"]]);
        await propose(dave, validator, "4");
        await propose(dave, bob, "5");
        await world.settle();
        assert.deepEqual(
          await proposals(),
          [
            [dave, validator, "4"],
            [dave, bob, "5"],
          ],
          "bob has no wallet",
        );
        assert.equal(world.done("reject-minting-proposals"), 3);
      },
    );

    it("Amulet that is worth no more than its holding fees goes, and what of it is locked once its lock is over; other Amulet stays", async () => {
      const open = async () => Math.max(...(await payloads("openMiningRound")).map(({ round }) => Number(round.number)));
      const number = String(await open());
      const amulet = (initialAmount: string) => ({
        dso,
        owner: bob,
        amount: { initialAmount, createdAt: { number }, ratePerRound: { rate: "0.00004" } },
      });
      const lockedUntil = (micros: bigint) =>
        create(templates.lockedAmulet, {
          amulet: amulet("0.00005"),
          lock: { holders: [dso], expiresAt: javaInstant(world.now + micros), optContext: null },
        });
      await world.submit({
        actAs: [dso, bob],
        commands: [
          create(templates.amulet, amulet("0.0001")),
          create(templates.amulet, amulet("0.01")),
          lockedUntil(second),
          lockedUntil(90n * day),
        ],
      });
      const dust = async () =>
        (await payloads("amulet"))
          .filter(({ amount }) => amount.createdAt.number === number)
          .map(({ amount }) => Number(amount.initialAmount));
      const isGone = async () => !(await dust()).includes(0.0001);
      for (let ticks = 0; ticks < 7; ticks++) await world.moveBy(tickMicros);
      if (generation === "newer") assert.ok(!(await isGone()), "the states of the configuration do not know the round yet");
      for (let days = 0; days < 4 && !(await isGone()); days++) await world.moveBy(day + hour);
      assert.deepEqual([await dust(), (await payloads("lockedAmulet")).length, failures()], [[0.01], 1, []]);
    });

    it(
      "allocations that expired a day ago go, and what they locked is free; LocalNet leaves those of the first generation",
      { skip: generation === "older" && "packages of the first generation" },
      async () => {
        const meta = { values: {} },
          at = (micros: bigint) => javaInstant(world.now + micros);
        const amount = { createdAt: { number: "0" }, ratePerRound: { rate: "0.00002" } };
        const locked = async () =>
          (await payloads("lockedAmulet")).flatMap(({ amulet }) => (amulet.owner === alice ? [amulet.amount.initialAmount] : []));
        const lock = async (initialAmount: string): Promise<string> => {
          const { created } = await world.submit({
            actAs: [dso, alice],
            commands: [
              create(templates.lockedAmulet, {
                amulet: { dso, owner: alice, amount: { ...amount, initialAmount } },
                lock: { holders: [dso], expiresAt: at(hour), optContext: null },
              }),
            ],
          });
          return created[0]!.contractId;
        };
        const settlement = {
          executor: bob,
          settlementRef: { id: "trade", cid: null },
          requestedAt: at(0n),
          allocateBefore: at(hour),
          settleBefore: at(hour),
          meta,
        };
        const transferLeg = { sender: alice, receiver: bob, amount: "3.0", instrumentId: { admin: dso, id: "Amulet" }, meta };
        const older = {
          lockedAmulet: await lock("3.0"),
          allocation: { settlement, transferLegId: "leg", transferLeg },
        };
        const account = (owner: string) => ({ owner, provider: null, id: "" });
        const side = { transferLegId: "leg", side: "SenderSide", otherside: account(bob), amount: "7.0", instrumentId: "Amulet", meta };
        const allocation = {
          lockedAmulet: await lock("7.0"),
          settlement: { executors: [bob], id: "trade", cid: null, meta },
          allocation: {
            admin: dso,
            authorizer: account(alice),
            transferLegSides: [side],
            settlementDeadline: at(hour),
            nextIterationFunding: null,
            committed: false,
            meta,
          },
          expiresAt: at(hour),
          numIterations: "0",
          createdAt: at(0n),
        };
        await world.submit({
          actAs: [dso, alice],
          commands: [create(templates.amuletAllocation, older), create(templates.amuletAllocationV2, allocation)],
        });
        const left = async () => [(await payloads("amuletAllocation")).length, (await payloads("amuletAllocationV2")).length];
        const asLocalNet = upkeep.filter(({ name }) => !localnetPausedTriggers.includes(name));
        await world.automate(validators, asLocalNet, 0, { scanUrl: movedScanUrl, programVersion });
        await world.moveBy(day);
        assert.deepEqual(await left(), [1, 1], "who looks for them still finds them");
        await world.moveBy(hour + 30n * second);
        assert.deepEqual([await left(), await locked()], [[1, 0], ["3.0000000000"]]);
        await automateMoved();
        assert.deepEqual([await left(), await locked(), failures()], [[0, 0], [], []]);
      },
    );
  });
}
