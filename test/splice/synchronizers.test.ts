/** A network whose contracts move between two synchronizers: who asks is told where they are, and whether they can be used. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Json } from "../scenarios/world.js";
import { StandInWorld, type Answer } from "./stand-in-world.js";

describe("contracts of a network that move between synchronizers", () => {
  let net: StandInWorld, synchronizers: readonly [string, string];
  let moves = 0;
  before(async () => {
    ({ net, synchronizers } = await StandInWorld.startOnTwo());
    await net.bootstrap();
  });
  after(() => net.world.stop());

  const reassign = async (command: Json): Promise<Json> => {
    const reassignmentCommands = { userId: "tester", commandId: `move-${++moves}`, submitter: net.dso, commands: [{ command }] };
    const eventFormat = { filtersForAnyParty: { cumulative: [] }, verbose: false };
    return (await net.ask("/v2/commands/submit-and-wait-for-reassignment", { reassignmentCommands, eventFormat })).reassignment;
  };
  const other = (synchronizer: string): string => synchronizers.find((each) => each !== synchronizer)!;
  const leave = async (contractId: string, source: string): Promise<string> => {
    const { events } = await reassign({ UnassignCommand: { value: { contractId, source, target: other(source) } } });
    return events[0].JsUnassignedEvent.value.reassignmentId;
  };
  const arrive = (reassignmentId: string, source: string): Promise<Json> =>
    reassign({ AssignCommand: { value: { reassignmentId, source, target: other(source) } } });

  const contexts = (id: string): Promise<readonly Answer[]> =>
    Promise.all(
      [
        ["v1", "execute-transfer"],
        ["v1", "withdraw"],
        ["v1", "cancel"],
        ["v2", "withdraw"],
        ["v2", "cancel"],
      ].map(([version, step]) => net.context(`allocations/${version}`, id, step!)),
    );
  const placesIn = ({ status, body }: Answer): readonly (readonly [string, string])[] => {
    assert.equal(status, 200, JSON.stringify(body));
    return body.disclosedContracts.map(({ contractId, synchronizerId }: Json) => [contractId, synchronizerId]);
  };
  const summary = async (): Promise<Json> => {
    const { record_time, migration_id } = await net.ask("/api/scan/v0/state/acs/force");
    return (await net.ask("/api/scan/v1/holdings/summary", { record_time, migration_id, owner_party_ids: [net.alice] })).summaries[0];
  };
  const rules = async (): Promise<Json> => (await net.ask("/api/scan/v0/amulet-rules")).amulet_rules_update;

  it("a context names the synchronizer of each contract; while one is on its way there is none: a conflict", async () => {
    const { contractId: lock } = await net.locked(net.alice, "10.0"),
      { contractId: id } = await net.allocation(lock),
      before = placesIn((await contexts(id))[0]!),
      held = await summary();
    const [, here] = before.find(([contractId]) => contractId === lock)!;
    const reassignmentId = await leave(lock, here);
    for (const context of await contexts(id))
      assert.deepEqual(context, { status: 409, body: { error: `Contract '${lock}' is not assigned to a synchronizer.` } });
    assert.deepEqual(await summary(), held, "it is held as before");
    await arrive(reassignmentId, here);
    for (const context of await contexts(id))
      assert.deepEqual(
        placesIn(context),
        before.map(([contractId, place]) => [contractId, contractId === lock ? other(here) : place]),
      );
    assert.deepEqual(await summary(), held);
  });

  it("the rules are told also while they are on their way, then without a synchronizer", async () => {
    const { contract, domain_id: here } = await rules();
    assert.ok(synchronizers.includes(here));
    const reassignmentId = await leave(contract.contract_id, here);
    assert.deepEqual(await rules(), { contract });
    assert.equal((await net.get("/registry/metadata/v1/info")).body.adminId, net.dso);
    await arrive(reassignmentId, here);
    assert.deepEqual(await rules(), { contract, domain_id: other(here) });
  });
});
