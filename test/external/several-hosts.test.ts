import assert from "node:assert/strict";
import { test } from "node:test";
import type { Participant } from "../../src/ledger/index.js";
import { startDoors } from "../ledger/doors.js";
import { activeContracts, drain, failure, submission, success, wildcard } from "../ledger/support.js";
import { allocate, holder, transactionOf } from "./holders.js";

const hostedBy = (doors: readonly Participant[]) =>
  doors.map(({ participantId }, index) => ({
    participant: participantId,
    permission: index === 2 ? ("observation" as const) : ("confirmation" as const),
  }));
const isKnown = (door: Participant, party: string): boolean => door.getParties([party], "").length > 0;

test("several hosts: a party exists once each of them was asked, in whatever order, and its key has signed at one of them", async (t) => {
  const { doors } = await startDoors(t);
  for (const order of [
    [0, 1, 2],
    [2, 0, 1],
    [1, 2, 0],
  ]) {
    const one = holder(),
      transaction = transactionOf(doors[0], [one], { participants: hostedBy(doors), threshold: 2 });
    let party = "";
    for (const index of order) {
      for (const door of doors) assert.ok(party === "" || !isKnown(door, party));
      party = success(await allocate(doors[index]!, transaction, index === 1 ? [one] : []));
    }
    for (const [index, door] of doors.entries()) {
      assert.deepEqual(
        door.getParties([party], "").map(({ isLocal, resourceVersion }) => [isLocal, resourceVersion]),
        [[true, "0"]],
      );
      assert.deepEqual(door.hostsOf(party, door.synchronizers[0]!), hostedBy(doors));
      const [told] = await drain(
        door.openUpdates({
          beginExclusive: 0,
          endInclusive: door.ledgerEnd(),
          form: "update",
          descending: false,
          format: { includeTransactions: undefined, includeReassignments: undefined, includeTopologyEvents: { parties: [party] } },
        }),
      );
      assert.deepEqual(
        told.update.TopologyTransaction.value.events.map(
          ({ event }: { event: { ParticipantAuthorizationAdded: { value: object } } }) => event.ParticipantAuthorizationAdded.value,
        ),
        hostedBy(doors).map(({ participant, permission }) => ({
          partyId: party,
          participantId: participant,
          participantPermission: `PARTICIPANT_PERMISSION_${permission.toUpperCase()}`,
        })),
        `door ${index}`,
      );
      assert.equal(failure(await allocate(door, transaction, [one])).code, "INVALID_ARGUMENT");
    }
  }
});

test("several hosts: what the party sees is told at each of them, and it may be named at all others", async (t) => {
  const { doors, alice } = await startDoors(t),
    [, two, three] = doors,
    one = holder();
  const participants = hostedBy([two, three]).map(({ participant }) => ({ participant, permission: "confirmation" as const })),
    transaction = transactionOf(two, [one], { participants });
  success(await allocate(two, transaction, [one]));
  const party = success(await allocate(three, transaction, []));
  assert.deepEqual(
    doors.map((door) => door.getParties([party], "")[0]?.isLocal),
    [false, true, true],
  );
  assert.ok(
    doors.every((door) => door.external.isExternal(party)),
    "everybody knows its keys",
  );
  success(await doors[0].submit(submission([alice], [{ create: "shared", signatories: [alice], observers: [party] }])));
  for (const door of doors) assert.equal((await activeContracts(door, wildcard(party))).length, 1);
  success(await doors[0].submit(submission([alice], [{ exercise: "shared", by: [alice] }])));
  for (const door of doors) assert.equal((await activeContracts(door, wildcard(party))).length, 0);
});

test("several hosts: a participant that is not there cannot agree, which is told before anything is proposed", async (t) => {
  const { doors } = await startDoors(t),
    one = holder(),
    elsewhere = { participant: `far::1220${"ab".repeat(32)}`, permission: "confirmation" as const },
    transaction = transactionOf(doors[0], [one], { participants: [...hostedBy([doors[0]]), elsewhere] });
  for (const signers of [[one], []]) {
    const { code, cause, category, origin } = failure(await allocate(doors[0], transaction, signers));
    assert.deepEqual([code, category, origin], ["Members PAR::far::1220abababab... are unknown.", 11, "status"]);
    assert.equal(cause, `NOT_FOUND: ${code}`);
  }
});
