/** A commit waits a moment for many that are about to come, as all that goes into one costs one flush. */
import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { limits } from "../../src/config.js";
import type { CommitGroup } from "../../src/ledger/commit/commit-group.js";
import { openCommitter } from "./committer.js";

interface World {
  coming: number;
  /** Jobs that are in a commit. */
  taken: number;
  /** Commits a job of its own, and tells which group it was in. */
  commit(): Promise<CommitGroup>;
}

async function open(t: TestContext): Promise<World> {
  const world: World = { coming: 0, taken: 0, commit };
  const { committer } = await openCommitter(t, { coming: () => world.coming });
  async function commit(): Promise<CommitGroup> {
    let of: CommitGroup | undefined;
    await committer.commit((group) => {
      of = group;
      world.taken += 1;
      return group.take().offset;
    });
    return of!;
  }
  return world;
}

const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
};

describe("commit: gathering", () => {
  it("goes at once where nobody else is coming, or too few", async (t) => {
    const world = await open(t);
    t.mock.timers.enable({ apis: ["setTimeout"] });
    for (const coming of [0, limits.groupCommitComingTimes - 1]) {
      world.coming = coming;
      const first = world.commit(),
        before = world.taken;
      await turns(2);
      assert.equal(world.taken, before + 1, `${coming} are coming`);
      assert.notEqual(await first, await world.commit());
    }
  });

  it("waits for many that are coming, and takes all that came in one turn", async (t) => {
    const world = await open(t);
    t.mock.timers.enable({ apis: ["setTimeout"] });
    world.coming = 2 * limits.groupCommitComingTimes;
    const first = world.commit();
    await turns(2);
    const others = Array.from({ length: 8 }, () => {
      world.coming -= 1;
      return world.commit();
    });
    const groups = await Promise.all([first, ...others]);
    assert.equal(new Set(groups).size, 1);
  });

  it("waits no longer than it may where they do not come", async (t) => {
    const world = await open(t);
    t.mock.timers.enable({ apis: ["setTimeout"] });
    world.coming = 1_000;
    let isCommitted = false;
    const first = world.commit().finally(() => (isCommitted = true));
    await turns(2);
    t.mock.timers.tick(limits.groupCommitWaitMs - 1);
    await turns(100);
    assert.equal(isCommitted, false);
    t.mock.timers.tick(1);
    await first;
    world.coming = 0;
    assert.notEqual(await first, await world.commit());
  });
});
