/** Parties that sign for themselves on a node of two synchronizers: where what they sign will be, and what comes there for it. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { create, createdIn, darOf, exercise, type Json, World } from "../scenarios/world.js";
import { execute, executeForTransaction, ExternalParty, prepare, prepareReply, submit } from "./external-world.js";

const asset = "#ref-model:M:Asset";
let world: World,
  ann: ExternalParty,
  one = "",
  two = "",
  onOne = "",
  onTwo = "";

const party = async (partyIdHint: string, synchronizerId: string): Promise<string> =>
  (await world.client.post("/v2/parties", { partyIdHint, synchronizerId })).json().partyDetails.party;
const gold = (owner: string): Json => create(asset, { issuer: ann.party, owner, name: "gold", amount: "5" });

before(async () => {
  world = await World.start([], ["--memory", "--synchronizers", "one,two"]);
  [one, two] = (await world.client.get("/v2/state/connected-synchronizers"))
    .json()
    .connectedSynchronizers.map(({ synchronizerId }: Json) => synchronizerId);
  for (const id of [one, two])
    assert.equal((await world.client.post(`/v2/dars?synchronizerId=${encodeURIComponent(id)}`, darOf("canton", "model1.dar"))).status, 200);
  ann = await ExternalParty.onboard(world, "ann");
  await ann.join(world, two);
  [onOne, onTwo] = [await party("on-one", one), await party("on-two", two)];
});
after(() => world.stop());

describe("prepared transactions on two synchronizers", () => {
  it("are for the one where everybody is who would be told", async () => {
    assert.equal((await submit(world, [ann], gold(onOne))).synchronizerId, one);
    assert.equal((await submit(world, [ann], gold(onTwo))).synchronizerId, two);
  });

  it("are refused where there is none, or not the one that is named", async () => {
    const apart = (
      await prepareReply(world, [ann.party], [create("#ref-model:M:Multi", { sigs: [ann.party], obs: [onOne, onTwo] })])
    ).json();
    assert.equal(apart.code, "INFORMEES_NOT_ACTIVE");
    assert.equal(
      (await prepareReply(world, [ann.party], [gold(onOne)], { synchronizerId: two })).json().code,
      "INVALID_PRESCRIBED_SYNCHRONIZER_ID",
    );
  });

  it("bring contracts together when they are executed, by who signed them", async () => {
    const here = createdIn(await submit(world, [ann], gold(ann.party), { synchronizerId: one })).contractId,
      there = createdIn(await submit(world, [ann], gold(ann.party), { synchronizerId: two })).contractId;
    const prepared = await prepare(world, [ann], [exercise(asset, here, "FetchOther", { other: there })]),
      begin = await world.ledgerEnd();
    const { synchronizerId } = await executeForTransaction(world, prepared, [ann]);
    assert.equal(synchronizerId, one);
    const format = { filtersByParty: { [ann.party]: { cumulative: [] } }, verbose: false };
    const moved = (
      await world.client.post("/v2/updates?limit=10", {
        beginExclusive: begin,
        endInclusive: await world.ledgerEnd(),
        updateFormat: { includeReassignments: format },
      })
    ).json();
    assert.deepEqual(
      moved.map(({ update }: Json) => Object.keys(update.Reassignment.value.events[0])[0]),
      ["JsUnassignedEvent", "JsAssignmentEvent"],
    );
    assert.equal(moved[0].update.Reassignment.value.events[0].JsUnassignedEvent.value.submitter, ann.party);
  });

  it("are not executed once a contract of theirs is on its way", async () => {
    const { contractId } = createdIn(
      await submit(world, [ann], create(asset, { issuer: ann.party, owner: ann.party, name: "gold", amount: "5" }), {
        synchronizerId: one,
      }),
    );
    const prepared = await prepare(world, [ann], [exercise(asset, contractId, "GetAmount")]);
    const unassign = { UnassignCommand: { value: { contractId, source: one, target: two } } },
      reassignmentCommands = { userId: "tester", commandId: "away", submitter: ann.party, commands: [{ command: unassign }] };
    assert.equal((await world.client.post("/v2/commands/submit-and-wait-for-reassignment", { reassignmentCommands })).status, 200);
    const refused = await execute(world, prepared, [ann]);
    assert.match(refused.json().code, /UNKNOWN_CONTRACT_SYNCHRONIZERS|LOCAL_VERDICT_INACTIVE_CONTRACTS/);
    assert.equal(
      (await prepareReply(world, [ann.party], [exercise(asset, contractId, "GetAmount")])).json().code,
      "UNKNOWN_CONTRACT_SYNCHRONIZERS",
    );
  });
});
