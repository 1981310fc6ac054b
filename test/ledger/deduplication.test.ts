import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { physicalSynchronizerId, shortIdentifier } from "../../src/ledger/model/index.js";
import { closeFixture, drain, failure, openFixture, startLedger, submission, success } from "./support.js";
import { temporaryFolder } from "../support/folders.js";

const day = 24n * 3600n * 1_000_000n;

describe("deduplication", () => {
  it("the same user, command id and parties are refused inside the period, naming the first submission and its offset", async (t) => {
    const { ledger, parties, interpreter } = await startLedger(t),
      { alice, bob } = parties as { alice: string; bob: string };
    const first = submission([alice, bob], [{ create: "once", signatories: [alice] }], { submissionId: "first" });
    const { completionOffset } = success(await ledger.submit(first));
    const ran = interpreter.interpreted;
    const error = failure(await ledger.submit({ ...first, actAs: [bob, alice, bob], submissionId: "second" }));
    assert.deepEqual([error.code, error.category, error.definiteAnswer, error.correlationId], ["DUPLICATE_COMMAND", 10, true, undefined]);
    assert.deepEqual(
      [error.context["completion_offset"], error.context["existingSubmissionId"], error.context["accepted"], error.context["psid"]],
      [String(completionOffset), "Some(first)", "true", shortIdentifier(physicalSynchronizerId(ledger.synchronizerId))],
    );
    assert.equal(interpreter.interpreted, ran);
  });

  it("another user, other parties or another command id are independent", async (t) => {
    const { ledger, parties } = await startLedger(t),
      { alice, bob } = parties as { alice: string; bob: string };
    const first = submission([alice], [{ create: "a", signatories: [alice] }]);
    success(await ledger.submit(first));
    success(await ledger.submit({ ...first, userId: "other" }));
    success(await ledger.submit({ ...first, actAs: [alice, bob] }));
    success(await ledger.submit({ ...first, commandId: `${first.commandId}-2` }));
  });

  it("when the period is over the command is accepted again", async (t) => {
    const { ledger, parties, clock } = await startLedger(t),
      { alice } = parties as { alice: string };
    const command = submission([alice], [{ create: "a", signatories: [alice] }]);
    clock.now += 1_000_000n; // so that the command is the first of its time, and recorded at it
    success(await ledger.submit(command));
    clock.now += 60_000_000n;
    assert.equal(
      failure(await ledger.submit({ ...command, deduplication: { kind: "duration", seconds: 61, nanos: 0 } })).code,
      "DUPLICATE_COMMAND",
    );
    assert.equal(
      failure(await ledger.submit({ ...command, deduplication: { kind: "duration", seconds: 60, nanos: 0 } })).code,
      "DUPLICATE_COMMAND",
      "to the microsecond",
    );
    success(await ledger.submit({ ...command, deduplication: { kind: "duration", seconds: 59, nanos: 0 } }));
    clock.now += 7n * day + 1_000_000n;
    success(await ledger.submit(command));
  });

  it("a period from an offset looks at what was accepted after it", async (t) => {
    const { ledger, parties } = await startLedger(t),
      { alice } = parties as { alice: string };
    const command = submission([alice], [{ create: "a", signatories: [alice] }]);
    const { completionOffset } = success(await ledger.submit(command));
    assert.equal(
      failure(await ledger.submit({ ...command, deduplication: { kind: "offset", offset: completionOffset - 1 } })).code,
      "DUPLICATE_COMMAND",
    );
    success(await ledger.submit({ ...command, deduplication: { kind: "offset", offset: ledger.ledgerEnd() } }));
  });

  it("a period that begins before there is time is refused, and the longest is told; a merely long one is not", async (t) => {
    const { ledger, parties, clock } = await startLedger(t),
      { alice } = parties as { alice: string };
    const lasting = (seconds: number, commandId: string) =>
      ledger.submit(
        submission([alice], [{ create: "a", signatories: [alice] }], { commandId, deduplication: { kind: "duration", seconds, nanos: 0 } }),
      );
    success(await lasting(100_000_000, "same"));
    clock.now += 1_500_000n;
    for (const commandId of ["same", "another"]) {
      const { code, category, context } = failure(await lasting(100_000_000_000, commandId));
      assert.deepEqual(
        [code, category, context["requestedPeriod"], context["longest_duration"]],
        ["INVALID_DEDUPLICATION_PERIOD", 9, "DeduplicationDuration(PT27777777H46M40S)", "PT17750784H1.5S"],
      );
      assert.match(context["changeId"]!, new RegExp(`^ChangeId\\(user,${commandId},Set\\(${alice}\\)\\)$`));
    }
  });

  it("completions tell the period that was really applied", async (t) => {
    const { ledger, parties } = await startLedger(t),
      { alice } = parties as { alice: string };
    const command = submission([alice], [{ create: "a", signatories: [alice] }], {
      deduplication: { kind: "duration", seconds: 30, nanos: 0 },
    });
    const { completionOffset } = success(await ledger.submit(command));
    failure(await ledger.submit(command));
    const completions = await drain(ledger.openCompletions({ userId: "user", parties: [alice], beginExclusive: 0 }));
    assert.deepEqual(
      completions.map((one) => one.completionResponse.Completion.value.deduplicationPeriod),
      [0, completionOffset - 1].map((value) => ({ DeduplicationOffset: { value } })),
    );
  });

  it("a failed interpretation does not start a period and leaves no completion", async (t) => {
    const { ledger, parties } = await startLedger(t),
      { alice } = parties as { alice: string };
    const command = submission([alice], [{ error: "no" }]),
      end = ledger.ledgerEnd();
    assert.equal(failure(await ledger.submit(command)).code, "INTERPRETATION_USER_ERROR");
    assert.equal(ledger.ledgerEnd(), end);
    success(await ledger.submit({ ...command, commands: JSON.stringify([{ create: "yes", signatories: [alice] }]) }));
  });

  it("of ten identical commands at once one is accepted and the others are in flight or duplicates", async (t) => {
    const { ledger, parties } = await startLedger(t),
      { alice } = parties as { alice: string };
    const command = submission([alice], [{ create: "a", signatories: [alice] }]);
    const results = await Promise.all(Array.from({ length: 10 }, () => ledger.submit(command)));
    assert.equal(results.filter((result) => result.ok).length, 1);
    for (const result of results)
      if (result.error) assert.ok(["SUBMISSION_ALREADY_IN_FLIGHT", "DUPLICATE_COMMAND"].includes(result.error.code));
  });

  it("acceptances are remembered over a restart", async (t) => {
    const folder = temporaryFolder(),
      first = await openFixture(folder);
    const alice = success(
      await first.ledger.allocateParty({ hint: "alice", annotations: {}, identityProviderId: "", synchronizerId: "", userId: "" }),
    ).party;
    const command = submission([alice], [{ create: "a", signatories: [alice] }]);
    success(await first.ledger.submit(command));
    await closeFixture(first);
    const second = await openFixture(folder, { interpreter: first.interpreter, clock: first.clock });
    t.after(() => closeFixture(second));
    assert.equal(failure(await second.ledger.submit(command)).code, "DUPLICATE_COMMAND");
  });

  it("an asynchronous duplicate is accepted for processing and rejected by its completion", async (t) => {
    const { ledger, parties } = await startLedger(t),
      { alice } = parties as { alice: string };
    const command = submission([alice], [{ create: "a", signatories: [alice] }]);
    success(await ledger.submit(command));
    const end = ledger.ledgerEnd();
    success(await ledger.submitAsync(command));
    assert.equal(ledger.ledgerEnd(), end + 1);
    assert.equal(failure(await ledger.submitAsync(submission([alice], [{ error: "at once" }]))).code, "INTERPRETATION_USER_ERROR");
  });
});
