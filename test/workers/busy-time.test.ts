/** How busy a thread is decides what it may take time for. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { BusyTime } from "../../src/workers/busy-time.js";

function compute(milliseconds: number): void {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
}

test("busy time: the share that tasks took since it was asked last, also of those that throw", async () => {
  const busyTime = new BusyTime();
  busyTime.run(() => compute(50));
  assert.throws(() =>
    busyTime.run(() => {
      compute(50);
      throw new Error("no");
    }),
  );
  assert.ok(busyTime.takeShare() > 0.5);
  assert.equal(
    busyTime.run(() => 7),
    7,
  );
  await sleep(100);
  assert.ok(busyTime.takeShare() < 0.5);
});
