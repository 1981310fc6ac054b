/** A network whose contracts move between two synchronizers: who asks is told where they are, and whether they can be used. */
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Json } from "../scenarios/world.js";
import { names, StandInWorld, type Answer } from "./stand-in-world.js";

describe("contracts of a network that move between synchronizers", () => {
  let net: StandInWorld, synchronizers: readonly [string, string];
  let moves = 0;
  before(async () => {
    ({ net, synchronizers } = await StandInWorld.startOnTwo());
    await net.bootstrap();
  });
  after(() => net.world.stop());

  const reassign = async (command: Json, submitter = net.dso): Promise<Json> => {
    const reassignmentCommands = { userId: "tester", commandId: `move-${++moves}`, submitter, commands: [{ command }] };
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

  it("events and updates tell what leaves a synchronizer and what arrives on one, without verdicts", async () => {
    const { contractId: lock, createArgument } = await net.locked(net.alice, "4.0"),
      { contractId: id } = await net.allocation(lock),
      [, here] = placesIn((await contexts(id))[0]!).find(([contractId]) => contractId === lock)!,
      there = other(here);
    const unassignId = await leave(lock, here),
      { updateId: arrival } = await arrive(unassignId, here);
    const { events } = await net.ask("/api/scan/v0/events", { page_size: 1000 }),
      [left, arrived] = events.slice(-2);
    const move = {
      submitter: net.dso,
      source_synchronizer: here,
      target_synchronizer: there,
      migration_id: 0,
      unassign_id: unassignId,
      reassignment_counter: 1,
    };
    assert.deepEqual(left.update.event, { ...move, contract_id: lock });
    const { created_event: created, ...arrivedMove } = arrived.update.event;
    assert.deepEqual(arrivedMove, move);
    assert.deepEqual([created.event_type, created.contract_id, created.event_id], ["created_event", lock, `${arrival}:0`]);
    assert.equal(created.create_arguments.amulet.amount.initialAmount, createArgument.amulet.amount.initialAmount);
    for (const event of [left, arrived]) {
      const { update, ...others } = event;
      assert.equal(update.offset, "000000000000000001");
      assert.deepEqual(others, { verdict: null, traffic_summary: null, app_activity_records: null });
      assert.deepEqual((await net.get(`/api/scan/v0/events/${update.update_id}`)).body, event);
      for (const version of ["v1", "v2"]) {
        const { transactions } = await net.ask(`/api/scan/${version}/updates`, { page_size: 1000 });
        assert.ok(transactions.some((each: Json) => JSON.stringify(each) === JSON.stringify(update)));
        assert.deepEqual((await net.get(`/api/scan/${version}/updates/${update.update_id}`)).body, update);
      }
    }
    const { body: local } = await net.get(`/api/scan/v0/updates/${arrival}`);
    assert.deepEqual(
      [local.event.created_event.event_id, Number.parseInt(local.offset, 16)],
      [`#${arrival}:0`, await net.world.ledgerEnd()],
    );
    const times = events.map(({ update, verdict }: Json) => (update ?? verdict).record_time);
    assert.deepEqual(times, [...new Set([...times].sort())], "in the order of their record times");
  });

  it("pages go on behind contracts that are on their way, and have each of them once", async () => {
    const made = [],
      at = { migration_id: 0, record_time_match: "exact" };
    for (const amount of ["1.5", "2.5"]) {
      const { contractId } = await net.amulet(net.bob, amount);
      made.push(contractId);
      await leave(contractId, synchronizers[0]);
    }
    const { record_time } = await net.ask("/api/scan/v0/state/acs/force", {});
    for (const [list, told] of [
      ["state/acs", { party_ids: [net.bob], templates: [] }],
      ["holdings/state", { owner_party_ids: [net.bob] }],
    ] as const) {
      const seen: string[] = [];
      let after: Json = {};
      for (let pages = 0; pages < 1000 && after !== undefined; pages++) {
        const page = await net.ask(`/api/scan/v0/${list}`, { ...at, record_time, page_size: 1, ...told, ...after });
        seen.push(...page.created_events.map((event: Json) => event.contract_id));
        after = page.next_page_token === null ? undefined : { after: page.next_page_token };
      }
      assert.equal(after, undefined, `${list} ends`);
      assert.deepEqual(seen.slice(-2), made);
      assert.equal(new Set(seen).size, seen.length, "each once");
    }
  });

  it("backfilling: each synchronizer has its own range of times, and its own updates", async () => {
    const { transactions } = await net.ask("/api/scan/v1/updates", { page_size: 1000, daml_value_encoding: "protobuf_json" }),
      placeOf = ({ synchronizer_id, event }: Json): string =>
        synchronizer_id ?? ("contract_id" in event ? event.source_synchronizer : event.target_synchronizer);
    const { record_time_range: ranges } = await net.ask("/api/scan/v0/backfilling/migration-info", { migration_id: 0 });
    assert.deepEqual(ranges.map(({ synchronizer_id }: Json) => synchronizer_id).toSorted(), synchronizers.toSorted());
    for (const { synchronizer_id, min, max } of ranges) {
      const here = transactions.filter((update: Json) => placeOf(update) === synchronizer_id).toReversed(),
        asked = { migration_id: 0, synchronizer_id, before: "2100-01-01T00:00:00Z" };
      assert.ok(here.length > 0);
      assert.deepEqual([min, max].map(Date.parse), [here.at(-1).record_time, here[0].record_time].map(Date.parse));
      for (const count of [1, here.length])
        assert.deepEqual(await net.ask("/api/scan/v0/backfilling/updates-before", { ...asked, count }), {
          transactions: here.slice(0, count),
        });
    }
  });

  it("what moves and the DSO does not see is no event; pages go on behind it", async () => {
    const { contractId } = await net.world.create([net.venue], names.token, { admin: net.venue, owner: net.alice }),
      { events: before } = await net.ask("/api/scan/v0/events", { page_size: 1000 }),
      { verdict: created } = before.at(-1);
    assert.deepEqual(created.submitting_parties, [net.venue]);
    const value = { contractId, source: created.domain_id, target: other(created.domain_id) };
    const { updateId } = await reassign({ UnassignCommand: { value } }, net.venue);
    await net.amulet(net.alice, "1.0");
    for (const daml_value_encoding of ["compact_json", "protobuf_json"]) {
      const after = { after_migration_id: 0, after_record_time: created.record_time },
        { events } = await net.ask("/api/scan/v0/events", { page_size: 1, after, daml_value_encoding });
      assert.deepEqual(
        events.map(({ verdict }: Json) => verdict.submitting_parties),
        [[net.dso]],
      );
    }
    assert.equal((await net.get(`/api/scan/v0/events/${updateId}`)).status, 404);
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
