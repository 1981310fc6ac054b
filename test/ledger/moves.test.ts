/**
 * Contracts that move between synchronizers in a network of several participants: who may move them, and what is left where they are not
 * seen any more.
 */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { describe, it, type TestContext } from "node:test";
import { type Clock, StaticClock } from "../../src/base/clock.js";
import { fail } from "../../src/base/result.js";
import { limits } from "../../src/config.js";
import type { Participant, ReassignmentSubmission } from "../../src/ledger/index.js";
import { verifyLedger } from "../../src/ledger/keeping/index.js";
import { ledgerError } from "../../src/ledger/model/index.js";
import { Reassignments } from "../../src/ledger/submission/index.js";
import { Batch } from "../../src/store/index.js";
import { allocate as allocateExternal, holder, transactionOf } from "../external/holders.js";
import { eventually } from "../http/harness.js";
import { reassignmentsUnderWay } from "../../src/ledger/submission/under-way.js";
import { openDoors } from "./doors.js";
import { contractIdOf, drain, failure, packageId, submission, success, TestClock, updates, wildcard } from "./support.js";
import { temporaryFolder } from "../support/folders.js";

interface Network {
  readonly doors: readonly Participant[];
  readonly one: string;
  readonly two: string;
}

/** Three doors that are connected to two synchronizers. */
async function start(t: TestContext, clock: Clock = new TestClock()): Promise<Network> {
  const folder = temporaryFolder(),
    opened = await openDoors(folder, { synchronizers: ["one", "two"], clock }),
    doors = opened.network.participants;
  t.after(async () => {
    await opened.close();
    const report = await verifyLedger(folder);
    rmSync(folder, { recursive: true });
    assert.ok(report.sound, report.text);
  });
  const [one, two] = doors[0].synchronizers.map(({ id }) => id) as [string, string];
  return { doors, one, two };
}

async function party(door: Participant, hint: string, ...synchronizers: readonly string[]): Promise<string> {
  let allocated = "";
  for (const synchronizerId of synchronizers)
    allocated = success(await door.allocateParty({ hint, annotations: {}, identityProviderId: "", synchronizerId, userId: "" })).party;
  return allocated;
}

interface Hosted {
  readonly synchronizer: string;
  readonly hosts: readonly Participant[];
  readonly threshold?: number;
}

/** A party that signs for itself, with those that host it on each synchronizer. */
async function shared(hosted: readonly Hosted[]): Promise<string> {
  const one = holder();
  let allocated = "";
  for (const { synchronizer, hosts, threshold = 1 } of hosted) {
    const participants = hosts.map(({ participantId }) => ({ participant: participantId, permission: "confirmation" as const }));
    for (const host of hosts)
      allocated = success(await allocateExternal(host, transactionOf(host, [one], { participants, threshold }), [one], [], synchronizer));
  }
  return allocated;
}

let commands = 0;
const command = (submitter: string, commands_: ReassignmentSubmission["commands"]): ReassignmentSubmission => ({
  userId: "user",
  commandId: `move-${++commands}`,
  submissionId: "mine",
  workflowId: "",
  submitter,
  trace: { traceparent: null, tracestate: null },
  commands: commands_,
});
const unassign = (door: Participant, submitter: string, name: string, source: string, target: string) =>
  door.reassign(command(submitter, [{ kind: "unassign", contractId: contractIdOf(name), source, target }]));

async function reassignmentIdAt(door: Participant, updateId: string, submitter: string): Promise<string> {
  const format = { includeTransactions: undefined, includeReassignments: wildcard(submitter), includeTopologyEvents: undefined };
  return JSON.parse(success(await door.readUpdate({ by: { updateId }, form: "update", format }))).Reassignment.value.events[0]
    .JsUnassignedEvent.value.reassignmentId;
}

async function move(door: Participant, submitter: string, name: string, source: string, target: string): Promise<void> {
  const { updateId } = success(await unassign(door, submitter, name, source, target));
  success(
    await door.reassign(
      command(submitter, [{ kind: "assign", reassignmentId: await reassignmentIdAt(door, updateId, submitter), source, target }]),
    ),
  );
}

interface Completed {
  readonly completionResponse: { readonly Completion: { readonly value: Completion } };
}
interface Completion {
  readonly commandId: string;
  readonly submissionId: string;
  readonly userId: string;
  readonly actAs: readonly string[];
  readonly status: { readonly code: number };
}
const completionsOf = async (door: Participant, ...parties: readonly string[]): Promise<readonly unknown[]> =>
  (await drain(door.openCompletions({ userId: "user", parties, beginExclusive: 0 }))).filter(
    ({ completionResponse }) => completionResponse.Completion !== undefined,
  );

describe("moves in a network", () => {
  it("what others commit has no completion, and is no gap among one's own", async (t) => {
    const { doors, one } = await start(t),
      [first, second] = doors as [Participant, Participant],
      alice = await party(first, "alice", one),
      bob = await party(second, "bob", one);
    success(await first.submit(submission([alice], [{ create: "a", signatories: [alice], observers: [bob] }])));
    success(await second.submit(submission([bob], [{ exercise: "a", by: [bob], consuming: false, choice: "Look" }])));
    const anybody = await drain(second.openCompletions({ userId: undefined, parties: [], beginExclusive: 0 }));
    assert.equal(anybody.filter(({ completionResponse }) => completionResponse.Completion).length, 1);
    assert.equal((await completionsOf(second, bob, ...Array.from({ length: 20 }, (_, number) => `nobody-${number}`))).length, 1);
  });

  it("what others move and somebody here sees is among the outcomes, and where it is meanwhile is told to both", async (t) => {
    const { doors, one, two } = await start(t),
      [first, second] = doors as [Participant, Participant],
      alice = await party(first, "alice", one, two),
      bob = await party(second, "bob", one, two),
      places = (): readonly unknown[] => [first, second].map((door) => door.synchronizerOf(contractIdOf("a")));
    assert.deepEqual(places(), [undefined, undefined], "it is not there yet");
    success(await first.submit(submission([alice], [{ create: "a", signatories: [alice], observers: [bob] }], { synchronizerId: one })));
    assert.deepEqual(places(), [one, one]);
    const begin = second.ledgerEnd(),
      { updateId: left } = success(await unassign(first, alice, "a", one, two)),
      reassignmentId = await reassignmentIdAt(first, left, alice);
    assert.deepEqual(places(), [undefined, undefined]);
    const arrival = command(alice, [{ kind: "assign", reassignmentId, source: one, target: two }]),
      { updateId: arrived } = success(await first.reassign(arrival));
    assert.deepEqual(places(), [two, two]);
    assert.deepEqual(
      success(second.readOutcomes({ beginExclusive: begin, limit: 10 })).map((each) => [each.updateId, each.actAs, each.participantId]),
      [left, arrived].map((updateId) => [updateId, [alice], first.participantId]),
    );
    success(await first.submit(submission([alice], [{ exercise: "a", by: [alice] }])));
    assert.deepEqual(places(), [two, two], "where it was archived");
  });

  it("a participant that hosts stakeholders at one end only sees a contract leave and come back, and none on its way", async (t) => {
    const { doors, one, two } = await start(t),
      [first, second] = doors as [Participant, Participant],
      alice = await party(first, "alice", one, two);
    const guest = await shared([
      { synchronizer: one, hosts: [first, second] },
      { synchronizer: two, hosts: [first] },
    ]);
    success(await first.submit(submission([alice], [{ create: "a", signatories: [alice], observers: [guest] }], { synchronizerId: one })));
    for (const times of [1, 2]) {
      const { updateId } = success(await unassign(first, alice, "a", one, two)),
        reassignmentId = await reassignmentIdAt(first, updateId, alice);
      assert.deepEqual(await entriesOf(second, guest), []);
      assert.deepEqual(await entriesOf(first, guest), ["JsIncompleteUnassigned"], `time ${times}`);
      success(await first.reassign(command(alice, [{ kind: "assign", reassignmentId, source: one, target: two }])));
      assert.deepEqual(await entriesOf(second, guest), []);
      await move(first, alice, "a", two, one);
      assert.deepEqual(await entriesOf(second, guest), ["JsActiveContract"]);
    }
    success(await first.submit(submission([alice], [{ exercise: "a", by: [alice] }])));
    assert.deepEqual([await entriesOf(first, guest), await entriesOf(second, guest)], [[], []]);
  });

  it("who hosts one stakeholder where it leaves and another where it arrives sees both, and nothing on its way", async (t) => {
    const { doors, one, two } = await start(t),
      [first, second] = doors as [Participant, Participant],
      alice = await party(first, "alice", one, two);
    const [early, late] = [
      await shared([
        { synchronizer: one, hosts: [first, second] },
        { synchronizer: two, hosts: [first] },
      ]),
      await shared([
        { synchronizer: one, hosts: [first] },
        { synchronizer: two, hosts: [first, second] },
      ]),
    ];
    success(
      await first.submit(submission([alice], [{ create: "a", signatories: [alice], observers: [early, late] }], { synchronizerId: one })),
    );
    const { updateId } = success(await unassign(first, alice, "a", one, two)),
      reassignmentId = await reassignmentIdAt(first, updateId, alice);
    assert.deepEqual([await entriesOf(first, early), await entriesOf(second, early)], [["JsIncompleteUnassigned"], []]);
    const format = { includeTransactions: undefined, includeReassignments: wildcard(early), includeTopologyEvents: undefined };
    const told = JSON.parse(success(await second.readUpdate({ by: { updateId }, form: "update", format })));
    assert.equal(told.Reassignment.value.events[0].JsUnassignedEvent.value.assignmentExclusivity, null);
    success(await first.reassign(command(alice, [{ kind: "assign", reassignmentId, source: one, target: two }])));
    assert.deepEqual([await entriesOf(second, late), await entriesOf(second, early)], [["JsActiveContract"], ["JsActiveContract"]]);
    success(await first.submit(submission([alice], [{ exercise: "a", by: [alice] }])));
    assert.deepEqual(await entriesOf(second, late), []);
  });

  it("a contract that left is used elsewhere, and not from where it left", async (t) => {
    const { doors, one, two } = await start(t),
      [first, second] = doors as [Participant, Participant];
    const alice = await party(first, "alice", one, two),
      bob = await party(second, "bob", one, two),
      guest = await shared([
        { synchronizer: one, hosts: [first, second] },
        { synchronizer: two, hosts: [first] },
      ]);
    success(await first.submit(submission([alice], [{ create: "a", signatories: [alice], observers: [guest] }], { synchronizerId: one })));
    await move(first, alice, "a", one, two);
    const left = await second.submit(submission([bob], [{ exercise: "a", by: [bob], consuming: false, choice: "Look" }]));
    assert.equal(failure(left).code, "UNKNOWN_CONTRACT_SYNCHRONIZERS");
    success(await first.submit(submission([alice], [{ exercise: "a", by: [alice] }])));
  });

  it("the events of a contract that was moved are told by the synchronizer where it was created, its archive too", async (t) => {
    const { doors, one, two } = await start(t),
      [first] = doors as [Participant],
      alice = await party(first, "alice", one, two);
    success(await first.submit(submission([alice], [{ create: "a", signatories: [alice] }], { synchronizerId: one })));
    await move(first, alice, "a", one, two);
    success(await first.submit(submission([alice], [{ exercise: "a", by: [alice] }])));
    const { created, archived } = JSON.parse(success(await first.readEventsByContractId(contractIdOf("a"), wildcard(alice))));
    assert.deepEqual([created.synchronizerId, archived.synchronizerId], [one, one]);
  });

  it("the creation of a contract that was moved is told until its first unassignment is pruned, also of one that came back", async (t) => {
    const { doors, one, two } = await start(t),
      [first] = doors as [Participant],
      alice = await party(first, "alice", one, two);
    const create = async (name: string): Promise<number> => {
      success(await first.submit(submission([alice], [{ create: name, signatories: [alice] }], { synchronizerId: one })));
      return first.ledgerEnd();
    };
    const createdOf = async (name: string): Promise<number | string> => {
      const read = await first.readEventsByContractId(contractIdOf(name), wildcard(alice));
      return read.error?.code ?? JSON.parse(success(read)).created.createdEvent.offset;
    };
    const away = await create("away"),
      back = await create("back");
    await create("behind");
    success(await first.prune(back));
    await move(first, alice, "away", one, two);
    const left = first.ledgerEnd();
    await move(first, alice, "back", one, two);
    await move(first, alice, "back", two, one);
    assert.deepEqual([await createdOf("away"), await createdOf("back")], [away, back]);
    success(await first.prune(left));
    assert.deepEqual([await createdOf("away"), await createdOf("back")], ["CONTRACT_EVENTS_NOT_FOUND", back]);
    await create("last");
    success(await first.prune(first.ledgerEnd() - 1));
    assert.equal(await createdOf("back"), "CONTRACT_EVENTS_NOT_FOUND");
  });

  it("after the exclusivity whoever sees both ends assigns what nobody did, by the command by which another unassigned it", async (t) => {
    const clock = new StaticClock(),
      { doors, one, two } = await start(t, clock),
      [first, second] = doors as [Participant, Participant],
      bob = await party(second, "bob", one, two);
    const guest = await shared([
      { synchronizer: one, hosts: [first, second] },
      { synchronizer: two, hosts: [second] },
    ]);
    success(await second.submit(submission([bob], [{ create: "a", signatories: [bob], observers: [guest] }], { synchronizerId: one })));
    const sent = command(guest, [{ kind: "unassign", contractId: contractIdOf("a"), source: one, target: two }]);
    success(await first.reassign(sent));
    assert.deepEqual([await entriesOf(first, guest), await entriesOf(second, guest)], [[], ["JsIncompleteUnassigned"]]);
    clock.advanceTo(clock.nowMicros() + 61_000_000n);
    await eventually("it is assigned", async () => (await entriesOf(second, guest))[0] === "JsActiveContract");
    assert.deepEqual([await entriesOf(first, guest), await entriesOf(second, guest)], [[], ["JsActiveContract"]]);
    assert.deepEqual([(await completionsOf(first, guest)).length, (await completionsOf(second, guest)).length], [1, 0]);
    const [, assigned] = (await completionsOf(second, bob)) as readonly Completed[],
      { commandId, submissionId, userId, actAs } = assigned!.completionResponse.Completion.value;
    assert.deepEqual([commandId, submissionId, userId, actAs], [sent.commandId, "", sent.userId, [bob]], "of whoever it assigned for");
  });

  it("after the exclusivity nobody assigns for those who sign for themselves", async (t) => {
    const clock = new StaticClock(),
      { doors, one, two } = await start(t, clock),
      [first] = doors as [Participant],
      alice = await party(first, "alice", one, two);
    const guest = await shared([
      { synchronizer: one, hosts: [first] },
      { synchronizer: two, hosts: [first] },
    ]);
    const creates = [
      { create: "theirs", signatories: [guest] },
      { create: "ours", signatories: [alice], observers: [guest] },
    ];
    success(await first.submit(submission([alice], creates, { synchronizerId: one })));
    const { updateId } = success(await unassign(first, guest, "theirs", one, two));
    success(await unassign(first, guest, "ours", one, two));
    clock.advanceTo(clock.nowMicros() + 61_000_000n);
    await eventually("the other one is assigned", async () => (await entriesOf(first, guest))[0] === "JsActiveContract");
    assert.deepEqual(await entriesOf(first, guest), ["JsActiveContract", "JsIncompleteUnassigned"]);
    const reassignmentId = await reassignmentIdAt(first, updateId, guest);
    success(await first.reassign(command(guest, [{ kind: "assign", reassignmentId, source: one, target: two }])));
    assert.deepEqual(await entriesOf(first, guest), ["JsActiveContract", "JsActiveContract"]);
  });

  it("what the storage refused to assign after the exclusivity is assigned once it writes again", async (t) => {
    const clock = new StaticClock(),
      { doors, one, two } = await start(t, clock),
      [first] = doors as [Participant, Participant],
      alice = await party(first, "alice", one, two);
    success(await first.submit(submission([alice], [{ create: "a", signatories: [alice] }], { synchronizerId: one })));
    success(await unassign(first, alice, "a", one, two));
    const flush = t.mock.method(Batch.prototype, "flush", () => Promise.reject(new Error("ENOSPC")));
    const until = async (isSo: () => Promise<boolean> | boolean): Promise<void> => {
      for (let tries = 0; tries < 200 && !(await isSo()); tries++) await new Promise((resolve) => setTimeout(resolve, 20));
    };
    clock.advanceTo(clock.nowMicros() + 61_000_000n);
    await until(() => flush.mock.callCount() > 0);
    assert.ok(flush.mock.callCount() > 0, "it was tried");
    flush.mock.restore();
    assert.deepEqual(await entriesOf(first, alice), ["JsIncompleteUnassigned"]);
    await until(async () => {
      clock.advanceTo(clock.nowMicros() + 1_000_000n);
      return (await entriesOf(first, alice))[0] === "JsActiveContract";
    });
    assert.deepEqual(await entriesOf(first, alice), ["JsActiveContract"]);
  });

  it("what is tried again waits for no contract whose exclusivity ends later", async (t) => {
    const clock = new StaticClock(),
      { doors, one, two } = await start(t, clock),
      [first] = doors as [Participant, Participant],
      alice = await party(first, "alice", one, two);
    const passes = (seconds: number): void => clock.advanceTo(clock.nowMicros() + BigInt(seconds) * 1_000_000n);
    for (const create of ["a", "b"])
      success(await first.submit(submission([alice], [{ create, signatories: [alice] }], { synchronizerId: one })));
    success(await unassign(first, alice, "a", one, two));
    passes(30);
    success(await unassign(first, alice, "b", one, two));
    const flush = t.mock.method(Batch.prototype, "flush", () => Promise.reject(new Error("ENOSPC")));
    passes(31);
    await eventually("it was tried", () => flush.mock.callCount() > 0);
    flush.mock.restore();
    await new Promise((resolve) => setTimeout(resolve, 50)); // it hears of the refusal
    passes(2);
    await eventually("it is assigned", async () => (await entriesOf(first, alice)).includes("JsActiveContract"));
    assert.deepEqual([...(await entriesOf(first, alice))].sort(), ["JsActiveContract", "JsIncompleteUnassigned"]);
  });

  it("whatever kept a contract from being assigned after the exclusivity, it is tried again, each time after twice as long", async (t) => {
    const clock = new StaticClock(),
      { doors, one, two } = await start(t, clock),
      [first] = doors as [Participant],
      alice = await party(first, "alice", one, two);
    success(await first.submit(submission([alice], [{ create: "a", signatories: [alice] }], { synchronizerId: one })));
    success(await unassign(first, alice, "a", one, two));
    const tried = t.mock.method(Reassignments.prototype, "run", () => Promise.reject(new Error("a bug")));
    const passes = async (ms: number, tries: number): Promise<void> => {
      clock.advanceTo(clock.nowMicros() + BigInt(ms) * 1_000n);
      await eventually("it is tried", () => tried.mock.callCount() === tries);
      await new Promise((resolve) => setTimeout(resolve, 50)); // it is not tried again
      assert.equal(tried.mock.callCount(), tries);
    };
    await passes(61_000, 1);
    await passes(limits.assignmentRetryMs + 1, 2);
    tried.mock.mockImplementation(() => Promise.resolve(fail(ledgerError("REASSIGNMENT_VALIDATION_FAILED", "not now"))));
    await passes(limits.assignmentRetryMs + 1, 2);
    await passes(limits.assignmentRetryMs + 1, 3);
    assert.deepEqual(await entriesOf(first, alice), ["JsIncompleteUnassigned"]);
    tried.mock.restore();
    clock.advanceTo(clock.nowMicros() + 4_001_000n);
    await eventually("it is assigned", async () => (await entriesOf(first, alice))[0] === "JsActiveContract");
  });

  it("a start finds what is under way, and has no business with what arrived", async () => {
    const folder = temporaryFolder(),
      clock = new StaticClock(),
      first = await openDoors(folder, { synchronizers: ["one", "two"], clock }),
      [door] = first.network.participants as unknown as [Participant],
      [one, two] = door.synchronizers.map(({ id }) => id) as [string, string],
      alice = await party(door, "alice", one, two);
    for (const create of ["stays", "arrives", "leaves", "leaves too"])
      success(await door.submit(submission([alice], [{ create, signatories: [alice] }], { synchronizerId: one })));
    await move(door, alice, "arrives", one, two);
    const ids: string[] = [];
    for (const name of ["leaves", "leaves too"])
      ids.push(await reassignmentIdAt(door, success(await unassign(door, alice, name, one, two)).updateId, alice));
    await first.close();
    const { interpreter } = first,
      again = await openDoors(folder, { synchronizers: ["one", "two"], clock, interpreter }),
      [sandbox] = again.network.participants as unknown as [Participant];
    assert.deepEqual(
      reassignmentsUnderWay(again.store.tables).map(({ reassignmentId }) => reassignmentId),
      ids,
    );
    clock.advanceTo(clock.nowMicros() + 61_000_000n);
    const isUnderWay = async (): Promise<boolean> => (await entriesOf(sandbox, alice)).includes("JsIncompleteUnassigned");
    await eventually("all arrived", async () => !(await isUnderWay()));
    assert.deepEqual(new Set(await entriesOf(sandbox, alice)), new Set(["JsActiveContract"]));
    assert.deepEqual(reassignmentsUnderWay(again.store.tables), []);
    const told = (await completionsOf(sandbox, alice)) as readonly Completed[];
    assert.deepEqual(
      told
        .map(({ completionResponse }) => completionResponse.Completion.value)
        .filter(({ submissionId }) => submissionId === "")
        .map(({ commandId, userId, actAs, status }) => [commandId, userId, actAs, status.code]),
      [commands - 1, commands].map((number) => [`move-${number}`, "user", [alice], 0]),
      "by completions of the commands that unassigned",
    );
    await again.close();
  });

  it("nobody moves a contract for whose stakeholders there is nobody at both ends", async (t) => {
    const { doors, one, two } = await start(t),
      [first, second] = doors as [Participant, Participant],
      alice = await party(first, "alice", one, two);
    const apart = await shared([
      { synchronizer: one, hosts: [first] },
      { synchronizer: two, hosts: [second] },
    ]);
    success(await first.submit(submission([alice], [{ create: "a", signatories: [alice], observers: [apart] }], { synchronizerId: one })));
    assert.match(failure(await unassign(first, alice, "a", one, two)).cause, /not hosted on any reassigning participants: Set\(ext::/);
  });

  it("a signatory needs as many confirming participants at both ends as its threshold says", async (t) => {
    const { doors, one, two } = await start(t),
      [first, second, third] = doors as [Participant, Participant, Participant],
      alice = await party(first, "alice", one, two);
    const strict = await shared([
      { synchronizer: one, hosts: [first, second], threshold: 2 },
      { synchronizer: two, hosts: [first, third] },
    ]);
    const easy = await shared([
      { synchronizer: one, hosts: [first, second], threshold: 1 },
      { synchronizer: two, hosts: [first, third] },
    ]);
    success(
      await first.submit(
        submission(
          [alice],
          [
            { create: "strict", signatories: [alice, strict] },
            { create: "easy", signatories: [alice, easy] },
            { create: "watched", signatories: [alice], observers: [strict] },
          ],
          { synchronizerId: one },
        ),
      ),
    );
    assert.match(
      failure(await unassign(first, alice, "strict", one, two)).cause,
      /requires at least 2 signatory reassigning participants on synchronizer source, but only 1 are available/,
    );
    await move(first, alice, "easy", one, two);
    await move(first, alice, "watched", one, two);
  });

  it("contracts are moved together that have the same stakeholders and the same signatories, others each by themselves", async (t) => {
    const { doors, one, two } = await start(t),
      [first] = doors as [Participant],
      alice = await party(first, "alice", one, two),
      bob = await party(first, "bob", one, two);
    const both = [alice, bob],
      signed = { a: both, b: both, c: [alice] };
    const creates = Object.entries(signed).map(([create, signatories]) => ({
      create,
      signatories,
      observers: both.filter((name) => !signatories.includes(name)),
    }));
    success(await first.submit(submission(both, creates, { synchronizerId: one })));
    const together = (...names: readonly string[]) =>
      first.reassign(
        command(
          alice,
          names.map((name) => ({ kind: "unassign", contractId: contractIdOf(name), source: one, target: two })),
        ),
      );
    assert.match(failure(await together("a", "c")).cause, /different stakeholders.*DifferingStakeholders/);
    const looks = Object.keys(signed).map((exercise) => ({ exercise, by: [alice], consuming: false, choice: "Look" }));
    success(await first.submit(submission([alice], looks, { synchronizerId: two })));
    const format = { includeTransactions: undefined, includeReassignments: wildcard(alice), includeTopologyEvents: undefined };
    const told = await drain(
      first.openUpdates({ beginExclusive: 0, endInclusive: first.ledgerEnd(), format, form: "update", descending: false }),
    );
    assert.deepEqual(
      told.map(({ update }) => update.Reassignment.value.events.length),
      [2, 2, 1, 1],
    );
  });

  it("contracts that come to a transaction together are one reassignment, without its workflow, for whoever of its parties has a stake", async (t) => {
    const { doors, one, two } = await start(t),
      [first] = doors as [Participant],
      alice = await party(first, "alice", one, two),
      reader = await party(first, "reader", one, two),
      actor = await party(first, "actor", one, two);
    success(
      await first.submit(
        submission(
          [alice],
          ["a", "b"].map((create) => ({ create, signatories: [alice], observers: [reader] })),
          { synchronizerId: one },
        ),
      ),
    );
    const begin = first.ledgerEnd(),
      looks = ["a", "b"].map((exercise) => ({ exercise, by: [actor], consuming: false, choice: "Look" }));
    assert.equal(failure(await first.submit(submission([actor], looks, { synchronizerId: two }))).code, "NO_SYNCHRONIZER_FOR_SUBMISSION");
    success(await first.submit(submission([actor], looks, { synchronizerId: two, readAs: [reader], workflowId: "flow" })));
    const format = { includeTransactions: undefined, includeReassignments: wildcard(alice), includeTopologyEvents: undefined };
    const told = await drain(
      first.openUpdates({ beginExclusive: begin, endInclusive: first.ledgerEnd(), format, form: "update", descending: false }),
    );
    assert.deepEqual(
      told.map(
        ({
          update: {
            Reassignment: { value },
          },
        }) => [
          value.workflowId,
          value.events.length,
          (value.events[0].JsUnassignedEvent?.value ?? value.events[0].JsAssignmentEvent).submitter,
        ],
      ),
      [
        ["", 2, reader],
        ["", 2, reader],
      ],
    );
  });

  it("while a contract is moved another who unassigns it finds it not active any more, and another who assigns it finds it locked", async (t) => {
    const { doors, one, two } = await start(t),
      [first] = doors as [Participant],
      alice = await party(first, "alice", one, two);
    success(await first.submit(submission([alice], [{ create: "a", signatories: [alice] }], { synchronizerId: one })));
    const [left, tooLate] = await Promise.all([unassign(first, alice, "a", one, two), unassign(first, alice, "a", one, two)]);
    const { code, category, cause } = failure(tooLate);
    assert.deepEqual([code, category], ["UNASSIGNMENT_ACTIVENESS_CHECK_FAILED", 11]);
    assert.match(cause, /^Activeness check failed\./, "as clients look for it");
    const reassignmentId = await reassignmentIdAt(first, success(left).updateId, alice),
      assign = () => first.reassign(command(alice, [{ kind: "assign", reassignmentId, source: one, target: two }]));
    const [arrived, twice] = await Promise.all([assign(), assign()]);
    success(arrived);
    assert.deepEqual([failure(twice).code, failure(twice).category], ["LOCAL_VERDICT_LOCKED_CONTRACTS", 2]);
    const told = (await completionsOf(first, alice)) as readonly Completed[];
    assert.deepEqual(
      told.slice(1).map(({ completionResponse }) => completionResponse.Completion.value.status.code),
      [0, 5, 0, 10],
    );
  });

  it("a reassignment that is waited for is in flight, for whoever sends another by the same names", async (t) => {
    const { doors, one, two } = await start(t),
      [first] = doors as [Participant],
      alice = await party(first, "alice", one, two);
    success(await first.submit(submission([alice], [{ create: "a", signatories: [alice] }], { synchronizerId: one })));
    const sent = command(alice, [{ kind: "unassign", contractId: contractIdOf("a"), source: one, target: two }]);
    const [left, again, malformed] = await Promise.all([
      first.reassign(sent),
      first.reassign(sent),
      first.reassign({ ...sent, commands: [{ kind: "empty" }] }),
    ]);
    success(left);
    assert.deepEqual([failure(again).code, failure(malformed).code], ["SUBMISSION_ALREADY_IN_FLIGHT", "MISSING_FIELD"]);
    assert.equal(failure(await first.reassign(sent)).code, "INVALID_ARGUMENT", "afterwards it is one of its own");
    assert.equal((await completionsOf(first, alice)).length, 2, "and neither is told by a completion");
  });

  it("what cannot be moved is told before an asynchronous command is answered", async (t) => {
    const { doors, one, two } = await start(t),
      [first, second] = doors as [Participant, Participant],
      alice = await party(first, "alice", one, two),
      bob = await party(second, "bob", one, two);
    success(await first.submit(submission([alice], [{ create: "a", signatories: [alice], observers: [bob] }], { synchronizerId: one })));
    const change = { kind: "unvet" as const, packages: [{ packageId, name: "", version: "" }] };
    success(
      await second.updateVettedPackages({
        changes: [change],
        dryRun: false,
        synchronizerId: two,
        expectedSerial: "any",
        allowIncompatibleUpgrades: false,
      }),
    );
    const refused = await first.submitAsync(
      submission([alice], [{ exercise: "a", by: [alice], consuming: false, choice: "Look" }], { synchronizerId: two }),
    );
    assert.equal(failure(refused).code, "AUTOMATIC_REASSIGNMENT_FOR_TRANSACTION_FAILED");
  });
});

describe("where a transaction is", () => {
  interface Placed extends Network {
    readonly first: Participant;
    /** On both synchronizers, the first and the second alone. */
    readonly alice: string;
    readonly homebody: string;
    readonly guest: string;
  }
  async function placed(t: TestContext): Promise<Placed> {
    const network = await start(t),
      { doors, one, two } = network,
      first = doors[0]!;
    const alice = await party(first, "alice", one, two),
      homebody = await party(first, "homebody", one),
      guest = await party(first, "guest", two);
    return { ...network, first, alice, homebody, guest };
  }
  const synchronizerOf = async (door: Participant, reader: string, { updateId }: { readonly updateId: string }): Promise<string> => {
    const read = await door.readUpdate({ by: { updateId }, form: "update", format: updates(wildcard(reader), "ledgerEffects") });
    return JSON.parse(success(read)).Transaction.value.synchronizerId;
  };
  const look = (name: string, ...by: readonly string[]) => ({ exercise: name, by, consuming: false, choice: "Look" });

  it("it is where the node can submit for all who act, also for those whom it tells nothing", async (t) => {
    const { first, one, two, alice, homebody, guest } = await placed(t),
      both = [alice, guest];
    const codeOf = async (actAs: readonly string[], step: unknown, changes = {}): Promise<string> =>
      failure(await first.submit(submission(actAs, [step], changes))).code;
    const made = success(await first.submit(submission(both, [{ create: "a", signatories: [alice] }])));
    assert.equal(await synchronizerOf(first, alice, made), two);
    success(await first.submit(submission([alice], [{ create: "b", signatories: [alice] }], { synchronizerId: one })));
    assert.equal(await codeOf(both, look("b", alice)), "INVALID_PRESCRIBED_SYNCHRONIZER_ID");
    assert.equal(await codeOf(both, look("a", alice), { synchronizerId: one }), "INVALID_PRESCRIBED_SYNCHRONIZER_ID");
    assert.equal(await codeOf([guest, homebody], { create: "c", signatories: [guest] }), "SUBMITTERS_NOT_ACTIVE");
    assert.equal(await codeOf(both, { create: "d", signatories: [alice], observers: [homebody] }), "NO_COMMON_SYNCHRONIZER");
  });

  it("a command is known as one that was accepted, on whichever of them it was, and no contract is moved for it again", async (t) => {
    const { first, one, two, alice } = await placed(t);
    const create = { create: "a", signatories: [alice] },
      sent = (synchronizerId: string, steps: readonly unknown[]) => submission([alice], steps, { commandId: "same", synchronizerId });
    success(await first.submit(sent(one, [create])));
    const end = first.ledgerEnd();
    assert.equal(failure(await first.submit(sent(two, [look("a", alice)]))).code, "DUPLICATE_COMMAND");
    assert.deepEqual([first.synchronizerOf(contractIdOf("a")), first.ledgerEnd()], [one, end + 1]);
  });

  it("of several to which as few contracts have to be moved it is the one with the lowest id", async (t) => {
    const { first, one, two, alice } = await placed(t);
    for (const [create, synchronizerId] of [
      ["a", two],
      ["b", one],
    ])
      success(await first.submit(submission([alice], [{ create, signatories: [alice] }], { synchronizerId: synchronizerId! })));
    assert.ok(one < two);
    const looked = success(await first.submit(submission([alice], [look("a", alice), look("b", alice)])));
    assert.equal(await synchronizerOf(first, alice, looked), one);
  });

  it("who observes what it only reads is not told, but has to be where that is moved to; the packages are chosen again before it fails", async (t) => {
    const { first, one, two, alice, homebody, guest } = await placed(t);
    for (const [create, observer, synchronizerId] of [
      ["a", homebody, one],
      ["b", guest, two],
    ])
      success(
        await first.submit(
          submission([alice], [{ create, signatories: [alice], observers: [observer] }], { synchronizerId: synchronizerId! }),
        ),
      );
    const codeOf = async (steps: readonly unknown[], changes = {}): Promise<string> =>
      failure(await first.submit(submission([alice], steps, changes))).code;
    assert.equal(await codeOf([look("a", alice)], { synchronizerId: two }), "NO_SYNCHRONIZER_FOR_SUBMISSION");
    assert.equal(
      await codeOf([look("a", alice)], { synchronizerId: two, selectionPassesMax: 1 }),
      "AUTOMATIC_REASSIGNMENT_FOR_TRANSACTION_FAILED",
    );
    assert.equal(await codeOf([look("a", alice), look("b", alice)]), "NO_SYNCHRONIZER_FOR_SUBMISSION");
    assert.equal(await codeOf([{ exercise: "a", by: [alice] }], { synchronizerId: two }), "INVALID_PRESCRIBED_SYNCHRONIZER_ID");
  });
});

const entriesOf = async (door: Participant, ofParty: string): Promise<readonly string[]> =>
  (await drain(door.openActiveContracts({ activeAtOffset: door.ledgerEnd(), format: wildcard(ofParty) }))).map(
    ({ contractEntry }) => Object.keys(contractEntry as object)[0]!,
  );
