/**
 * Batches of automation with one contract that cannot be used, as where a stakeholder's participant does not vet its package any more: on
 * the public packages, `LEDGERLINE_REAL_DARS` names a folder that holds them.
 */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { silentLog } from "../../src/base/log.js";
import { Automation, triggers } from "../../src/splice/automation/index.js";
import { create } from "../../src/splice/commands.js";
import { templates } from "../../src/splice/names.js";
import { EconomyWorld, tickMicros } from "./economy-world.js";
import { bootstrapReal, missingDars, realGenerations } from "./real-dars.js";

const second = 1_000_000n;

describe("a batch with a contract that cannot be used", { skip: missingDars(realGenerations.newer), timeout: 300_000 }, () => {
  let world: EconomyWorld, dso: string, validators: readonly string[], near: string, far: string, automation: Automation;
  const unusable = new Set<string>();
  let refused = 0;
  before(async () => {
    world = await EconomyWorld.open();
    ({ dso, validators } = await bootstrapReal(world, "newer"));
    [near, far] = await world.parties("near", "far");
    await world.automate(validators);
    await world.stopAutomation();
    automation = new Automation({ ledger: withUnusable(world.ledger), validators, triggers, log: silentLog });
  });
  after(async () => {
    await automation.close();
    await world.close();
  });

  /** Refuses, as for a participant that is not asked. */
  function withUnusable(ledger: EconomyWorld["ledger"]): EconomyWorld["ledger"] {
    const submit: typeof ledger.submit = async (submission) => {
      if (![...unusable].some((contractId) => submission.commands.includes(contractId))) return ledger.submit(submission);
      refused++;
      const cause = "a stakeholder's participant has not vetted the package";
      return { error: { code: "FAILED_PRECONDITION", category: 9, cause, context: {}, resources: [], definiteAnswer: false } };
    };
    return new Proxy(ledger, {
      get: (target, name) => {
        if (name === "submit") return submit;
        const member = Reflect.get(target, name, target) as unknown;
        return typeof member === "function" ? (member.bind(target) as unknown) : member;
      },
    });
  }
  const left = async (name: keyof typeof templates, of = "provider"): Promise<readonly string[]> =>
    (await world.contracts(name)).map(({ payload }) => payload[of]);
  /** The last among those of `far` is the bad one. */
  const make = async (name: "featuredAppActivityMarker" | "appRewardCoupon", more: object): Promise<void> => {
    const one = (provider: string) => create(templates[name], { dso, provider, beneficiary: provider, ...more });
    await world.submit({ actAs: [dso], commands: [near, near, near, far, near, near, near].map(one) });
    for (const { contractId, payload } of await world.contracts(name)) if (payload.provider === far) unusable.add(contractId);
  };
  const moveBy = async (micros: bigint): Promise<void> => {
    await world.moveBy(micros);
    assert.ok(await automation.settle(20_000), "all was done or tried");
  };

  it("markers of activity: all others become coupons at once", async () => {
    await make("featuredAppActivityMarker", { weight: "1.0" });
    await moveBy(31n * second);
    assert.deepEqual(await left("featuredAppActivityMarker"), [far]);
    assert.deepEqual(new Set(await left("appRewardCoupon")), new Set([near]), "one in each transaction");
    assert.ok(refused <= 4, `found by halves: ${refused} attempts were refused`);
  });

  it("once it can be used it is converted, too", async () => {
    unusable.clear();
    for (let tries = 0; tries < 40 && (await left("featuredAppActivityMarker")).length > 0; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 250)); // what failed is tried again by the wall clock
      await moveBy(second);
    }
    assert.deepEqual(await left("featuredAppActivityMarker"), []);
  });

  it("coupons of a closed round: all others are taken back, and other rounds are archived", async () => {
    const coupons = await world.contracts("appRewardCoupon"),
      number = coupons[0]!.payload.round.number as string;
    await make("appRewardCoupon", { featured: true, amount: "1.0", round: { number } });
    for (let tick = 0; tick < 8; tick++) await moveBy(tickMicros);
    const closed = (await world.contracts("closedMiningRound")).map(({ payload }) => payload.round.number);
    assert.deepEqual(closed, [number], "it keeps its round");
    assert.equal((await left("appRewardCoupon")).filter((provider) => provider === near).length, 0);
    unusable.clear();
  });

  it("amulets that are worth nothing: all others are archived", async () => {
    for (let days = 0; days < 4; days++) await moveBy(86_401n * second); // both states of the configuration know later rounds
    const number = "0";
    const amulet = (owner: string) =>
      create(templates.amulet, {
        dso,
        owner,
        amount: { initialAmount: "0.0000000001", createdAt: { number }, ratePerRound: { rate: "1.0" } },
      });
    const { created } = await world.submit({ actAs: [dso, near, far], commands: [near, far, near, near].map(amulet) });
    unusable.add(created[1]!.contractId);
    await moveBy(3_600n * second);
    assert.deepEqual(
      (await world.contracts("amulet")).map(({ contractId }) => contractId).filter((id) => created.some((each) => each.contractId === id)),
      [created[1]!.contractId],
    );
  });
});
