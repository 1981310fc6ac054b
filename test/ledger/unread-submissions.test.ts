/** Submissions whose bodies an engine thread reads: what comes of them, and when the usual way has to be taken. */
import assert from "node:assert/strict";
import { describe, it, test } from "node:test";
import { silentLog } from "../../src/base/log.js";
import { isFailure } from "../../src/base/result.js";
import { Turns } from "../../src/base/turns.js";
import { type CommandSubmission, fromEngineError, type Ledger } from "../../src/ledger/index.js";
import { interpretationError } from "../../src/lf/index.js";
import { FormerChanges, KeyFilter } from "../../src/ledger/submission/former-changes.js";
import { changeKey, encodeAcceptance } from "../../src/ledger/intake/index.js";
import { Batch, RecordWriter } from "../../src/store/index.js";
import { eventually } from "../http/harness.js";
import { withoutWrites } from "../support/without-writes.js";
import { Random } from "../support/random.js";
import {
  closeFixture,
  Collector,
  drain,
  failure,
  openFixture,
  startLedger,
  submission,
  submitAsWritten,
  success,
  transactions,
  unread,
  updates,
  wildcard,
} from "./support.js";
import { temporaryFolder } from "../support/folders.js";

const create = (name: string, signatory: string) => ({ create: name, signatories: [signatory] });

async function offsetOf(ledger: Ledger, asked: CommandSubmission): Promise<number> {
  const submitted = await ledger.submitUnread(unread(asked));
  assert.equal(submitted.kind, "submitted");
  return success(submitted.result).completionOffset;
}

describe("unread submissions", () => {
  it("come to an offset, and tell the same as those that were read", async (t) => {
    const { ledger, parties } = await startLedger(t),
      { alice } = parties as { alice: string };
    const texts: string[][] = [];
    for (const submit of [ledger.submit, submitAsWritten.bind(undefined, ledger)]) {
      const asked = submission([alice], [create("c", alice)], { workflowId: "w", submissionId: "s", commandId: "same", readAs: [alice] });
      const { completionOffset: offset } = success(await submit({ ...asked, userId: `user-${texts.length}` }));
      const [update] = await transactions(ledger, wildcard(alice), "acsDelta", { begin: offset - 1 }),
        [completion] = await drain(
          ledger.openCompletions({ userId: `user-${texts.length}`, parties: [alice], beginExclusive: offset - 1 }),
        );
      texts.push([update, completion].map((one) => JSON.stringify(one, (key, value) => (changing.has(key) ? key : value))));
    }
    assert.deepEqual(texts[0], texts[1]);
  });

  it("wake those who wait for what they concern, signatories, observers and who only exercises, at once", async (t) => {
    const { ledger, parties } = await startLedger(t),
      { alice, bob, carol } = parties as { alice: string; bob: string; carol: string };
    // Every other transaction comes as records from the engine.
    const asOften = [1, 2, 3].flatMap((time) => [
      [carol, submission([alice], [create(`e${time}`, alice), { exercise: `e${time}`, by: [carol], consuming: false }])] as const,
      [alice, submission([alice], [create(`c${time}`, alice)])] as const,
      [bob, submission([alice], [{ ...create(`d${time}`, alice), observers: [bob] }])] as const,
    ]);
    for (const [reader, asked] of asOften) {
      const opened = ledger.openUpdates({
        beginExclusive: ledger.ledgerEnd(),
        endInclusive: undefined,
        format: updates(wildcard(reader), "ledgerEffects"),
        form: "update",
        descending: false,
      });
      const cursor = success(opened),
        out = new Collector(),
        tooLong = AbortSignal.timeout(5_000);
      assert.equal(await cursor.read(10, out), 0);
      await cursor.wait(60_000, tooLong); // for the checkpoint that is due, which would wake it, too
      assert.equal(await cursor.read(10, out), 1);
      const woken = cursor.wait(60_000, tooLong);
      await offsetOf(ledger, asked);
      await woken;
      assert.equal(tooLong.aborted, false, "it was woken before");
      assert.equal(await cursor.read(10, out), 1);
      cursor.close();
    }
  });

  it("are left to be read where a rule is broken, a party is not known or hosted elsewhere, or the sender may not", async (t) => {
    const { ledger, parties, interpreter } = await startLedger(t),
      { alice } = parties as { alice: string },
      end = ledger.ledgerEnd();
    const plain = submission([alice], [create("c", alice)]);
    for (const [asked, accepts] of [
      [{ ...plain, userId: "" }],
      [{ ...plain, commandId: "" }],
      [{ ...plain, commandId: "ä" }],
      [{ ...plain, workflowId: "x".repeat(300) }],
      [{ ...plain, actAs: [] }],
      [{ ...plain, commands: "[]" }],
      [{ ...plain, actAs: ["nobody::1220"] }],
      [{ ...plain, readAs: ["nobody::1220"] }],
      [plain, () => undefined],
    ] as const) {
      const submitted = await ledger.submitUnread({ ...unread(asked), ...(accepts ? { accepts } : {}) });
      assert.equal(submitted.kind, "to be read", JSON.stringify(asked));
    }
    assert.equal(ledger.ledgerEnd(), end);
    assert.equal(interpreter.interpreted, 1); // the one that the sender may not
  });

  it("of what the engine refuses the reason comes back, and it is not asked again", async (t) => {
    const { ledger, parties, interpreter } = await startLedger(t),
      { alice } = parties as { alice: string };
    const asked = submission([alice], [{ error: "no" }]);
    assert.equal(failure(await submitAsWritten(ledger, asked)).code, failure(await ledger.submit(asked)).code);
    assert.equal(interpreter.interpreted, 2);
  });

  it("twins at once take effect once, in flight or accepted, also after the acceptances were settled and the ledger opened again", async (t) => {
    const folder = temporaryFolder(),
      first = await openFixture(folder, { unsettledMax: 3 });
    const allocated = await first.ledger.allocateParty({
      hint: "a",
      annotations: {},
      identityProviderId: "",
      synchronizerId: "",
      userId: "",
    });
    const { party: alice } = success(allocated);
    const all = Array.from({ length: 10 }, (_, index) => submission([alice], [create(`c${index}`, alice)]));
    for (const asked of all) {
      const outcomes = await Promise.all([0, 1, 2].map(() => submitAsWritten(first.ledger, asked)));
      const codes = outcomes.map((outcome) => (isFailure(outcome) ? outcome.error.code : "accepted"));
      assert.equal(codes.filter((code) => code === "accepted").length, 1);
      assert.ok(
        codes.every((code) => ["accepted", "SUBMISSION_ALREADY_IN_FLIGHT", "DUPLICATE_COMMAND"].includes(code)),
        codes.join(),
      );
    }
    for (const asked of all) assert.equal((await first.ledger.submitUnread(unread(asked))).kind, "to be read");
    await closeFixture(first);
    const second = await openFixture(folder);
    t.after(() => closeFixture(second));
    for (let round = 0; round < 2; round++)
      for (const asked of all) assert.equal(failure(await submitAsWritten(second.ledger, asked)).code, "DUPLICATE_COMMAND");
    assert.equal((await transactions(second.ledger, wildcard(alice))).length, all.length);
  });

  it("of those that want the same contract one gets it, and the others' ends are completions", async (t) => {
    const { ledger, parties } = await startLedger(t),
      { alice } = parties as { alice: string };
    await offsetOf(ledger, submission([alice], [create("wanted", alice)]));
    const all = Array.from({ length: 5 }, () => submission([alice], [{ exercise: "wanted", by: [alice], consuming: true }]));
    const outcomes = await Promise.all(all.map((asked) => ledger.submitUnread(unread(asked))));
    const results = outcomes.map((outcome) => (assert.ok(outcome.kind === "submitted"), outcome.result));
    assert.equal(results.filter((result) => !isFailure(result)).length, 1);
    for (const result of results) if (isFailure(result)) assert.equal(result.error.code, "LOCAL_VERDICT_LOCKED_CONTRACTS");
    const completions = await drain(ledger.openCompletions({ userId: "user", parties: [alice], beginExclusive: 0 }));
    assert.equal(completions.length, 1 + all.length);
  });

  it("run again where a key changed meanwhile, and are refused when that does not help", async (t) => {
    const { ledger, parties, interpreter } = await startLedger(t),
      { alice } = parties as { alice: string };
    await offsetOf(ledger, submission([alice], [{ ...create("keyed", alice), key: "k" }]));
    const before = interpreter.interpreted,
      submitted = await ledger.submitUnread(unread(submission([alice], [{ lookup: "k", found: ["nobody"] }])));
    assert.ok(submitted.kind === "submitted");
    assert.equal(failure(submitted.result).code, "INCONSISTENT_CONTRACT_KEY");
    assert.ok(interpreter.interpreted > before + 1);
    await offsetOf(ledger, submission([alice], [{ lookup: "k", found: ["keyed"] }]));
  });

  it("that use a contract which turns out not to be there are interpreted again by what readers find", async (t) => {
    const { ledger, parties, interpreter, folder } = await startLedger(t, { keepsReserve: true }),
      { alice } = parties as { alice: string },
      finding: boolean[] = [],
      interpretUnread = interpreter.interpretUnread.bind(interpreter);
    interpreter.interpretUnread = async (asked) => {
      finding.push(asked.findsFresh);
      interpreter.interpreted = 0; // as records
      const gone = interpretationError("ContractNotFound", "gone", { cid: "c" });
      return finding.length === 3 ? { refusal: fromEngineError(gone) } : interpretUnread(asked);
    };
    await interpreter.interpret({ commands: JSON.stringify([create("never accepted", alice)]) } as never);
    success(await ledger.submit(submission([alice], [create("first", alice)]))); // its template has a number from now on
    let asked: ReturnType<typeof submitAsWritten> | undefined;
    await withoutWrites(folder, async () => {
      success(await submitAsWritten(ledger, submission([alice], [create("told", alice)]), { isToldEarly: true }));
      asked = submitAsWritten(ledger, submission([alice], [{ exercise: "never accepted", by: [alice] }]), { isToldEarly: true });
      await eventually("it is interpreted", () => finding.length === 2);
    });
    assert.equal(failure(await asked!).code, "CONTRACT_NOT_FOUND");
    assert.deepEqual(finding, [false, true, false]);
    const completions = await drain(ledger.openCompletions({ userId: "user", parties: [alice], beginExclusive: 0 }));
    assert.equal(completions.length, 2, "it is refused as what is found at once, of which no completion tells");
  });

  it("come with the record of their update, as many tries as they took", async (t) => {
    const { ledger, parties, interpreter } = await startLedger(t),
      { alice } = parties as { alice: string };
    for (const tries of [1, 3]) {
      // Every other transaction comes as records, of templates that are known.
      do await offsetOf(ledger, submission([alice], [create("before", alice)]));
      while (interpreter.interpreted % 2 === 1);
      const last = interpreter.interpreted + tries;
      interpreter.alter = (transaction) => (interpreter.interpreted < last ? transaction : { ...transaction, keyInputs: [] });
      const asked = submission([alice], [{ lookup: "k", found: ["nobody"] }, create(`told-${tries}`, alice)]),
        submitted = await ledger.submitUnread({ ...unread(asked), accepts: () => ({ isToldEarly: true }) });
      assert.ok(submitted.kind === "submitted");
      assert.equal(interpreter.interpreted, last);
      const { completionOffset, update } = success(submitted.result);
      assert.equal(update?.offset, completionOffset);
      assert.ok(update.record.includes(`told-${tries}`));
      const opened = ledger.openCompletions({ userId: "user", parties: [alice], beginExclusive: completionOffset - 1 }),
        [completion] = await drain(opened),
        twin = failure(await submitAsWritten(ledger, asked));
      assert.equal(completion.completionResponse.Completion.value.submissionId, submitted.submissionId);
      assert.equal(twin.context["existingSubmissionId"], `Some(${submitted.submissionId})`);
    }
  });

  it("get offsets with more digits than their records have room for", async (t) => {
    const { ledger, parties } = await startLedger(t),
      { alice } = parties as { alice: string };
    const asked = Array.from({ length: 130 }, (_, index) => submission([alice], [create(`c${index}`, alice)]));
    const offsets = await Promise.all(asked.map((one) => offsetOf(ledger, one)));
    assert.equal(new Set(offsets).size, asked.length);
    const found = await transactions(ledger, wildcard(alice));
    assert.deepEqual(
      found.map(({ offset }) => offset),
      offsets.sort((a, b) => a - b),
    );
  });
});

const changing: ReadonlySet<string> = new Set(
  "updateId,offset,recordTime,effectiveAt,contractId,createdAt,userId,createdEventBlob,acsDelta,deduplicationPeriod".split(","),
);

test("former changes: of a table that was not gone through to its end all is looked up, then only what it may have", async (t) => {
  const { store } = await startLedger(t),
    key = (index: number): string => changeKey({ userId: "", commandId: String(index), actAs: [] }),
    batch = new Batch();
  for (let index = 0; index < 1_000; index++)
    batch.put(
      store.tables.deduplication,
      key(index),
      encodeAcceptance(new RecordWriter(), { offset: 1, recordTime: 1n, submissionId: "" }),
    );
  await batch.flush();
  store.refresh();
  const former = (): FormerChanges => new FormerChanges({ tables: store.tables, turns: new Turns(1), log: silentLog });
  const closed = former();
  assert.equal(closed.mayHave(key(5_000)), true);
  await closed.close();
  assert.equal(closed.mayHave(key(5_000)), true);
  const filled = former();
  await eventually("it is gone through", () => !filled.mayHave(key(5_000)));
  for (let index = 0; index < 1_000; index++) assert.equal(filled.mayHave(key(index)), true);
  await filled.close();
});

test("key filter: what was added is told, and of what was not hardly anything", () => {
  const random = new Random(7),
    key = (): string =>
      Array.from({ length: 4 }, () =>
        random
          .below(2 ** 32)
          .toString(16)
          .padStart(8, "0"),
      ).join("");
  const filter = new KeyFilter(10_000),
    added = Array.from({ length: 10_000 }, key);
  assert.equal(filter.mayHave(added[0]!), false);
  for (const one of added) filter.add(one);
  assert.ok(filter.isFull);
  assert.ok(added.every((one) => filter.mayHave(one)));
  const wrong = Array.from({ length: 10_000 }, key).filter((one) => filter.mayHave(one)).length;
  assert.ok(wrong < 300, `${wrong} of 10,000`);
});
