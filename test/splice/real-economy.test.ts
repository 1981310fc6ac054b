/**
 * A network of the public packages that lives through a week of rounds: `LEDGERLINE_REAL_DARS` names a folder that holds them,
 * `LEDGERLINE_ECONOMY_ROUNDS` how many rounds to live (1,000).
 */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { HostedNetwork } from "../../src/splice/bootstrap/index.js";
import { exercise } from "../../src/splice/commands.js";
import { javaInstant } from "../../src/splice/instants.js";
import { parseDecimal, showDecimal } from "../../src/splice/decimal.js";
import { interfaces, packageIdOf, templates } from "../../src/splice/names.js";
import { EconomyWorld, tickMicros } from "./economy-world.js";
import { count } from "../support/knobs.js";
import { bootstrapReal, missingDars, realDars, realGenerations } from "./real-dars.js";

const rounds = count("LEDGERLINE_ECONOMY_ROUNDS") ?? 1_000;
/** Traffic is bought at the end of so many. */
const roundsOfTraffic = 50;
const missing = missingDars(Object.values(realGenerations).flat());

/** One who taps, and burns what traffic costs. */
class Spender {
  minted = 0n;
  burned = 0n;
  constructor(
    readonly world: EconomyWorld,
    readonly party: string,
    readonly dso: string,
  ) {}

  async #open() {
    const [rules] = await this.world.contracts("amuletRules"),
      now = this.world.now;
    const round = (await this.world.contracts("openMiningRound")).findLast(
      ({ payload }) => BigInt(Date.parse(payload.opensAt)) * 1_000n <= now,
    );
    return { rules: rules!.contractId, round: round!.contractId };
  }
  async #submit(command: object) {
    return this.world.submit({ actAs: [this.party], readAs: [this.dso], commands: [command] });
  }

  async tap(amount: string): Promise<void> {
    const { rules, round } = await this.#open();
    await this.#submit(
      exercise(templates.amuletRules, rules, "AmuletRules_DevNet_Tap", { receiver: this.party, amount, openRound: round }),
    );
    this.minted += parseDecimal(amount);
  }

  async offer(receiver: string, amount: string, seconds: bigint): Promise<void> {
    const { rules, round } = await this.#open(),
      states = await this.world.contracts("externalPartyConfigState");
    const own = (await this.world.contracts("amulet")).filter(({ payload }) => payload.owner === this.party),
      at = (micros: bigint) => javaInstant(micros);
    const values = { "amulet-rules": rules, "open-round": round, "external-party-config-state": states.at(-1)!.contractId };
    const context = { values: Object.fromEntries(Object.entries(values).map(([key, value]) => [key, { tag: "AV_ContractId", value }])) };
    const [factory] = await this.world.contracts("externalPartyAmuletRules");
    await this.#submit(
      exercise(interfaces.v1.transferFactory, factory!.contractId, "TransferFactory_Transfer", {
        expectedAdmin: this.dso,
        transfer: {
          sender: this.party,
          receiver,
          amount,
          instrumentId: { admin: this.dso, id: "Amulet" },
          requestedAt: at(this.world.now),
          executeBefore: at(this.world.now + seconds * 1_000_000n),
          inputHoldingCids: own.slice(0, 10).map(({ contractId }) => contractId),
          meta: { values: {} },
        },
        extraArgs: { context, meta: { values: {} } },
      }),
    );
  }

  async buyTraffic(): Promise<void> {
    const { rules, round } = await this.#open();
    const own = (await this.world.contracts("amulet")).filter(({ payload }) => payload.owner === this.party).slice(0, 100);
    const { exerciseResult } = await this.#submit(
      exercise(templates.amuletRules, rules, "AmuletRules_BuyMemberTraffic", {
        inputs: own.map(({ contractId }) => ({ tag: "InputAmulet", value: contractId })),
        context: { openMiningRound: round, issuingMiningRounds: [], validatorRights: [], featuredAppRight: null },
        provider: this.party,
        memberId: `PAR::${this.world.ledger.participantId}`,
        synchronizerId: this.world.ledger.synchronizerId,
        migrationId: "0",
        trafficAmount: "200000",
        expectedDso: this.dso,
      }),
    );
    const { meta } = exerciseResult as { meta: { values: Readonly<Record<string, string>> } };
    this.burned += parseDecimal(meta.values["splice.lfdecentralizedtrust.org/burned"]!);
  }
}

for (const generation of ["older", "newer"] as const) {
  describe(`the economy of the public packages, ${generation} generation`, { skip: missing, timeout: 600_000 }, () => {
    let world: EconomyWorld, hosted: HostedNetwork, alice: Spender;
    before(async () => {
      world = await EconomyWorld.open();
      hosted = await bootstrapReal(world, generation);
      const [party] = await world.parties("alice");
      alice = new Spender(world, party, hosted.dso);
      await world.automate(hosted.validators);
    });
    after(() => world.close());
    const held = async (): Promise<bigint> => {
      const contracts = [
        ...(await world.contracts("amulet")),
        ...(await world.contracts("lockedAmulet")).map(({ payload }) => ({ payload: payload.amulet })),
      ];
      return contracts.reduce((sum, { payload }) => sum + parseDecimal(payload.amount.initialAmount), 0n);
    };

    /** What the SV, and both validators, have of each round that began to issue until now. */
    const shares = new Map<string, bigint>();
    const noteShares = async (): Promise<void> => {
      for (const { payload } of await world.contracts("issuingMiningRound")) {
        if (BigInt(Date.parse(payload.opensAt)) * 1_000n > world.now) continue;
        const ofSv = 10_000n * parseDecimal(payload.issuancePerSvRewardCoupon),
          ofValidator = parseDecimal(payload.optIssuancePerValidatorFaucetCoupon);
        assert.equal(showDecimal(ofValidator), "570.0000000000", "2.85 dollars");
        shares.set(payload.round.number, ofSv + 2n * ofValidator);
      }
    };

    it("begins with the prices and the issuance of a network that a Splice node founds", async () => {
      const [rules] = await world.contracts("amuletRules"),
        { initialValue } = rules!.payload.configSchedule,
        { transferConfig, issuanceCurve, decentralizedSynchronizer } = initialValue;
      assert.deepEqual(
        (await world.contracts("openMiningRound")).map(({ payload }) => payload.amuletPrice),
        Array.from({ length: 3 }, () => "0.0050000000"),
      );
      assert.deepEqual([transferConfig.holdingFee.rate, transferConfig.maxNumLockHolders], ["0.0000190259", "50"]);
      assert.equal(decentralizedSynchronizer.fees.extraTrafficPrice, "16.6700000000");
      assert.equal(initialValue.transferPreapprovalFee ?? null, null);
      const perYear = [{ _2: issuanceCurve.initialValue }, ...issuanceCurve.futureValues].map(({ _2 }) => Number(_2.amuletToIssuePerYear));
      assert.deepEqual(perYear, [40e9, 20e9, 10e9, 5e9, 2.5e9]);
    });

    it(`lives through ${rounds} rounds: what is held is what was minted and what rounds gave, less what was burned`, async (context) => {
      const given = await held(),
        since = performance.now(),
        first = world.tasks.length,
        end = world.ledger.ledgerEnd();
      let spentMs = 0;
      for (let round = 0; round < rounds; round++) {
        const begun = performance.now();
        if (round % 10 === 0) await alice.tap("200.0");
        if (round % roundsOfTraffic === roundsOfTraffic - 1) await alice.buyTraffic();
        spentMs += performance.now() - begun;
        await world.moveBy(tickMicros);
        await noteShares();
      }
      const tookMs = performance.now() - since - spentMs,
        tasks = world.tasks.slice(first),
        lags = tasks.map(({ lagSeconds }) => lagSeconds);
      const each = `${(tookMs / rounds).toFixed(1)} ms and ${(tasks.length / rounds).toFixed(2)} commands of automation each`;
      context.diagnostic(`${rounds} rounds: ${each}; largest lag ${Math.max(...lags)} s of ledger time`);
      context.diagnostic(
        `minted ${showDecimal(given + alice.minted)}, burned ${showDecimal(alice.burned)}, held ${showDecimal(await held())}`,
      );
      assert.deepEqual(
        tasks.filter(({ outcome }) => outcome !== "ok"),
        [],
      );
      assert.ok(world.ledger.ledgerEnd() - end >= tasks.length);
      const rewarded = [...shares.values()].reduce((sum, share) => sum + share, 0n),
        missing_ = given + alice.minted + rewarded - alice.burned - (await held());
      assert.equal(shares.size, rounds - 1, "the first begins to issue at the second tick");
      // Of the older rules each contract that is made costs a fee, and each that is spent what it cost to hold.
      const feesMax = generation === "older" ? BigInt(world.done("collect-rewards")) * parseDecimal("6.1") : 0n;
      assert.ok(missing_ >= 0n && missing_ <= feesMax, `${showDecimal(missing_)} is missing`);
      if (rounds < roundsOfTraffic) context.diagnostic(`nothing is burned in fewer than ${roundsOfTraffic} rounds`);
      else assert.ok(alice.burned > 0n);
      assert.deepEqual(
        (await world.contracts("openMiningRound")).map(({ payload }) => Number(payload.round.number)).sort((a, b) => a - b),
        [rounds, rounds + 1, rounds + 2],
      );
      // Time moves a tick at a time, so what falls due just behind one, or while its trigger rests, is seen at the next.
      assert.ok(Math.max(...lags) <= Number(tickMicros) / 1_000_000, "everything was done when it was due");
    });

    it("coupons, rewards and rounds that are over do not pile up", async () => {
      for (const name of [
        "appRewardCoupon",
        "validatorRewardCoupon",
        "unclaimedReward",
        "unclaimedDevelopmentFundCoupon",
        "issuingMiningRound",
        "validatorLivenessActivityRecord",
        "svRewardCoupon",
      ] as const)
        assert.ok((await world.contracts(name)).length <= 10, name);
      for (const name of ["summarizingMiningRound", "closedMiningRound"] as const)
        assert.equal((await world.contracts(name)).length, 0, name);
    });

    it(
      "an offer that nobody took in time goes back a day after",
      { skip: generation === "older" && "its rules leave that to the owner" },
      async () => {
        const [bob] = await world.parties("bob"),
          before_ = (await world.contracts("amulet")).length;
        await alice.offer(bob, "5.0", 60n);
        assert.equal((await world.contracts("amuletTransferInstruction")).length, 1);
        await world.moveBy(3_600_000_000n);
        assert.equal((await world.contracts("amuletTransferInstruction")).length, 1, "who comes late still finds it");
        await world.moveBy(86_400_000_000n);
        assert.deepEqual([await world.contracts("amuletTransferInstruction"), await world.contracts("lockedAmulet")], [[], []]);
        assert.ok((await world.contracts("amulet")).length >= before_);
      },
    );

    it(
      "what nobody took of the development fund in time goes back to it",
      { skip: generation === "older" && "its rules know no such fund" },
      async () => {
        const [carol] = await world.parties("carol"),
          manager = alice.party;
        const { packageName, entity } = templates.developmentFundCoupon;
        await world.submit({
          actAs: [hosted.dso, manager],
          commands: [
            {
              CreateCommand: {
                templateId: `#${packageName}:${entity}`,
                createArguments: {
                  dso: hosted.dso,
                  beneficiary: carol,
                  fundManager: manager,
                  amount: "5.0",
                  expiresAt: javaInstant(world.now + 60_000_000n),
                  reason: "",
                },
              },
            },
          ],
        });
        assert.equal((await world.contracts("developmentFundCoupon")).length, 1);
        await world.moveBy(61_000_000n);
        assert.equal((await world.contracts("developmentFundCoupon")).length, 0);
      },
    );

    it("a proposal is accepted, and its approval renewed before it expires", async () => {
      const [, validator] = hosted.validators as [string, string],
        proposal = { receiver: alice.party, provider: validator, expectedDso: hosted.dso };
      const { packageName, entity } = templates.transferPreapprovalProposal;
      await world.submit({
        actAs: [alice.party],
        commands: [{ CreateCommand: { templateId: `#${packageName}:${entity}`, createArguments: proposal } }],
      });
      await world.settle();
      const [approved] = await world.contracts("transferPreapproval");
      assert.equal(approved!.payload.receiver, alice.party);
      await world.moveBy(61n * 86_400_000_000n);
      const renewed = await world.contracts("transferPreapproval");
      assert.deepEqual([renewed.length, renewed[0]!.payload.receiver], [1, alice.party]);
      assert.ok(Date.parse(renewed[0]!.payload.expiresAt) > Date.parse(approved!.payload.expiresAt));
    });
  });
}

it("the public packages: the newer generation uploaded onto the older", { skip: missing, timeout: 600_000 }, async () => {
  const world = await EconomyWorld.open();
  try {
    const hosted = await bootstrapReal(world, "older");
    await world.automate(hosted.validators);
    const [party] = await world.parties("alice"),
      alice = new Spender(world, party, hosted.dso);
    await alice.tap("400.0");
    for (let round = 0; round < 3; round++) await world.moveBy(tickMicros);
    for (const bytes of Object.values(realDars("newer"))) await world.upload(bytes);
    await world.settle();
    const [rules] = await world.contracts("amuletRules");
    assert.equal(world.ledger.packageSummary(packageIdOf(rules!.templateId))?.version, "0.1.22");
    await alice.tap("400.0");
    for (let round = 0; round < 6; round++) await world.moveBy(tickMicros);
    await alice.buyTraffic();
    assert.deepEqual(
      world.tasks.filter(({ outcome }) => outcome !== "ok"),
      [],
    );
  } finally {
    await world.close();
  }
});
