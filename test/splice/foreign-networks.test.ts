/** Any party may make contracts of Amulet's templates with itself as the DSO: they change nothing for those of the network. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { exercise, type Json } from "../scenarios/world.js";
import { ago, disclosedIn, names, StandInWorld, transferConfigUsd } from "./stand-in-world.js";

let net: StandInWorld, mallory: string;
before(async () => {
  net = await StandInWorld.start();
  await net.bootstrap();
  mallory = await net.world.party("mallory");
});
after(() => net.world.stop());

const scan = (path: string, body: Json = {}): Promise<Json> => net.ask(`/api/scan${path}`, body);
const snapshot = async (): Promise<Json> => ({
  migration_id: 0,
  record_time: (await scan("/v0/state/acs/force")).record_time,
  record_time_match: "exact",
});
const madeUp = (template: string, fields: Json): Promise<Json> => net.world.create([mallory], template, { dso: mallory, ...fields });

describe("foreign networks", () => {
  it("their Amulet is nobody's holding", async () => {
    await net.amulets(net.alice, ["3.0", "4.0"]);
    const coin = { ...net.coin(net.alice, "1000000.0"), dso: mallory };
    await madeUp(names.amulet, coin);
    await madeUp(names.locked, { amulet: coin, lock: { holders: [mallory], expiresAt: ago(-3_600) } });
    const at = await snapshot();
    // Each page is another, so that none is kept from before: the first is printed now, and has the next printed beforehand.
    for (const page_size of [10, 11, 12]) {
      const { created_events: held } = await scan("/v0/holdings/state", { ...at, page_size, owner_party_ids: [net.alice] });
      assert.deepEqual(
        held.map(({ create_arguments: { dso, amount } }: Json) => [dso, amount.initialAmount]),
        [
          [net.dso, "3.0000000000"],
          [net.dso, "4.0000000000"],
        ],
      );
    }
    const {
      summaries: [summary, ...others],
    } = await scan("/v1/holdings/summary", { ...at, owner_party_ids: [net.alice], party_ids: [net.alice] });
    assert.deepEqual([others.length, summary.total_unlocked_coin, summary.total_locked_coin], [0, "7.0000000000", "0.0000000000"]);
    const {
      instruments: [{ totalSupply }],
    } = (await net.get("/registry/metadata/v1/instruments")).body;
    assert.equal(totalSupply, "7.0000000000");
  });

  it("their rounds are none that fees are of", async () => {
    await madeUp(names.round, {
      round: { number: "999999" },
      amuletPrice: "0.5",
      opensAt: ago(7_200),
      targetClosesAt: ago(-7_200),
      tickDuration: { microseconds: "600000000" },
      transferConfigUsd,
    });
    const { computed_as_of_round } = await scan("/v0/holdings/summary", { ...(await snapshot()), owner_party_ids: [net.alice] });
    assert.equal(computed_as_of_round, 0);
  });

  it("their votes have no results that Scan tells", async () => {
    const action = { tag: "ARC_AmuletRules", value: { amuletRulesAction: { tag: "CRARC_SetConfig", value: {} } } };
    const close = async (dso: string, requester: string): Promise<void> => {
      const rules = { dso, svs: [], config: { nextScheduledSynchronizerUpgrade: null } },
        { contractId } = await net.world.create([dso], names.dsoRules, rules),
        request = { dso, requester, action, voteBefore: ago(0), votes: [], weight: "0.5", trackingCid: null },
        result = { request, completedAt: ago(0), outcome: { tag: "VRO_Rejected", value: {} } };
      await net.world.transact([dso], [exercise(names.dsoRules, contractId, "DsoRules_CloseVoteRequest", { result })]);
    };
    await close(mallory, "made up");
    await close(net.dso, "of the network");
    const path = "/v0/admin/sv/voteresults",
      { dso_rules_vote_results: told } = await scan(path, { limit: 10 });
    assert.deepEqual(
      told.map(({ request }: Json) => request.requester),
      ["of the network"],
    );
    assert.deepEqual(await scan(`${path}/count`), { count: 1 });
  });

  it("Scan tells no contract that the DSO has no stake in, whoever's, and its pages are as full as ever", async () => {
    for (let count = 0; count < 5; count++) await net.world.create([mallory], names.token, { admin: mallory, owner: mallory });
    await net.make(names.featured, { provider: mallory });
    await net.world.create([mallory], names.token, { admin: mallory, owner: mallory });
    await net.make(names.featured, { provider: mallory });
    const at = await snapshot();
    let after: Json = {};
    const pages: Json[] = [];
    do {
      const page = await scan("/v0/state/acs", { ...at, page_size: 1, party_ids: [mallory], ...after });
      pages.push(page.created_events.map(({ template_id }: Json) => template_id.split(":").at(-1)));
      after = page.next_page_token === null ? undefined : { after: page.next_page_token };
    } while (after);
    assert.deepEqual(pages, [["FeaturedAppRight"], ["FeaturedAppRight"], []]);
  });

  it("a registry discloses no contract by its id alone: somebody who signed what names it has to see it", async () => {
    const secret = await net.world.create([net.alice], names.token, { admin: net.alice, owner: net.alice }),
      own = await net.world.create([mallory], names.token, { admin: mallory, owner: mallory });
    const { contractId } = await net.world.create([mallory], names.teamAllocation, {
      admin: mallory,
      allocation: net.specification(net.venue, mallory),
      tokens: [secret.contractId, own.contractId],
    });
    const { status, body } = await net.context("allocations/v1", contractId, "withdraw");
    assert.deepEqual([status, disclosedIn(body), body.disclosedContracts[0].contractId], [200, ["Token"], own.contractId]);
  });

  it("a registry knows no allocation and no transfer of theirs, nor what those name", async () => {
    const lock = await net.locked(net.alice, "5.0"),
      allocation = { dso: mallory, lockedAmulet: lock.contractId, allocation: net.specification(net.venue, mallory), expiresAt: null };
    for (const [template, fields, kind] of [
      [names.allocation, allocation, "allocations/v1"],
      [names.allocationV2, { ...allocation, allocation: { admin: mallory, settlementDeadline: null } }, "allocations/v2"],
      [names.transfer, { lockedAmulet: lock.contractId, transfer: net.transferOf(mallory, mallory) }, "transfer-instruction/v1"],
    ] as const) {
      const { contractId } = await madeUp(template, fields);
      assert.equal((await net.context(kind, contractId, "withdraw")).status, 404, kind);
    }
  });
});
