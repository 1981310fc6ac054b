/** Reads of the whole ledger: what became of submissions, which offset a time means, contracts from a place on. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { startDoors } from "./doors.js";
import { activeContracts, closeFixture, drain, failure, openFixture, startLedger, submission, success, wildcard } from "./support.js";
import { temporaryFolder } from "../support/folders.js";

test("outcomes: accepted and rejected submissions come in the order of offsets, in pages and from the end", async (t) => {
  const { ledger, parties } = await startLedger(t),
    { alice, bob } = parties as Record<string, string>;
  const begin = ledger.ledgerEnd();
  const first = success(await ledger.submit(submission([alice!], [{ create: "a", signatories: [alice] }])));
  success(await ledger.submit(submission([bob!], [{ create: "b", signatories: [bob] }])));
  const race = await Promise.all([bob!, bob!].map((party) => ledger.submit(submission([party], [{ exercise: "b", by: [party] }]))));
  assert.equal(race.filter(({ ok }) => ok !== undefined).length, 1);
  const all = success(ledger.readOutcomes({ beginExclusive: begin, limit: 10 }));
  assert.deepEqual(
    all.map(({ offset }) => offset),
    [1, 2, 3, 4].map((step) => begin + step),
  );
  assert.deepEqual(
    all.map(({ actAs, status }) => [...actAs, status.code === 0]),
    [
      [alice, true],
      [bob, true],
      [bob, true],
      [bob, false],
    ],
  );
  assert.equal(all[0]!.updateId, first.updateId);
  assert.ok(all.every(({ updateId, status }) => (updateId === "") === (status.code !== 0)));
  const paged = all.flatMap((_, index) =>
    success(ledger.readOutcomes({ beginExclusive: index === 0 ? begin : all[index - 1]!.offset, limit: 1 })),
  );
  assert.deepEqual(paged, all);
  assert.deepEqual(success(ledger.readOutcomes({ beginExclusive: begin, limit: 1, descending: true })), all.slice(-1));
  assert.deepEqual(success(ledger.readOutcomes({ beginExclusive: ledger.ledgerEnd(), limit: 10 })), []);
});

test("outcomes: what others submitted and somebody here sees is among them, with its submitters", async (t) => {
  const {
    doors: [here, there],
    alice,
    bob,
  } = await startDoors(t);
  const begin = here.ledgerEnd(),
    told = (name: string, by: string) => submission([by], [{ create: name, signatories: [by], observers: [alice, bob] }]);
  const updateIds: string[] = [];
  for (const [name, door, by] of [
    ["a", here, alice],
    ["b", there, bob],
    ["c", there, bob],
    ["d", here, alice],
  ] as const)
    updateIds.push(success(await door.submit(told(name, by))).updateId);
  success(await there.submit(submission([bob], [{ create: "private", signatories: [bob] }])));
  const all = success(here.readOutcomes({ beginExclusive: begin, limit: 10 }));
  assert.deepEqual(
    all.map(({ updateId, actAs, participantId }) => [updateId, actAs, participantId]),
    updateIds.map((id, index) => [id, ...(index === 0 || index === 3 ? [[alice], here.participantId] : [[bob], there.participantId])]),
  );
  const pageBehind = (index: number) =>
    success(here.readOutcomes({ beginExclusive: index === 0 ? begin : all[index - 1]!.offset, limit: 1 }));
  assert.deepEqual(
    all.flatMap((_, index) => pageBehind(index)),
    all,
  );
  assert.deepEqual(success(here.readOutcomes({ beginExclusive: begin, limit: 3, descending: true })), all.slice(1).reverse());
  assert.deepEqual(success(here.readOutcomes({ beginExclusive: begin, endInclusive: all[2]!.offset, limit: 9 })), all.slice(0, 3));
  success(await there.prune(there.ledgerEnd() - 1));
  const [, pruned] = success(here.readOutcomes({ beginExclusive: begin, limit: 10 }));
  assert.deepEqual([pruned!.updateId, pruned!.actAs, pruned!.participantId], [updateIds[1], [], here.participantId]);
});

test("outcomes: what is pruned is told, not left out", async (t) => {
  const { ledger, parties } = await startLedger(t),
    alice = parties["alice"]!;
  for (const name of ["a", "b", "c"]) success(await ledger.submit(submission([alice], [{ create: name, signatories: [alice] }])));
  success(await ledger.prune(ledger.ledgerEnd() - 1));
  assert.equal(failure(ledger.readOutcomes({ beginExclusive: 1, limit: 10 })).code, "PARTICIPANT_PRUNED_DATA_ACCESSED");
  assert.equal(success(ledger.readOutcomes({ beginExclusive: ledger.ledgerEnd() - 1, limit: 10 })).length, 1);
});

test("record times: a time means the last offset that was recorded at or before it", async (t) => {
  const { ledger, parties, clock } = await startLedger(t),
    alice = parties["alice"]!;
  const before = clock.now - 1n,
    recorded: { offset: number; recordTime: bigint }[] = [];
  for (const name of ["a", "b", "c", "d"]) {
    clock.now += 1_000_000n;
    const { completionOffset: offset } = success(await ledger.submit(submission([alice], [{ create: name, signatories: [alice] }])));
    recorded.push({ offset, recordTime: success(ledger.readOutcomes({ beginExclusive: offset - 1, limit: 1 }))[0]!.recordTime });
  }
  assert.equal(ledger.offsetAt(before), 0);
  for (const { offset, recordTime } of recorded)
    assert.deepEqual(
      [ledger.offsetAt(recordTime - 1n), ledger.offsetAt(recordTime), ledger.offsetAt(recordTime + 1n)],
      [offset - 1, offset, offset],
    );
  assert.equal(ledger.offsetAt(2n ** 62n), ledger.ledgerEnd());
  const [first, second, third] = recorded as [(typeof recorded)[0], (typeof recorded)[0], (typeof recorded)[0]];
  success(await ledger.prune(second.offset));
  assert.deepEqual(
    [before, first.recordTime, second.recordTime, third.recordTime - 1n, third.recordTime].map((time) => ledger.offsetAt(time)),
    [undefined, undefined, undefined, undefined, third.offset],
    "of times before what is left nothing is known",
  );
});

test("active contracts: a read may begin behind the place of a create", async (t) => {
  const { ledger, parties } = await startLedger(t),
    alice = parties["alice"]!;
  for (const name of ["a", "b", "c"]) success(await ledger.submit(submission([alice], [{ create: name, signatories: [alice] }])));
  const all = await activeContracts(ledger, wildcard(alice)),
    [first] = all;
  const rest = await drain(
    ledger.openActiveContracts({
      activeAtOffset: ledger.ledgerEnd(),
      format: wildcard(alice),
      after: { offset: first.offset, nodeId: first.nodeId },
    }),
  );
  assert.deepEqual(
    rest.map((element) => element.contractEntry.JsActiveContract.createdEvent.contractId),
    all.slice(1).map(({ contractId }: { contractId: string }) => contractId),
  );
});

test("notes: what is kept under a name is there after a restart, and is no part of the history", async () => {
  const folder = temporaryFolder(),
    fixture = await openFixture(folder),
    end = fixture.ledger.ledgerEnd();
  assert.equal(fixture.ledger.readNote("a"), undefined);
  success(await fixture.ledger.keepNote("a", "first"));
  success(await fixture.ledger.keepNote("a", "second"));
  assert.deepEqual([fixture.ledger.readNote("a"), fixture.ledger.readNote("b"), fixture.ledger.ledgerEnd()], ["second", undefined, end]);
  await closeFixture(fixture);
  const again = await openFixture(folder);
  assert.equal(again.ledger.readNote("a"), "second");
  await closeFixture(again);
});
