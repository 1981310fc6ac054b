import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { Turns } from "../../src/base/turns.js";
import { limits } from "../../src/config.js";
import { AcceptanceIndex } from "../../src/ledger/intake/index.js";
import { CheckpointSchedule } from "../../src/ledger/reading/checkpoints.js";
import { Batch } from "../../src/store/index.js";
import { smallRuns } from "./run-pieces.js";
import {
  activeContracts,
  closeFixture,
  Collector,
  contractIdOf,
  drain,
  failure,
  openFixture,
  soundAgain,
  startLedger,
  submission,
  success,
  summaryOf,
  transactions,
  updates,
  viewsOf,
  wildcard,
  type Fixture,
  type Step,
} from "./support.js";

const sevenDaysMicros = 7n * 24n * 3600n * 1_000_000n;

/** Ten transactions of alice: creates of two contracts each, seen by bob; every third archives one of the transaction before. */
async function fill(fixture: Pick<Fixture, "ledger" | "parties">, name: string): Promise<number[]> {
  const { alice, bob } = fixture.parties as { alice: string; bob: string },
    offsets: number[] = [];
  for (let n = 0; n < 10; n++) {
    const steps: Step[] = [
      { create: `${name}${n}a`, signatories: [alice], observers: [bob] },
      { create: `${name}${n}b`, template: "M:Keyed", signatories: [alice], key: `${name}${n}` },
    ];
    if (n % 3 === 2) steps.push({ exercise: `${name}${n - 1}a`, by: [alice] });
    if (n % 4 === 3) steps.push({ create: `${name}${n}t`, signatories: [alice] }, { exercise: `${name}${n}t`, by: [alice] });
    offsets.push(success(await fixture.ledger.submit(submission([alice], steps, { commandId: `${name}${n}` }))).completionOffset);
  }
  return offsets;
}

/** Readers that wait then wait for commits and for the pruning alone, however long these take. */
function withoutCheckpoints(t: TestContext): void {
  t.mock.getter(CheckpointSchedule.prototype, "dueInMs", () => 60_000);
  t.mock.method(CheckpointSchedule.prototype, "take", () => false);
}

describe("pruning", () => {
  it("reads before the pruning offset are refused with its offset, reads from it on go on", async (t) => {
    const fixture = await startLedger(t),
      { ledger, parties } = fixture,
      alice = parties["alice"]!;
    const offsets = await fill(fixture, "c"),
      end = ledger.ledgerEnd(),
      pruned = offsets[5]!;
    const before = await transactions(ledger, wildcard(alice), "ledgerEffects", { begin: pruned });
    success(await ledger.prune(pruned));
    assert.deepEqual(ledger.prunedOffsets(), { participantPrunedUpToInclusive: pruned, allDivulgedContractsPrunedUpToInclusive: pruned });
    assert.deepEqual(await transactions(ledger, wildcard(alice), "ledgerEffects", { begin: pruned }), before);
    const format = updates(wildcard(alice)),
      page = { endInclusive: undefined, pageSize: 3, format, descending: false, pageToken: undefined };
    const refused = [
      ledger.openUpdates({ beginExclusive: 0, endInclusive: end, format, form: "update", descending: false }),
      ledger.openUpdates({ beginExclusive: pruned - 1, endInclusive: undefined, format, form: "update", descending: false }),
      ledger.openUpdates({ beginExclusive: pruned - 1, endInclusive: end, format, form: "update", descending: true }),
      ledger.openCompletions({ userId: "user", parties: [alice], beginExclusive: pruned - 1 }),
      ledger.openActiveContracts({ activeAtOffset: pruned - 1, format: wildcard(alice) }),
      await ledger.readUpdatesPage({ ...page, beginExclusive: pruned - 1 }),
      await ledger.readActiveContractsPage({ activeAtOffset: pruned - 1, pageSize: 3, format: wildcard(alice), pageToken: undefined }),
    ];
    for (const answer of refused) {
      const { code, context } = failure<unknown>(answer as never);
      assert.deepEqual([code, context], ["PARTICIPANT_PRUNED_DATA_ACCESSED", { earliest_offset: String(pruned) }]);
    }
    const firstPage = JSON.parse(Buffer.from(success(await ledger.readUpdatesPage({ ...page, beginExclusive: undefined }))).toString());
    assert.deepEqual([firstPage.lowestPageOffsetExclusive, firstPage.updates.length], [pruned, 3]);
    assert.equal((await drain(ledger.openCompletions({ userId: "user", parties: [alice], beginExclusive: pruned }))).length, 4);
    await soundAgain(fixture);
  });

  it("pages that go on over a pruning: descending ones end at its offset, ascending ones that it caught up with are refused", async (t) => {
    const fixture = await startLedger(t),
      { ledger, parties } = fixture,
      offsets = await fill(fixture, "c");
    const pageOf = async (pageSize: number, descending: boolean, pageToken?: string) =>
      ledger.readUpdatesPage({
        beginExclusive: undefined,
        endInclusive: undefined,
        pageSize,
        format: updates(wildcard(parties["alice"]!)),
        descending,
        pageToken: pageToken === undefined ? undefined : Buffer.from(pageToken, "base64"),
      });
    const read = async (...page: Parameters<typeof pageOf>) => JSON.parse(Buffer.from(success(await pageOf(...page))).toString());
    const offsetsIn = (page: { updates: { update: { Transaction: { value: { offset: number } } } }[] }): number[] =>
      page.updates.map(({ update }) => update.Transaction.value.offset);
    const firstPages = await Promise.all([2, 3, 4].map(async (pageSize) => ({ pageSize, page: await read(pageSize, true) }))),
      ascending = await read(2, false);
    const pruned = offsets[5]!;
    success(await ledger.prune(pruned));
    // Of ten transactions four are left: what the first page has left of them is the last page, a full one where it fits and an empty one.
    for (const { pageSize, page } of firstPages) {
      const last = await read(pageSize, true, page.nextPageToken);
      assert.deepEqual([...offsetsIn(page), ...offsetsIn(last)], offsets.slice(6).reverse(), `pages of ${pageSize}`);
      assert.deepEqual([last.lowestPageOffsetExclusive, last.nextPageToken ?? undefined], [pruned, undefined], `pages of ${pageSize}`);
    }
    const { code, cause } = failure<unknown>((await pageOf(2, false, ascending.nextPageToken)) as never);
    assert.equal(code, "PARTICIPANT_PRUNED_DATA_ACCESSED");
    assert.match(cause, new RegExp(` precedes pruned offset ${pruned}$`));
    assert.deepEqual(offsetsIn(await read(2, false)), offsets.slice(6, 8), "who begins anew begins behind it");
  });

  it("ranges without offsets and the begin of the ledger are empty also where all is pruned", async (t) => {
    const fixture = await startLedger(t),
      { ledger, parties } = fixture,
      alice = parties["alice"]!;
    const offsets = await fill(fixture, "c");
    success(await ledger.prune(offsets[5]!));
    assert.deepEqual(await transactions(ledger, wildcard(alice), "acsDelta", { begin: offsets[2]!, end: offsets[2]! }), []);
    assert.deepEqual(await activeContracts(ledger, wildcard(alice), 0), []);
  });

  it("who asks for nothing, or for an interface that nobody implements, misses nothing", async (t) => {
    const declaring = { summary: summaryOf({ implements: {} }), payload: Buffer.from("declaring") },
      fixture = await startLedger(t, { builtInPackages: async () => [declaring] }),
      { ledger, parties } = fixture,
      alice = parties["alice"]!;
    const offsets = await fill(fixture, "c"),
      pruned = offsets[5]!;
    success(await ledger.prune(pruned));
    const nothing = { includeTransactions: undefined, includeReassignments: undefined, includeTopologyEvents: undefined };
    for (const format of [nothing, updates(viewsOf(alice))])
      for (const descending of [false, true]) {
        const asked = { beginExclusive: 0, endInclusive: ledger.ledgerEnd(), format, form: "update", descending } as const;
        assert.deepEqual(await drain(ledger.openUpdates(asked)), []);
        const page = success(await ledger.readUpdatesPage({ ...asked, pageSize: undefined, pageToken: undefined }));
        assert.deepEqual(JSON.parse(Buffer.from(page).toString()).updates, []);
      }
    assert.deepEqual(await activeContracts(ledger, viewsOf(alice), pruned - 1), []);
    assert.equal(
      failure<unknown>(ledger.openActiveContracts({ activeAtOffset: pruned - 1, format: wildcard(alice) }) as never).code,
      "PARTICIPANT_PRUNED_DATA_ACCESSED",
    );
  });

  it("active contracts are the same before and after, at every offset that is left, and can be used", async (t) => {
    const fixture = await startLedger(t),
      { ledger, parties } = fixture,
      alice = parties["alice"]!,
      bob = parties["bob"]!;
    const offsets = await fill(fixture, "c"),
      pruned = offsets[6]!;
    const formats = [
      wildcard(alice),
      wildcard(bob),
      {
        filtersByParty: {
          [alice]: { cumulative: [{ kind: "template" as const, templateId: "#test-model:M:Keyed", includeCreatedEventBlob: true }] },
        },
        filtersForAnyParty: undefined,
        verbose: true,
      },
    ];
    const read = async (from: number) =>
      Promise.all(
        offsets.filter((offset) => offset >= from).flatMap((offset) => formats.map((format) => activeContracts(ledger, format, offset))),
      );
    const before = await read(pruned);
    success(await ledger.prune(pruned));
    assert.deepEqual(await read(pruned), before);
    const used = await ledger.submit(
      submission(
        [alice],
        [
          { exercise: "c0a", by: [alice] },
          { lookup: "c1", found: ["c1b"] },
        ],
      ),
    );
    assert.equal(used.error, undefined);
    assert.equal(success(await ledger.readEventsByContractId(contractIdOf("c0a"), wildcard(alice))).includes(`"archivedEvent"`), true);
    await soundAgain(fixture);
  });

  it("pruned updates are not found by offset or id, and pruned contracts have no events", async (t) => {
    const fixture = await startLedger(t),
      { ledger, parties } = fixture,
      alice = parties["alice"]!;
    const offsets = await fill(fixture, "c"),
      ids = new Map((await transactions(ledger, wildcard(alice))).map((one) => [one.offset, one.updateId as string]));
    success(await ledger.prune(offsets[5]!));
    const read = (by: { offset: number } | { updateId: string }) =>
      ledger.readUpdate({ by, format: updates(wildcard(alice)), form: "update" });
    for (const offset of offsets) {
      const isPruned = offset <= offsets[5]!;
      for (const answer of [await read({ offset }), await read({ updateId: ids.get(offset)! })])
        assert.equal(answer.error?.code, isPruned ? "UPDATE_NOT_FOUND" : undefined);
    }
    assert.equal(failure(await ledger.readEventsByContractId(contractIdOf("c1a"), wildcard(alice))).code, "CONTRACT_EVENTS_NOT_FOUND");
    assert.equal(failure(await ledger.readContract(contractIdOf("c1a"), [alice])).code, "CONTRACT_PAYLOAD_NOT_FOUND");
    assert.equal((await ledger.readEventsByContractId(contractIdOf("c7a"), wildcard(alice))).error, undefined);
  });

  it("a second pruning takes the contracts that were archived since, and an older offset changes nothing", async (t) => {
    const fixture = await startLedger(t),
      { ledger, parties, store } = fixture,
      alice = parties["alice"]!;
    const first = await fill(fixture, "c");
    success(await ledger.prune(first[5]!));
    success(await ledger.prune(first[2]!));
    assert.equal(ledger.prunedOffsets().participantPrunedUpToInclusive, first[5]);
    const survivors = (await activeContracts(ledger, wildcard(alice)))
      .filter((one) => one.offset <= first[5]!)
      .map((one) => one.createArgument.name as string);
    const archived = success(
      await ledger.submit(
        submission(
          [alice],
          survivors.map((name) => ({ exercise: name, by: [alice] })),
        ),
      ),
    ).completionOffset;
    await fill(fixture, "d");
    success(await ledger.prune(archived));
    assert.deepEqual(
      [...store.tables.instances.all()].filter(({ key }) => key.offset <= first[5]!),
      [],
    );
    assert.deepEqual(
      [...store.tables.updates.all()].filter(({ key }) => key <= first[5]!),
      [],
    );
    await soundAgain(fixture);
  });

  it("what was kept of large transactions goes a few of them for each commit", async (t) => {
    const fixture = await startLedger(t),
      { ledger, parties } = fixture,
      alice = parties["alice"]!,
      large = ["a", "b", "c", "d", "e"],
      each = limits.pruningEventsPerCommit / 2;
    const archive = async (nth: number): Promise<number> =>
      success(
        await ledger.submit(
          submission(
            [alice],
            large.map((name) => ({ exercise: `${name}${nth}`, by: [alice] })),
          ),
        ),
      ).completionOffset;
    for (const name of large) {
      const steps = Array.from({ length: each }, (_, nth): Step => ({ create: `${name}${nth}`, signatories: [alice] }));
      success(await ledger.submit(submission([alice], steps)));
    }
    const first = await archive(0),
      second = await archive(1);
    success(await ledger.prune(first));
    await fill(fixture, "f");
    let rewritten = 0;
    const most: number[] = [];
    t.mock.method(Batch.prototype, "put", function (this: Batch, ...put: Parameters<Batch["put"]>) {
      if (put[0].name === "updates") rewritten++;
      return originalPut.apply(this, put);
    });
    t.mock.method(Batch.prototype, "flush", function (this: Batch, ...options: Parameters<Batch["flush"]>) {
      if (rewritten > 0) most.push(rewritten);
      rewritten = 0;
      return originalFlush.apply(this, options);
    });
    success(await ledger.prune(second));
    t.mock.restoreAll();
    // The first pruning left one less of each, so that a third is begun.
    assert.deepEqual(most, [3, 2]);
    assert.equal((await activeContracts(ledger, wildcard(alice))).filter(({ offset }) => offset < first).length, large.length * (each - 2));
    await soundAgain(fixture);
  });

  it("the offset must be positive and before the ledger end", async (t) => {
    const { ledger } = await startLedger(t),
      end = ledger.ledgerEnd();
    assert.equal(failure(await ledger.prune(-7)).code, "NON_POSITIVE_OFFSET");
    assert.match(failure(await ledger.prune(0)).cause, /prune_up_to not specified or zero$/);
    assert.equal(failure(await ledger.prune(end)).code, "OFFSET_OUT_OF_RANGE");
    success(await ledger.prune(end - 1));
  });

  it("after all but the last offset is pruned, a restart goes on behind it", async (t) => {
    const fixture = await startLedger(t),
      alice = fixture.parties["alice"]!;
    await fill(fixture, "c");
    const end = fixture.ledger.ledgerEnd();
    success(await fixture.ledger.prune(end - 1));
    await soundAgain(fixture);
    const again = await openFixture(fixture.folder, { interpreter: fixture.interpreter, clock: fixture.clock });
    t.after(() => closeFixture(again));
    assert.deepEqual([again.ledger.ledgerEnd(), again.ledger.prunedOffsets().participantPrunedUpToInclusive], [end, end - 1]);
    assert.equal(success(await again.ledger.submit(submission([alice], [{ exercise: "c0a", by: [alice] }]))).completionOffset, end + 1);
  });

  it("a crash at any of its commits leaves a ledger that finishes the pruning at its next start", async (t) => {
    for (let commits = 1; ; commits++) {
      const fixture = await startLedger(t),
        alice = fixture.parties["alice"]!;
      // Parts of the first ten are kept by a first pruning, and go with the second.
      const first = await fill(fixture, "f");
      success(await fixture.ledger.prune(first[8]!));
      success(
        await fixture.ledger.submit(
          submission(
            [alice],
            [
              { exercise: "f0a", by: [alice] },
              { exercise: "f8b", by: [alice] },
            ],
          ),
        ),
      );
      const offsets = await fill(fixture, "c"),
        format = wildcard(alice),
        pruned = offsets[7]!;
      const expected = await activeContracts(fixture.ledger, format, offsets[9]!);
      // From the given commit on the storage writes nothing, as after a kill.
      let flushes = 0;
      const flush = t.mock.method(Batch.prototype, "flush", function (this: Batch) {
        return ++flushes < commits ? originalFlush.call(this) : Promise.reject(new Error("killed"));
      });
      const interrupted = await fixture.ledger.prune(pruned);
      flush.mock.restore();
      await soundAgain(fixture);
      const again = await openFixture(fixture.folder, { interpreter: fixture.interpreter, clock: fixture.clock });
      assert.deepEqual(await activeContracts(again.ledger, format, offsets[9]!), expected);
      assert.equal(
        success(await again.ledger.submit(submission([alice], [{ create: "next", signatories: [alice] }]))).completionOffset,
        offsets[9]! + 1,
      );
      if (commits > 1) assert.equal(again.ledger.prunedOffsets().participantPrunedUpToInclusive, pruned);
      success(await again.ledger.prune(pruned));
      await soundAgain(again);
      if (interrupted.error === undefined) return;
    }
  });

  it("acceptances older than any deduplication period are forgotten when runs of them are merged, others are not", async (t) => {
    const runSizes = { ...smallRuns, runsPerLevel: 2, changesPerPiece: 1, piecesPerCommit: 4, recordsPerPiece: 8, entriesPerPiece: 8 },
      fixture = await startLedger(t, { runSizes, unsettledMax: 40 }),
      { ledger, parties, clock } = fixture,
      alice = parties["alice"]!;
    const old = success(
      await ledger.submit(submission([alice], [{ create: "old", signatories: [alice] }], { commandId: "old" })),
    ).completionOffset;
    clock.now += sevenDaysMicros + 1n;
    await fill(fixture, "c");
    const remembered = (): number[] => [...new AcceptanceIndex(fixture.store.tables).runs.entries()].map(({ value: { offset } }) => offset);
    success(await ledger.prune(ledger.ledgerEnd() - 1));
    assert.equal(remembered().length, 11, "all are settled before what tells of them goes");
    for (let more = 0; more < 200 && remembered().includes(old); more++) await fill(fixture, `more-${more}-`);
    assert.ok(!remembered().includes(old));
    assert.ok(remembered().length > 11);
    assert.equal(
      failure(await ledger.submit(submission([alice], [{ create: "again", signatories: [alice] }], { commandId: "c3" }))).code,
      "DUPLICATE_COMMAND",
    );
    success(await ledger.submit(submission([alice], [{ create: "old again", signatories: [alice] }], { commandId: "old" })));
    const early = failure(
      await ledger.submit(submission([alice], [{ create: "x", signatories: [alice] }], { deduplication: { kind: "offset", offset: old } })),
    );
    const earliest_offset = String(ledger.prunedOffsets().participantPrunedUpToInclusive);
    assert.deepEqual(
      [early.code, early.definiteAnswer, early.context["earliest_offset"], early.context["requestedPeriod"]],
      ["INVALID_DEDUPLICATION_PERIOD", true, earliest_offset, `DeduplicationOffset(Some(Offset(${old})))`],
    );
  });

  it("a period from before it is refused by a completion, and only where the command is good and none of its change is known", async (t) => {
    const fixture = await startLedger(t),
      { ledger, parties } = fixture,
      alice = parties["alice"]!;
    await fill(fixture, "c");
    success(await ledger.prune(ledger.ledgerEnd() - 1));
    const from = (commandId: string, changes: object = { create: "again", signatories: [alice] }) =>
      submission([alice], [changes], { commandId, deduplication: { kind: "offset", offset: 0 } });
    assert.equal(failure(await ledger.submit(from("c3"))).code, "DUPLICATE_COMMAND");
    const end = ledger.ledgerEnd();
    assert.equal(failure(await ledger.submit(from("wrong", { error: "no" }))).code, "INTERPRETATION_USER_ERROR");
    assert.equal(ledger.ledgerEnd(), end);
    success(await ledger.submitAsync(from("told later")));
    assert.equal(failure(await ledger.submit(from("told at once"))).code, "INVALID_DEDUPLICATION_PERIOD");
    const completions = await drain(ledger.openCompletions({ userId: "user", parties: [alice], beginExclusive: end }));
    assert.deepEqual(
      completions.map(({ completionResponse: { Completion } }) => {
        const { commandId, status, deduplicationPeriod } = Completion.value;
        return [commandId, status.code, deduplicationPeriod.DeduplicationDuration.value.seconds];
      }),
      [
        ["told later", 9, 0],
        ["told at once", 9, 0],
      ],
    );
  });

  it("a reader that is overtaken ends with the code, an idle one that has nothing to miss reads on", async (t) => {
    withoutCheckpoints(t);
    const fixture = await startLedger(t),
      { ledger, parties } = fixture,
      alice = parties["alice"]!,
      carol = parties["carol"]!;
    const open = (party: string) =>
      success(
        ledger.openUpdates({
          beginExclusive: 0,
          endInclusive: undefined,
          format: updates(wildcard(party)),
          form: "update",
          descending: false,
        }),
      );
    const slow = open(alice),
      idle = open(carol),
      out = new Collector();
    assert.equal(await idle.read(10, out), 0);
    const waiting = idle.wait(60_000, new AbortController().signal).then(() => idle.read(10, out));
    const offsets = await fill(fixture, "c");
    assert.equal(await slow.read(2, out), 2);
    success(await ledger.prune(offsets[5]!));
    assert.equal(await slow.read(2, out), 0);
    assert.deepEqual([slow.ended, slow.failure?.code], [true, "PARTICIPANT_PRUNED_DATA_ACCESSED"]);
    assert.equal(await waiting, 0);
    success(await ledger.submit(submission([carol], [{ create: "for carol", signatories: [carol] }])));
    assert.equal(await idle.read(10, out), 1);
    assert.equal(idle.failure, undefined);
  });

  it("of many idle readers, more than one turn has time for, none is overtaken by what is no concern of theirs", async (t) => {
    withoutCheckpoints(t);
    const oneEach = new Turns(0, { ms: 5, isDue: () => true }),
      { ledger, parties } = await startLedger(t, { readerTurns: oneEach }),
      carol = parties["carol"]!,
      out = new Collector();
    const idle = Array.from({ length: 20 }, () =>
      success(
        ledger.openUpdates({
          beginExclusive: 0,
          endInclusive: undefined,
          format: updates(wildcard(carol)),
          form: "update",
          descending: false,
        }),
      ),
    );
    for (const reader of idle) assert.equal(await reader.read(10, out), 0);
    const waiting = idle.map((reader) => reader.wait(60_000, new AbortController().signal).then(() => reader.read(10, out)));
    const offsets = await fill({ ledger, parties }, "c");
    success(await ledger.prune(offsets[8]!));
    await Promise.all(waiting);
    assert.deepEqual(
      idle.map(({ failure: why }) => why?.code),
      idle.map(() => undefined),
    );
  });

  it("an update that is pruned while its views are computed is not found", async (t) => {
    const fixture = await startLedger(t),
      { ledger, interpreter, parties } = fixture,
      alice = parties["alice"]!,
      compute = interpreter.computeViews.bind(interpreter);
    const { completionOffset: offset } = success(await ledger.submit(submission([alice], [{ create: "asset", signatories: [alice] }])));
    await fill(fixture, "c");
    interpreter.computeViews = async (requests) => {
      success(await ledger.prune(offset));
      return compute(requests);
    };
    const read = await ledger.readUpdate({ by: { offset }, format: updates(viewsOf(alice)), form: "update" });
    assert.equal(failure(read).code, "UPDATE_NOT_FOUND");
  });
});

const originalFlush = Batch.prototype.flush;
const originalPut = Batch.prototype.put;
