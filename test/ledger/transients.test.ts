/** Contracts that the transaction archives which makes them. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type EventFormatRequest, type Ledger, verifyLedger } from "../../src/ledger/index.js";
import { ContractIndex } from "../../src/ledger/records/index.js";
import { closeFixture, contractIdOf, failure, openFixture, startLedger, submission, success, wildcard } from "./support.js";

const anybody: EventFormatRequest = { filtersByParty: {}, filtersForAnyParty: { cumulative: [] }, verbose: true },
  unsettledMax = 4;

async function placesOf(ledger: Ledger, name: string, format = anybody): Promise<readonly number[]> {
  const { created, archived } = JSON.parse(success(await ledger.readEventsByContractId(contractIdOf(name), format)));
  assert.equal(created.createdEvent.acsDelta, false);
  assert.equal(created.synchronizerId, archived.synchronizerId);
  return [created.createdEvent, archived.archivedEvent].flatMap(({ offset, nodeId }) => [offset, nodeId]);
}

describe("a contract that its own transaction archives", () => {
  it("is told by its id with both of its events to its stakeholders, until it is pruned, also after a restart", async (t) => {
    const fixture = await startLedger(t, { unsettledMax }),
      { alice, bob, carol } = fixture.parties as { alice: string; bob: string; carol: string };
    const places = new Map<string, readonly number[]>();
    for (let n = 0; n < 3 * unsettledMax; n++) {
      const name = `brief${n}`;
      success(
        await fixture.ledger.submit(
          submission(
            [alice],
            [
              { create: `kept${n}`, signatories: [alice] },
              { create: name, signatories: [alice], observers: [bob], key: "k" },
              { exercise: name, by: [alice] },
            ],
          ),
        ),
      );
      const offset = fixture.ledger.ledgerEnd();
      places.set(name, [offset, 1, offset, 2]);
    }
    const isTold = async (ledger: Ledger): Promise<void> => {
      for (const [name, expected] of places)
        for (const format of [wildcard(alice), wildcard(bob), anybody]) assert.deepEqual(await placesOf(ledger, name, format), expected);
    };
    await isTold(fixture.ledger);
    const hidden = await fixture.ledger.readEventsByContractId(contractIdOf("brief0"), wildcard(carol));
    assert.equal(failure(hidden).code, "CONTRACT_EVENTS_NOT_FOUND");
    const used = await fixture.ledger.submit(submission([alice], [{ exercise: "brief0", by: [alice] }]));
    assert.equal(failure(used).code, "LOCAL_VERDICT_INACTIVE_CONTRACTS");
    await closeFixture(fixture);
    const again = await openFixture(fixture.folder, { unsettledMax, interpreter: fixture.interpreter });
    assert.ok([...new ContractIndex(again.store.tables).runs.entries()].length > 0, "some are settled");
    await isTold(again.ledger);
    const [pruned] = places.get("brief1") as [number];
    success(await again.ledger.prune(pruned));
    for (const name of ["brief0", "brief1"]) {
      assert.equal(failure(await again.ledger.readEventsByContractId(contractIdOf(name), anybody)).code, "CONTRACT_EVENTS_NOT_FOUND");
      places.delete(name);
    }
    await isTold(again.ledger);
    await closeFixture(again);
    const { sound, text } = await verifyLedger(fixture.folder);
    assert.ok(sound, text);
  });
});
