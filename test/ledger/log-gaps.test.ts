/** A reader of everything gets all there is or nothing: what is missing in the log is damage, of which the process hears. */
import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { type Ending, onEnding } from "../../src/base/damage.js";
import { Batch } from "../../src/store/index.js";
import type { Ledger } from "../../src/ledger/index.js";
import { closeFixture, drain, openFixture, startLedger, submission, success, transactions, type Fixture } from "./support.js";

const everything = { filtersByParty: {}, filtersForAnyParty: { cumulative: [] }, verbose: false };

/** Offsets 1 to 5 are parties, 6 and 7 transactions, 8 is a rejection, 9 a transaction. */
async function ledgerWithRejection(t: TestContext): Promise<Fixture> {
  const fixture = await startLedger(t),
    { alice } = fixture.parties as { alice: string };
  const submit = (name: string) => submission([alice], [{ create: name, signatories: [alice] }]);
  success(await fixture.ledger.submit(submit("one")));
  const repeated = submit("two");
  success(await fixture.ledger.submit(repeated));
  await fixture.ledger.submit(repeated);
  success(await fixture.ledger.submit(submit("three")));
  assert.equal(fixture.ledger.ledgerEnd(), 9);
  await closeFixture(fixture);
  return fixture;
}

function listen(t: TestContext): Ending[] {
  const heard: Ending[] = [];
  t.after(onEnding((ending) => heard.push(ending)));
  return heard;
}

const readUpdates = (ledger: Ledger, descending: boolean): Promise<unknown[]> =>
  transactions(ledger, everything, "ledgerEffects", { descending });
async function readCompletions(ledger: Ledger): Promise<unknown[]> {
  const elements = await drain(ledger.openCompletions({ userId: undefined, parties: [], beginExclusive: 0 }));
  return elements.filter(({ completionResponse }) => completionResponse.Completion);
}

describe("gaps in the log", () => {
  it("rejections are none: they have a completion that says so, and parties have an update", async (t) => {
    const { folder } = await ledgerWithRejection(t),
      heard = listen(t),
      again = await openFixture(folder);
    for (const descending of [false, true]) assert.equal((await readUpdates(again.ledger, descending)).length, 3);
    assert.equal((await readCompletions(again.ledger)).length, 4);
    await closeFixture(again);
    assert.deepEqual(heard, []);
  });

  for (const { table, offset, told } of [
    { table: "updates", offset: 7, told: /table updates, offset 7: there is a completion of a transaction, but no update/ },
    { table: "updates", offset: 3, told: /table updates, offset 3: there is neither an update nor a completion/ },
    { table: "completions", offset: 7, told: /table completions, offset 7: there is a transaction, but no completion of it/ },
    { table: "completions", offset: 8, told: /table completions, offset 8: there is neither a completion nor an update/ },
  ] as const) {
    it(`${table} without offset ${offset} are not read`, async (t) => {
      const { folder } = await ledgerWithRejection(t),
        heard = listen(t),
        again = await openFixture(folder),
        batch = new Batch();
      batch.remove(again.store.tables[table], offset);
      await batch.flush();
      const { ledger } = again,
        ofUpdates = [false, true].map((descending) => () => readUpdates(ledger, descending));
      const reads = table === "updates" ? ofUpdates : [() => readCompletions(ledger)];
      for (const read of reads) await assert.rejects(read(), told);
      await closeFixture(again);
      assert.deepEqual(
        heard.map(({ message }) => told.test(message)),
        reads.map(() => true),
      );
    });
  }

  it("a completion that is not as it was written is passed by as nobody else's", async (t) => {
    const { ledger, store, parties } = await startLedger(t),
      { alice } = parties as { alice: string },
      users = ["use", "user", "users", "user"];
    const offsets: number[] = [];
    for (const userId of users) {
      const submitted = submission([alice], [{ create: `by ${offsets.length}`, signatories: [alice] }], { userId });
      offsets.push(success(await ledger.submit(submitted)).completionOffset);
    }
    await store.caughtUp();
    const read = async (userId: string): Promise<number[]> =>
      (await drain(ledger.openCompletions({ userId, parties: [alice], beginExclusive: 0 })))
        .flatMap(({ completionResponse }) => completionResponse.Completion ?? [])
        .map(({ value }) => value.offset);
    for (const userId of ["use", "user", "users", "another"])
      assert.deepEqual(
        await read(userId),
        offsets.filter((_, index) => users[index] === userId),
      );
    const { completions } = store.tables,
      last = offsets.at(-1)!,
      change = async (record: Buffer): Promise<void> => {
        const batch = new Batch();
        batch.put(completions, last, record);
        await batch.flush();
      };
    const damaged = Buffer.from(completions.read(last)!);
    damaged.write("x", damaged.indexOf("user"));
    await change(damaged);
    for (const userId of ["user", "another"])
      await assert.rejects(read(userId), new RegExp(`table completions, offset ${last}: the record is damaged`));
    await change(completions.read(offsets[0]!)!);
    for (const userId of ["user", "another"])
      await assert.rejects(read(userId), new RegExp(`table completions, offset ${last}: the completion of offset ${offsets[0]} lies here`));
  });
});
