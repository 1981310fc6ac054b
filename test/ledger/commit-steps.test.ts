/** A large commit gives way to others on the event loop, and is one commit all the same. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout } from "node:timers/promises";
import type { Steps } from "../../src/base/steps.js";
import { Turns } from "../../src/base/turns.js";
import { limits } from "../../src/config.js";
import type { CommitGroup } from "../../src/ledger/commit/commit-group.js";
import { Batch, RecordWriter } from "../../src/store/index.js";
import { openCommitter } from "./committer.js";
import { activeContracts, failure, startLedger, submission, success, transactions, wildcard } from "./support.js";

/** With a budget of nothing every step is the last of its turn. */
const noBudget = { turns: new Turns(0) };

const put = (group: CommitGroup, key: string): void => group.batch.put(group.tables.state, key, new RecordWriter().u32(1).finish(1));

describe("commit: a job in steps", () => {
  it("lets the event loop turn between its steps, while no other job of the group or after it begins and readers see nothing of it", async (t) => {
    const { committer, store, ledgerEnd } = await openCommitter(t, noBudget),
      seen: string[] = [];
    let turnsOfLoop = 0,
      turnsTooEarly = 0,
      isDone = false;
    const count = (): void => {
      turnsOfLoop++;
      if (isDone) return;
      if (ledgerEnd.offset > 0) turnsTooEarly++;
      setImmediate(count);
    };
    setImmediate(count);
    const large = committer.commitInSteps(function* (group: CommitGroup): Steps<{ readonly offset: number }> {
      const { offset } = group.take();
      for (let step = 0; step < 20; step++) {
        put(group, `step ${step}`);
        seen.push("step");
        yield;
      }
      return { offset };
    });
    const others = ["next", "last"].map((name) =>
      committer.commit((group) => {
        seen.push(name);
        return group.take().offset;
      }),
    );
    const [first, ...rest] = await Promise.all([
      large.then((done) => {
        isDone = true;
        return done;
      }),
      ...others,
    ]);
    assert.deepEqual([first.ok?.offset, ...rest.map(({ ok: offset }) => offset)], [1, 2, 3]);
    assert.deepEqual(seen, [...Array.from({ length: 20 }, () => "step"), "next", "last"]);
    assert.ok(turnsOfLoop >= 19, `${turnsOfLoop} turns between twenty steps`);
    assert.equal(turnsTooEarly, 0, "the ledger end moves when all is durable");
    assert.equal(store.tables.state.has("step 19"), true);
  });

  it("that fails between two steps leaves nothing, and the jobs around it are committed", async (t) => {
    const { committer, store, ledgerEnd } = await openCommitter(t, noBudget);
    const before = committer.commit((group) => {
      put(group, "before");
      return group.take().offset;
    });
    const failing = committer.commitInSteps(function* (group: CommitGroup): Steps<object> {
      group.take();
      put(group, "failing");
      yield;
      throw new Error("a later step fails");
    });
    const after = committer.commit((group) => {
      put(group, "after");
      return group.take().offset;
    });
    await assert.rejects(failing, /a later step fails/);
    assert.deepEqual([(await before).ok, (await after).ok, ledgerEnd.offset], [1, 2, 2]);
    assert.deepEqual(
      ["before", "failing", "after"].map((key) => store.tables.state.has(key)),
      [true, false, true],
    );
  });

  it("a transaction of many steps is stored like one of a single step, event by event", async (t) => {
    const { ledger, parties } = await startLedger(t),
      { alice } = parties as { alice: string };
    const creates = Array.from({ length: 2 * limits.commitStepEvents + 3 }, (_, index) => ({ create: `é${index}`, signatories: [alice] }));
    success(await ledger.submit(submission([alice], creates)));
    const [transaction] = (await transactions(ledger, wildcard(alice))) as unknown as [{ readonly events: readonly object[] }];
    assert.equal(transaction.events.length, creates.length);
    assert.equal((await activeContracts(ledger, wildcard(alice))).length, creates.length);
  });
});

describe("commit: closing", () => {
  it("waits for the flush under way without work of its own, and refuses what comes then", async (t) => {
    const { committer, queue, ledgerEnd } = await openCommitter(t);
    let flushed = (): void => assert.fail("nothing is flushed yet");
    const flushing = new Promise<void>((isFlushing) => {
      t.mock.method(Batch.prototype, "flush", () => {
        isFlushing();
        return new Promise<void>((resolve) => (flushed = resolve));
      });
    });
    const last = committer.commit((group) => group.take().offset);
    await flushing;
    const immediates = t.mock.method(globalThis, "setImmediate"),
      closed = queue.close();
    await setTimeout(20);
    assert.equal(immediates.mock.callCount(), 0);
    t.mock.restoreAll();
    assert.equal(failure(await committer.commit((group) => group.take().offset)).code, "SERVICE_NOT_RUNNING");
    flushed();
    await closed;
    assert.deepEqual([success(await last), ledgerEnd.offset], [1, 1]);
  });
});
