/** Acceptances that wait in memory until there are many: whatever happens meanwhile, no change is accepted twice. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { CommandSubmission, Ledger } from "../../src/ledger/index.js";
import { AcceptanceIndex, encodeAcceptance, settledAcceptancesKey } from "../../src/ledger/intake/index.js";
import { Batch, RecordWriter, openStore } from "../../src/store/index.js";
import { eventually } from "../http/harness.js";
import { smallRuns } from "./run-pieces.js";
import { closeFixture, copyOf, type Fixture, failure, openFixture, soundAgain, startLedger, submission, success } from "./support.js";

const unsettledMax = 7;

const submissionIds = ["plain", "", "a b:c/d-e_f#g", "x".repeat(255)];

interface Accepted {
  readonly command: CommandSubmission;
  readonly offset: number;
}

async function accept({ ledger, parties }: Pick<Fixture, "ledger" | "parties">, count: number, name: string): Promise<Accepted[]> {
  const alice = parties["alice"]!,
    accepted: Accepted[] = [];
  for (let n = 0; n < count; n++) {
    const submissionId = submissionIds[n % submissionIds.length]!,
      command = submission([alice], [{ create: `${name}${n}`, signatories: [alice] }], { commandId: `${name}-${n}`, submissionId });
    accepted.push({ command, offset: success(await ledger.submit(command)).completionOffset });
  }
  return accepted;
}

async function refusesAll(ledger: Ledger, accepted: readonly Accepted[]): Promise<void> {
  for (const { command, offset } of accepted) {
    const { code, context } = failure(await ledger.submit({ ...command, submissionId: "again" }));
    assert.deepEqual([code, context["completion_offset"]], ["DUPLICATE_COMMAND", String(offset)]);
    if (command.submissionId !== "") assert.equal(context["existingSubmissionId"], `Some(${command.submissionId})`);
  }
}

const settledOf = ({ store }: Pick<Fixture, "store">): number => [...new AcceptanceIndex(store.tables).runs.entries()].length;

const settled = (fixture: Pick<Fixture, "store">, count: number): Promise<void> =>
  eventually(`${count} are settled`, () => settledOf(fixture) >= count);

describe("acceptances", () => {
  it("changes are refused while they wait, when they are settled, and behind a restart that finds some of both", async (t) => {
    const fixture = await startLedger(t, { unsettledMax }),
      accepted = await accept(fixture, 3 * unsettledMax + 2, "a");
    await settled(fixture, 2 * unsettledMax);
    assert.ok(settledOf(fixture) < accepted.length, "some still wait");
    await refusesAll(fixture.ledger, accepted);
    await soundAgain(fixture);
    const again = await openFixture(fixture.folder, { clock: fixture.clock, unsettledMax });
    await refusesAll(again.ledger, accepted);
    await soundAgain(again);
  });

  it("a change that is accepted again while the first waits, or is settled, counts from then on", async (t) => {
    const fixture = await startLedger(t, { unsettledMax }),
      first = await accept(fixture, unsettledMax - 1, "a");
    const alice = fixture.parties["alice"]!,
      again: Accepted[] = [];
    for (const { command } of first) {
      const { commandId, submissionId } = command,
        other = submission([alice], [{ create: `again-${commandId}`, signatories: [alice] }], { commandId, submissionId });
      const anew = { ...other, deduplication: { kind: "offset" as const, offset: fixture.ledger.ledgerEnd() } };
      again.push({ command, offset: success(await fixture.ledger.submit(anew)).completionOffset });
    }
    const others = await accept(fixture, unsettledMax, "b");
    await settled(fixture, unsettledMax - 1);
    await refusesAll(fixture.ledger, [...again, ...others]);
    await soundAgain(fixture);
    const reopened = await openFixture(fixture.folder, { clock: fixture.clock, unsettledMax });
    await refusesAll(reopened.ledger, [...again, ...others]);
    await soundAgain(reopened);
  });

  it("what the disk held at any moment refuses all that was acknowledged by then", async (t) => {
    const fixture = await startLedger(t, { unsettledMax }),
      accepted: Accepted[] = [],
      copies: { readonly folder: string; readonly known: number }[] = [];
    for (let n = 0; n < 2 * unsettledMax + 1; n++) {
      accepted.push(...(await accept(fixture, 1, `a${n}-`)));
      copies.push({ folder: copyOf(fixture.folder), known: accepted.length });
    }
    await closeFixture(fixture);
    for (const { folder, known } of copies) {
      const copy = await openFixture(folder, { clock: fixture.clock, unsettledMax });
      await refusesAll(copy.ledger, accepted.slice(0, known));
      await soundAgain(copy);
    }
  });

  it("pruning removes the completions that tell of them, and they are refused all the same", async (t) => {
    const fixture = await startLedger(t),
      accepted = await accept(fixture, 2 * unsettledMax, "a");
    assert.equal(settledOf(fixture), 0);
    success(await fixture.ledger.prune(accepted.at(-2)!.offset));
    await refusesAll(fixture.ledger, accepted);
    await soundAgain(fixture);
    const again = await openFixture(fixture.folder, { clock: fixture.clock });
    await refusesAll(again.ledger, accepted);
    await soundAgain(again);
  });

  it("runs of them are merged while changes are refused", async (t) => {
    const options = { unsettledMax: 64, runSizes: smallRuns },
      fixture = await startLedger(t, options),
      accepted: Accepted[] = [];
    let highest = 0;
    for (let round = 0; round < 60; round++) {
      accepted.push(...(await accept(fixture, 10, `r${round}-`)));
      for (const { level } of new AcceptanceIndex(fixture.store.tables).runs.list.runs) highest = Math.max(highest, level);
      await refusesAll(fixture.ledger, accepted.slice(-70, -60));
    }
    assert.ok(highest >= 1, `level ${highest}`);
    await refusesAll(fixture.ledger, accepted);
    await soundAgain(fixture);
    const again = await openFixture(fixture.folder, { clock: fixture.clock, ...options });
    await refusesAll(again.ledger, accepted);
    await soundAgain(again);
  });

  it("of what is pruned they are forgotten once they are older than any period, run by run, and no earlier", async (t) => {
    const runSizes = { ...smallRuns, runsPerLevel: 100, recordsPerPiece: 40 },
      options = { unsettledMax: 16, runSizes, deduplicationMaxSeconds: 60 },
      fixture = await startLedger(t, options),
      { clock, ledger } = fixture;
    const runsNow = (): readonly number[] => new AcceptanceIndex(fixture.store.tables).runs.list.runs.map(({ number }) => number);
    const recordsNow = (): number => [...fixture.store.tables.acceptanceRuns.all()].length;
    const old = await accept(fixture, 160, "old-");
    const settledTo = (): number => new AcceptanceIndex(fixture.store.tables).settledTo!;
    await eventually("they are settled as far as they have to be", () => old.at(-1)!.offset - settledTo() < options.unsettledMax);
    success(await ledger.prune(settledTo() - 1));
    const runsOfOld = runsNow(),
      recordsOfOld = recordsNow();
    clock.pass(59_000_000n);
    const middle = await accept(fixture, 40, "middle-");
    await refusesAll(ledger, [...old, ...middle]);
    assert.deepEqual(
      runsOfOld.filter((run) => !runsNow().includes(run)),
      [],
      "nothing is forgotten within the period",
    );
    clock.pass(2_000_000n);
    const young = await accept(fixture, 400, "young-");
    assert.deepEqual(
      runsOfOld.filter((run) => runsNow().includes(run)),
      runsOfOld.slice(-1),
      "of those behind the period none is left but that of one that is not pruned",
    );
    const loose = new AcceptanceIndex(fixture.store.tables).runs.list.loose.length;
    assert.ok(loose <= 1, `${loose} runs are yet to be removed`);
    assert.ok(recordsNow() < 4 * recordsOfOld, `${recordsNow()} records of 440 acceptances, ${recordsOfOld} of 160`);
    await refusesAll(ledger, [...middle, ...young]);
    const again = { ...old[0]!.command, submissionId: "again" };
    success(
      await ledger.submit({
        ...again,
        commands: submission([fixture.parties["alice"]!], [{ create: "again", signatories: [fixture.parties["alice"]!] }]).commands,
      }),
    );
    await soundAgain(fixture);
    const reopened = await openFixture(fixture.folder, { clock, ...options });
    await refusesAll(reopened.ledger, [...middle, ...young]);
    await soundAgain(reopened);
  });

  it("a signed transaction is remembered for as long as it is good, however short the longest period is", async (t) => {
    const { ledger, store, clock, parties } = await startLedger(t, { deduplicationMaxSeconds: 60 }),
      replayKey = "ab".repeat(16),
      batch = new Batch();
    batch.put(
      store.tables.deduplication,
      replayKey,
      encodeAcceptance(new RecordWriter(), { offset: 1, recordTime: clock.now, submissionId: "" }),
    );
    await batch.flush();
    const isRememberedBehind = async (seconds: bigint, name: string): Promise<boolean> => {
      clock.pass(seconds * 1_000_000n);
      const accepted = await accept({ ledger, parties }, 2, name);
      success(await ledger.prune(accepted[0]!.offset));
      return store.tables.deduplication.has(replayKey);
    };
    const day = 24n * 3600n;
    assert.equal(await isRememberedBehind(61n, "minute-"), true);
    assert.equal(await isRememberedBehind(2n * day - 120n, "days-"), true, "it may have been prepared a day ahead, and is good for a day");
    assert.equal(await isRememberedBehind(120n, "later-"), false);
  });

  it("a longest period counts for commands that ask for none, and for a longer one", async (t) => {
    const fixture = await startLedger(t, { deduplicationMaxSeconds: 60 }),
      { clock, ledger, parties } = fixture,
      alice = parties["alice"]!;
    const asking = (name: string, deduplication: CommandSubmission["deduplication"], n: number): CommandSubmission => ({
      ...submission([alice], [{ create: `${name}-${n}`, signatories: [alice] }], { commandId: name, submissionId: `${n}` }),
      deduplication,
    });
    const periods = { none: { kind: "none" }, long: { kind: "duration", seconds: 3600, nanos: 0 } } as const;
    for (const [name, period] of Object.entries(periods)) success(await ledger.submit(asking(name, period, 1)));
    clock.pass(59_000_000n);
    for (const [name, period] of Object.entries(periods))
      assert.equal(failure(await ledger.submit(asking(name, period, 2))).code, "DUPLICATE_COMMAND", name);
    clock.pass(2_000_000n);
    for (const [name, period] of Object.entries(periods)) success(await ledger.submit(asking(name, period, 3)));
  });

  it("a change that a table of an earlier format tells of is refused", async (t) => {
    const fixture = await startLedger(t, { unsettledMax }),
      accepted = await accept(fixture, 2 * unsettledMax, "a");
    await closeFixture(fixture);
    const copy = copyOf(fixture.folder),
      store = await openStore({ folder: copy }),
      index = new AcceptanceIndex(store.tables);
    const batch = new Batch();
    for (const { key, value } of index.runs.entries())
      batch.put(store.tables.deduplication, key, encodeAcceptance(new RecordWriter(), value));
    for (const { key } of store.tables.acceptanceRuns.all()) batch.remove(store.tables.acceptanceRuns, key);
    batch.put(store.tables.state, settledAcceptancesKey, new RecordWriter().offset(index.settledTo!).finish(1));
    await batch.flush();
    await store.close();
    const former = await openFixture(copy, { clock: fixture.clock, unsettledMax });
    await refusesAll(former.ledger, accepted);
    await soundAgain(former);
  });
});
