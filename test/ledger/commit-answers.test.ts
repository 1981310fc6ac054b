/** When those hear of their commits who asked for them: once it is durable, before what waits behind it begins. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Turns } from "../../src/base/turns.js";
import type { CommitGroup } from "../../src/ledger/commit/commit-group.js";
import type { Steps } from "../../src/base/steps.js";
import { RecordWriter } from "../../src/store/index.js";
import { openCommitter } from "./committer.js";

const record = new RecordWriter().u32(1).finish(1);

describe("commit: answers", () => {
  it("callers hear of their commit before the group behind it begins, each in its turn", async (t) => {
    const { committer, ledgerEnd } = await openCommitter(t),
      seen: string[] = [];
    const commit = async (name: string, others: () => void = () => undefined): Promise<void> => {
      const { ok: offset } = await committer.commit((group) => {
        seen.push(`${name} is applied`);
        others();
        return group.take().offset;
      });
      assert.ok(ledgerEnd.offset >= offset!, "what is told is durable");
      seen.push(`${name} is told`);
    };
    let second: Promise<void> | undefined;
    await commit("first", () => queueMicrotask(() => (second = commit("second")))); // while the first is flushed
    await second;
    assert.deepEqual(seen, ["first is applied", "first is told", "second is applied", "second is told"]);
  });

  it("nobody waits for the steps of a job in the group behind", async (t) => {
    const { committer } = await openCommitter(t, { turns: new Turns(0) });
    let isTold = false,
      stepsBefore = 0;
    let second: Promise<unknown> | undefined;
    const inSteps = function* (group: CommitGroup): Steps<{ readonly offset: number }> {
      const { offset } = group.take();
      for (let step = 0; step < 20; step++) {
        if (!isTold) stepsBefore++;
        yield;
      }
      return { offset };
    };
    await committer.commit((group) => {
      queueMicrotask(() => (second = committer.commitInSteps(inSteps)));
      return group.take().offset;
    });
    isTold = true;
    await second;
    assert.ok(stepsBefore < 20, `${stepsBefore} steps before the others were told`);
  });

  it("a group that cannot be written keeps nobody of the group before it waiting", async (t) => {
    const { committer, ledgerEnd, store } = await openCommitter(t);
    let second: Promise<unknown> | undefined;
    const first = await committer.commit((group) => {
      queueMicrotask(() => {
        second = committer.commit(({ batch, tables }) => {
          batch.append(tables.updates, 1, record);
          batch.append(tables.updates, 1, record);
        });
        second.catch(() => undefined);
      });
      return group.take().offset;
    });
    assert.deepEqual([first.ok, ledgerEnd.offset], [1, 1]);
    await assert.rejects(second!, /lies behind/);
    assert.equal(store.tables.updates.has(1), false);
  });
});
