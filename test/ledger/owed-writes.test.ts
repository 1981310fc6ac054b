/** What a new ledger found no room for is written later. */
import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { silentLog } from "../../src/base/log.js";
import { fail, ok } from "../../src/base/result.js";
import { limits } from "../../src/config.js";
import { OwedWrites } from "../../src/ledger/commit/index.js";
import { storageUnavailable } from "../../src/ledger/model/index.js";

/** `fails`: how often. */
function write(fails: number, as: () => never | ReturnType<typeof refused> = refused) {
  const asked = { times: 0 };
  return { asked, write: async () => (asked.times++ < fails ? as() : ok(undefined)) };
}
const refused = () => fail(storageUnavailable());

async function pass(t: TestContext, ms: number): Promise<void> {
  t.mock.timers.tick(ms);
  for (let turn = 0; turn < 5; turn++) await nextTurn();
}

function open(t: TestContext): { readonly owed: OwedWrites; readonly disk: { isFull: boolean } } {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const disk = { isFull: false };
  return { owed: new OwedWrites({ store: { impediment: () => (disk.isFull ? "full" : undefined) }, log: silentLog }), disk };
}

describe("owed writes", () => {
  it("of several participants each is written once there is room, and the ledger is not ready before", async (t) => {
    const { owed, disk } = open(t),
      [one, other] = [write(1), write(1)];
    disk.isFull = true;
    for (const { write: its } of [one, other]) await owed.write("the packages", its);
    await pass(t, limits.owedWritesIntervalMs);
    assert.deepEqual([one.asked.times, owed.text()], [1, "The node has yet to store the packages."]);
    disk.isFull = false;
    await pass(t, limits.owedWritesIntervalMs);
    assert.deepEqual([one.asked.times, other.asked.times, owed.text()], [2, 2, undefined]);
  });

  it("one that is owed after those before were written is written, too", async (t) => {
    const { owed } = open(t);
    for (const { write: its } of [write(1), write(1)]) {
      await owed.write("the packages", its);
      await pass(t, limits.owedWritesIntervalMs);
      assert.equal(owed.text(), undefined);
    }
  });

  it("one that fails although there is room is left in peace for a while, also where it throws", async (t) => {
    for (const as of [refused, () => assert.fail("a bug")]) {
      const { owed } = open(t),
        { asked, write: its } = write(2, as);
      await owed.write("the packages", async () => (asked.times === 0 ? (asked.times++, refused()) : its()));
      await pass(t, limits.owedWritesIntervalMs);
      await pass(t, limits.owedWritesIntervalMs);
      assert.equal(asked.times, 2);
      t.mock.timers.reset();
    }
  });
});
