import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { limits } from "../../src/config.js";
import { CheckpointSchedule } from "../../src/ledger/reading/checkpoints.js";

test("checkpoints: no offset has two", (t) => {
  t.after(() => mock.restoreAll());
  let now = 0;
  mock.method(process.hrtime, "bigint", () => BigInt(now) * 1_000_000n);
  const schedule = new CheckpointSchedule(),
    takenAfter = (ms: number, offset: number): boolean => {
      now += ms;
      return schedule.take(offset);
    };
  assert.ok(takenAfter(limits.checkpointFirstMs, 1));
  for (let times = 0; times < 10; times++) assert.ok(!takenAfter(limits.checkpointIntervalMs, 1));
  assert.ok(takenAfter(limits.checkpointIntervalMs, 2));
});

test("checkpoints: a clock that is set back does not delay them", async (t) => {
  t.after(() => mock.restoreAll());
  const schedule = new CheckpointSchedule();
  mock.method(Date, "now", () => 0);
  assert.ok(!schedule.take(1));
  await new Promise((resolve) => setTimeout(resolve, limits.checkpointFirstMs + 20));
  assert.ok(schedule.take(1));
  assert.ok(schedule.dueInMs <= limits.checkpointIntervalMs);
});
