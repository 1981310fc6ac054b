import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Turns } from "../../src/base/turns.js";
import { limits } from "../../src/config.js";
import { contractNotFound } from "../../src/ledger/model/index.js";
import { eventually } from "../http/harness.js";
import {
  activeContracts,
  closeFixture,
  contractIdOf,
  failure,
  openFixture,
  startLedger,
  submission,
  success,
  transactions,
  wildcard,
} from "./support.js";
import { temporaryFolder } from "../support/folders.js";

describe("commit", () => {
  it("a committed transaction is visible to its stakeholders at the offset it was answered with", async (t) => {
    const { ledger, parties } = await startLedger(t);
    const { alice, bob } = parties as { alice: string; bob: string };
    const accepted = success(await ledger.submit(submission([alice], [{ create: "one", signatories: [alice], observers: [bob] }])));
    assert.equal(accepted.completionOffset, ledger.ledgerEnd());
    const [transaction] = await transactions(ledger, wildcard(bob));
    assert.equal(transaction.offset, accepted.completionOffset);
    assert.equal(transaction.updateId, accepted.updateId);
    assert.deepEqual(transaction.events[0].CreatedEvent.witnessParties, [bob]);
  });

  it("offsets are consecutive from 1 over parties, transactions and rejections", async (t) => {
    const { ledger, parties } = await startLedger(t);
    const { alice } = parties as { alice: string };
    assert.equal(ledger.ledgerEnd(), 5); // the node itself and four parties
    const offsets = await Promise.all(
      [1, 2, 3].map(
        async (n) => success(await ledger.submit(submission([alice], [{ create: `c${n}`, signatories: [alice] }]))).completionOffset,
      ),
    );
    assert.deepEqual(offsets.sort(), [6, 7, 8]);
    const command = submission([alice], [{ create: "again", signatories: [alice] }]);
    await ledger.submit(command);
    failure(await ledger.submit(command));
    assert.equal(ledger.ledgerEnd(), 10);
  });

  it("a restart continues at the same offset with everything acknowledged in place", async (t) => {
    const folder = temporaryFolder();
    const first = await openFixture(folder);
    const party = success(
      await first.ledger.allocateParty({ hint: "alice", annotations: { k: "v" }, identityProviderId: "", synchronizerId: "", userId: "" }),
    ).party;
    const accepted = await Promise.all(
      Array.from({ length: 20 }, (_, n) => first.ledger.submit(submission([party], [{ create: `c${n}`, signatories: [party] }]))),
    );
    const end = first.ledger.ledgerEnd(),
      { participantId } = first.ledger;
    await closeFixture(first);

    const second = await openFixture(folder, { interpreter: first.interpreter, clock: first.clock });
    t.after(() => closeFixture(second));
    assert.equal(second.ledger.ledgerEnd(), end);
    assert.equal(second.ledger.participantId, participantId);
    assert.deepEqual(
      second.ledger.getParties([party], "").map((details) => details.annotations),
      [{ k: "v" }],
    );
    const seen = new Set((await transactions(second.ledger, wildcard(party))).map((transaction) => transaction.updateId));
    for (const result of accepted) assert.ok(seen.has(success(result).updateId));
    assert.equal(success(await second.ledger.submit(submission([party], [{ exercise: "c3", by: [party] }]))).completionOffset, end + 1);
    assert.equal((await activeContracts(second.ledger, wildcard(party))).length, 19);
  });

  it("of many commands that archive one contract exactly one wins and the others get a definite code", async (t) => {
    const { ledger, parties } = await startLedger(t);
    const { alice } = parties as { alice: string };
    success(await ledger.submit(submission([alice], [{ create: "prize", signatories: [alice] }])));
    const results = await Promise.all(
      Array.from({ length: 8 }, () => ledger.submit(submission([alice], [{ exercise: "prize", by: [alice] }]))),
    );
    assert.equal(results.filter((result) => result.ok).length, 1);
    for (const result of results) {
      if (result.error)
        assert.deepEqual(
          [result.error.code, result.error.category, result.error.resources],
          ["LOCAL_VERDICT_LOCKED_CONTRACTS", 2, [["CONTRACT_ID", contractIdOf("prize")]]],
        );
    }
  });

  it("an archive that became durable during interpretation is told as one that was under way beside it", async (t) => {
    const { ledger, parties, interpreter } = await startLedger(t);
    const { alice } = parties as { alice: string };
    success(await ledger.submit(submission([alice], [{ create: "held", signatories: [alice] }])));
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let isAsked = false;
    interpreter.beforeAnswer = () => {
      isAsked = true;
      return held;
    };
    const late = ledger.submit(submission([alice], [{ exercise: "held", by: [alice] }]));
    await eventually("it is interpreted", () => isAsked);
    interpreter.beforeAnswer = () => {};
    success(await ledger.submit(submission([alice], [{ exercise: "held", by: [alice] }])));
    release();
    assert.equal(failure(await late).code, "LOCAL_VERDICT_LOCKED_CONTRACTS");
  });

  it("what the engine did not find as another command had just taken it is locked for who could see it, and gone for others and later", async (t) => {
    const { ledger, parties } = await startLedger(t);
    const { alice, bob, carol } = parties as { alice: string; bob: string; carol: string };
    const made = success(await ledger.submit(submission([alice], [{ create: "wanted", signatories: [alice], observers: [bob] }])));
    const taken = success(await ledger.submit(submission([alice], [{ exercise: "wanted", by: [alice] }])));
    await ledger.caughtUp();
    const codeFor = async (party: string, submittedAt: number): Promise<string> => {
      const refusal = { said: contractNotFound(contractIdOf("wanted")), submittedAt },
        wanting = submission([party], [{ exercise: "wanted", by: [party] }]);
      return failure(await ledger.submit(wanting, undefined, refusal)).code;
    };
    const [before, after] = [made.completionOffset, taken.completionOffset];
    assert.deepEqual(
      [await codeFor(alice, before), await codeFor(bob, before), await codeFor(carol, before), await codeFor(alice, after)],
      ["LOCAL_VERDICT_LOCKED_CONTRACTS", "LOCAL_VERDICT_LOCKED_CONTRACTS", "CONTRACT_NOT_FOUND", "CONTRACT_NOT_FOUND"],
    );
  });

  it("a fetch of a contract that is archived meanwhile is rejected too", async (t) => {
    const { ledger, parties } = await startLedger(t);
    const { alice } = parties as { alice: string };
    success(await ledger.submit(submission([alice], [{ create: "read", signatories: [alice] }])));
    const [archive, fetch] = await Promise.all([
      ledger.submit(submission([alice], [{ exercise: "read", by: [alice] }])),
      ledger.submit(submission([alice], [{ fetch: "read" }])),
    ]);
    success(archive);
    assert.equal(failure(fetch).code, "LOCAL_VERDICT_LOCKED_CONTRACTS");
  });

  it("a key query that another commit answers differently is interpreted again", async (t) => {
    const { ledger, parties, interpreter } = await startLedger(t);
    const { alice } = parties as { alice: string };
    const stale = failure(await ledger.submit(submission([alice], [{ lookup: "k", found: ["nobody"] }])));
    assert.equal(stale.code, "INCONSISTENT_CONTRACT_KEY");
    assert.equal(interpreter.interpreted, 4); // the first and three more
    success(await ledger.submit(submission([alice], [{ create: "keyed", template: "M:Keyed", signatories: [alice], key: "k" }])));
    success(await ledger.submit(submission([alice], [{ lookup: "k", found: ["keyed"] }])));
    success(await ledger.submit(submission([alice], [{ create: "newer", template: "M:Keyed", signatories: [alice], key: "k" }])));
    success(await ledger.submit(submission([alice], [{ lookup: "k", found: ["newer", "keyed"] }])));
    success(await ledger.submit(submission([alice], [{ exercise: "newer", by: [alice] }])));
    success(await ledger.submit(submission([alice], [{ lookup: "k", found: ["keyed"] }])));
  });

  it("a key query does not count what was hidden from it, one of few or of many, but what its transaction archives only then", async (t) => {
    const { ledger, parties, interpreter } = await startLedger(t);
    const { alice } = parties as { alice: string };
    const keyed = (name: string): ReturnType<typeof submission> =>
      submission([alice], [{ create: name, template: "M:Keyed", signatories: [alice], key: "k" }]);
    // From offset 10 on none gets one digit more, for which it would be interpreted again.
    while (ledger.ledgerEnd() < 10) success(await ledger.submit(keyed(`keyed at ${ledger.ledgerEnd()}`)));
    success(await ledger.submit(keyed("keyed")));
    for (const many of [1, 2 * limits.commitStepEvents + 3])
      for (const [ignoring, tries] of [
        [many, 1],
        [many - 1, 2],
      ] as const) {
        const newer = `newer, ${ignoring} of ${many}`,
          ignoredByKeys = [...Array.from({ length: many - 1 }, (_, index) => contractIdOf(`hidden ${index}`)), contractIdOf(newer)];
        interpreter.beforeAnswer = async () => {
          interpreter.beforeAnswer = () => {};
          interpreter.alter = (transaction) => transaction;
          success(await ledger.submit(keyed(newer)));
          interpreter.alter = (transaction) => ({
            ...transaction,
            keyInputs: transaction.keyInputs.map((input, index) => ({ ...input, ignoring: index === many - 1 ? ignoring : index })),
            ignoredByKeys,
          });
        };
        const before = interpreter.interpreted,
          others = Array.from({ length: many - 1 }, (_, index) => ({ lookup: `nobody's ${index}`, found: [] }));
        success(await ledger.submit(submission([alice], [...others, { lookup: "k", found: ["keyed"] }])));
        assert.equal(interpreter.interpreted - before, tries + 1, newer); // the other one is interpreted, too
      }
  });

  it("a party that nobody allocated cannot be informed, and nothing is recorded", async (t) => {
    const { ledger, parties } = await startLedger(t);
    const { alice } = parties as { alice: string };
    const end = ledger.ledgerEnd();
    const error = failure(await ledger.submit(submission([alice], [{ create: "x", signatories: [alice], observers: ["ghost::1220aa"] }])));
    assert.deepEqual([error.code, error.context["unknownInformees"]], ["UNKNOWN_INFORMEES", "Set(ghost::1220aa)"]);
    assert.equal(ledger.ledgerEnd(), end);
  });

  it("of many parties that nobody allocated the first are told, each once, also while others have their turn", async (t) => {
    const { ledger, parties } = await startLedger(t, { turns: new Turns(0) });
    const { alice } = parties as { alice: string };
    const ghosts = Array.from({ length: 10_000 }, (_, n) => `ghost-${n}::1220aa`);
    let turns = 0,
      isRefused = false;
    const count = (): void => {
      turns++;
      if (!isRefused) setImmediate(count);
    };
    setImmediate(count);
    const error = failure(await ledger.submit(submission([alice], [{ create: "x", signatories: [alice], observers: ghosts }])));
    isRefused = true;
    const told = ghosts.sort().join(", ");
    assert.ok(error.context["unknownInformees"]!.startsWith(`Set(${told.slice(0, 4_000)}`), error.context["unknownInformees"]);
    assert.ok(turns >= ghosts.length / limits.commitStepEvents, `${turns} turns`);
  });

  it("record time rises with every offset although the clock stands still", async (t) => {
    const { ledger, parties } = await startLedger(t);
    const { alice } = parties as { alice: string };
    for (const name of ["a", "b", "c"]) success(await ledger.submit(submission([alice], [{ create: name, signatories: [alice] }])));
    const times = (await transactions(ledger, wildcard(alice))).map((transaction) => transaction.recordTime);
    assert.deepEqual(times, [...new Set(times)].sort());
  });
});
