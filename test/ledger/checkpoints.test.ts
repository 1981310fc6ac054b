import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { limits } from "../../src/config.js";
import { CheckpointSchedule } from "../../src/ledger/reading/checkpoints.js";

test("checkpoints: a clock that is set back does not delay them", async (t) => {
  t.after(() => mock.restoreAll());
  const schedule = new CheckpointSchedule();
  mock.method(Date, "now", () => 0);
  assert.ok(!schedule.take(1));
  await new Promise((resolve) => setTimeout(resolve, limits.checkpointFirstMs + 20));
  assert.ok(schedule.take(1));
  assert.ok(schedule.dueInMs <= limits.checkpointIntervalMs);
});
