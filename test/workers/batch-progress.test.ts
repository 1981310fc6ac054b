import assert from "node:assert/strict";
import { test } from "node:test";
import { begin, begunAnew, newProgress, runningIndex, runningMs, takeBack } from "../../src/workers/batch-progress.js";

test("progress: parts begin in their order, and before the first none runs", () => {
  const progress = newProgress();
  assert.deepEqual([runningIndex(progress), runningMs(progress)], [undefined, 0]);
  assert.ok(begin(progress, 0) && begin(progress, 1));
  assert.equal(runningIndex(progress), 1);
});

test("progress: what was taken back does not begin, and the running part is still known", () => {
  const progress = newProgress();
  begin(progress, 0);
  assert.ok(takeBack(progress, 0));
  assert.equal(begin(progress, 1), false);
  assert.equal(runningIndex(progress), 0);
});

test("progress: when the worker went on meanwhile, nothing is taken back", () => {
  const progress = newProgress();
  begin(progress, 0);
  begin(progress, 1);
  assert.equal(takeBack(progress, 0), false);
  assert.ok(begin(progress, 2));
});

test("progress: begun anew, the parts of another task begin", () => {
  const progress = newProgress();
  begin(progress, 0);
  takeBack(progress, 0);
  const next = begunAnew(progress);
  assert.equal(runningIndex(next), undefined);
  assert.ok(begin(next, 0));
});

test("progress: how long a part runs does not depend on the clock that people set", (t) => {
  const progress = newProgress(),
    now = Date.now;
  t.after(() => {
    Date.now = now;
  });
  begin(progress, 0);
  Date.now = () => now() + 3_600_000;
  assert.ok(runningMs(progress) < 60_000);
});
