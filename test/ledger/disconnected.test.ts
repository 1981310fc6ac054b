/** A participant that is started without a synchronizer that it was connected to before: what was there stays, and waits. */
import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { StaticClock } from "../../src/base/clock.js";
import type { Participant } from "../../src/ledger/index.js";
import { eventually } from "../http/harness.js";
import { allocateWith, holder, transactionOf } from "../external/holders.js";
import { openDoors } from "./doors.js";
import { activeContracts, contractIdOf, drain, failure, submission, success, transactions, wildcard } from "./support.js";
import { temporaryFolder } from "../support/folders.js";

const participantNames = ["sandbox", "pebblebox"] as const,
  places = { participantNames, synchronizers: ["one", "two"] };

interface Started {
  readonly first: Participant;
  readonly second: Participant;
  readonly one: string;
  readonly two: string;
  /** At home at the first and at the second, on both. */
  readonly alice: string;
  readonly bob: string;
  /** Again, and with the second on both. */
  reconnect(): Promise<readonly [Participant, Participant]>;
}

/** Of bob there is a contract on each; on the second one he also observes one of alice. Then the second participant leaves it. */
async function leave(t: TestContext): Promise<Started> {
  const folder = temporaryFolder(),
    before = await openDoors(folder, places),
    [first, second] = before.network.participants as unknown as [Participant, Participant],
    [one, two] = first.synchronizers.map(({ id }) => id) as [string, string];
  const party = async (door: Participant, hint: string): Promise<string> => {
    let allocated = "";
    for (const synchronizerId of [one, two])
      allocated = success(await door.allocateParty({ hint, annotations: {}, identityProviderId: "", synchronizerId, userId: "" })).party;
    return allocated;
  };
  const [alice, bob] = [await party(first, "alice"), await party(second, "bob")];
  success(await first.submit(submission([alice], [{ create: "shared", signatories: [alice], observers: [bob] }], { synchronizerId: two })));
  success(await second.submit(submission([bob], [{ create: "far", signatories: [bob] }], { synchronizerId: two })));
  success(await second.submit(submission([bob], [{ create: "near", signatories: [bob] }], { synchronizerId: one })));
  await before.close();
  const { interpreter, clock } = before,
    synchronizersOf = (name: string): readonly string[] | undefined => (name === "pebblebox" ? ["one"] : undefined);
  let opened = await openDoors(folder, { ...places, interpreter, clock, synchronizersOf });
  t.after(() => opened.close());
  const [again, without] = opened.network.participants as unknown as [Participant, Participant];
  return {
    ...{ first: again, second: without, one, two, alice, bob },
    reconnect: async () => {
      await opened.close();
      opened = await openDoors(folder, { ...places, interpreter, clock });
      return opened.network.participants as unknown as [Participant, Participant];
    },
  };
}

const look = (name: string, by: string): object => ({ exercise: name, by: [by], consuming: false, choice: "Look" });
const placesOf = async (door: Participant, party: string): Promise<Readonly<Record<string, string>>> => {
  const entries = await drain(door.openActiveContracts({ activeAtOffset: door.ledgerEnd(), format: wildcard(party) }));
  return Object.fromEntries(
    entries.map(({ contractEntry: { JsActiveContract: active } }) => [active.createdEvent.createArgument.name, active.synchronizerId]),
  );
};

describe("a participant without a synchronizer that it was connected to", () => {
  it("still tells of the contracts that are there, and of what happened there", async (t) => {
    const { second, one, two, bob } = await leave(t);
    assert.deepEqual(
      second.synchronizers.map(({ id }) => id),
      [one],
    );
    assert.deepEqual(await placesOf(second, bob), { shared: two, far: two, near: one });
    assert.equal((await transactions(second, wildcard(bob))).length, 3);
    assert.equal(JSON.parse(success(await second.readContract(contractIdOf("far"), [bob]))).createdEvent.contractId, contractIdOf("far"));
  });

  it("does not know where they are, for commands: they are neither used nor brought here, until it is connected again", async (t) => {
    const { second, one, two, bob, reconnect } = await leave(t),
      begin = second.ledgerEnd();
    const codeOf = async (door: Participant, steps: readonly object[], synchronizerId = ""): Promise<string> =>
      failure(await door.submit(submission([bob], steps, { synchronizerId }))).code;
    assert.equal(await codeOf(second, [look("far", bob)]), "UNKNOWN_CONTRACT_SYNCHRONIZERS");
    assert.equal(await codeOf(second, [look("far", bob)], one), "UNKNOWN_CONTRACT_SYNCHRONIZERS");
    assert.equal(await codeOf(second, [look("near", bob), look("shared", bob)]), "UNKNOWN_CONTRACT_SYNCHRONIZERS");
    assert.equal(await codeOf(second, [look("far", bob)], two), "INVALID_PRESCRIBED_SYNCHRONIZER_ID");
    success(await second.submit(submission([bob], [look("near", bob)])));
    assert.deepEqual(await placesOf(second, bob), { shared: two, far: two, near: one }, "nothing was moved");
    assert.equal(second.ledgerEnd(), begin + 1, "nothing but that happened");
    const [, again] = await reconnect();
    success(await again.submit(submission([bob], [look("far", bob)])));
    success(await again.submit(submission([bob], [look("near", bob), look("shared", bob)])));
  });

  it("assigns nothing there after the exclusivity, until it is connected again", async (t) => {
    const folder = temporaryFolder(),
      clock = new StaticClock(),
      alone = { ...places, participantNames: ["sandbox"] as const, clock };
    let opened = await openDoors(folder, alone);
    const { interpreter } = opened,
      restart = async (synchronizersOf: () => readonly string[] | undefined): Promise<Participant> => {
        await opened.close();
        opened = await openDoors(folder, { ...alone, interpreter, synchronizersOf });
        return opened.network.participants[0];
      };
    t.after(() => opened.close());
    const [door] = opened.network.participants,
      [one, two] = door.synchronizers.map(({ id }) => id) as [string, string];
    let alice = "";
    for (const synchronizerId of [one, two])
      alice = success(
        await door.allocateParty({ hint: "alice", annotations: {}, identityProviderId: "", synchronizerId, userId: "" }),
      ).party;
    success(await door.submit(submission([alice], [{ create: "moving", signatories: [alice] }], { synchronizerId: one })));
    const commands = [{ kind: "unassign", contractId: contractIdOf("moving"), source: one, target: two }] as const;
    success(
      await door.reassign({
        ...{ userId: "user", commandId: "move", submissionId: "mine", workflowId: "", submitter: alice, commands },
        trace: { traceparent: null, tracestate: null },
      }),
    );
    const without = await restart(() => ["one"]),
      end = without.ledgerEnd();
    clock.advanceTo(clock.nowMicros() + 61_000_000n);
    await new Promise((resolve) => setTimeout(resolve, 100));
    assert.equal(without.ledgerEnd(), end);
    const again = await restart(() => undefined);
    await eventually("it is assigned", () => again.synchronizerOf(contractIdOf("moving")) === two);
  });

  it("is told of what others do there, and is still known to have vetted its packages", async (t) => {
    const { first, second, one, two, alice, bob } = await leave(t);
    success(await first.submit(submission([alice], [{ exercise: "shared", by: [alice] }])));
    success(await first.submit(submission([alice], [{ create: "late", signatories: [alice], observers: [bob] }], { synchronizerId: two })));
    assert.equal((await placesOf(second, bob))["late"], two);
    const newcomer = success(
      await first.allocateParty({ hint: "newcomer", annotations: {}, identityProviderId: "", synchronizerId: two, userId: "" }),
    ).party;
    success(
      await first.submit(submission([newcomer], [{ create: "new", signatories: [newcomer], observers: [bob] }], { synchronizerId: two })),
    );
    assert.equal((await placesOf(second, bob))["new"], two, "with a party that came meanwhile");
    assert.equal((await activeContracts(second, wildcard(alice))).length, 1);
    const list = (door: Participant, synchronizerIds: readonly string[]) =>
      success(
        door.listVettedPackages({
          packageIds: [],
          namePrefixes: [],
          participantIds: [],
          synchronizerIds,
          pageSize: 0,
          pageToken: new Uint8Array(),
        }),
      ).states.map(({ participantId, synchronizerId }) => `${synchronizerId} ${participantId}`);
    const expected = [one, two].map((synchronizer) =>
      [first, second].map(({ participantId }) => `${synchronizer} ${participantId}`).sort(),
    );
    assert.deepEqual(list(first, [two]).sort(), expected[1]);
    assert.deepEqual(list(second, [two]).sort(), expected[1], "by itself, too");
    assert.deepEqual(list(second, []).sort(), expected.flat().sort());
  });

  it("may be asked to host a party there, which is once it is connected again and signs", async (t) => {
    const { first, second, two, reconnect } = await leave(t),
      owner = holder();
    const participants = [first, second].map(({ participantId }) => ({ participant: participantId, permission: "confirmation" as const })),
      transaction = transactionOf(first, [owner], { participants });
    const { party } = success(await allocateWith(first, transaction, [owner], { synchronizer: two }));
    assert.match(
      failure(await allocateWith(second, transaction, [owner], { synchronizer: two })).cause,
      /not connected to the requested synchronizer/,
    );
    const [firstAgain, again] = await reconnect();
    success(await allocateWith(again, transaction, [], { synchronizer: two }));
    for (const door of [firstAgain, again]) assert.equal(door.getParties([party], "")[0]?.isLocal, true);
  });
});
