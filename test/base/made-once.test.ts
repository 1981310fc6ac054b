import assert from "node:assert/strict";
import { test } from "node:test";
import { madeOnce } from "../../src/base/made-once.js";

test("made once: all who call get one and the same, and after a failure the next call tries again", async () => {
  let calls = 0;
  const made = madeOnce(async () => {
    if (++calls === 1) throw new Error("not yet");
    return { calls };
  });
  const first = await Promise.allSettled([made(), made()]);
  assert.deepEqual([first.map(({ status }) => status), calls], [["rejected", "rejected"], 1]);
  const [one, other] = await Promise.all([made(), made()]);
  assert.deepEqual([one, other === one, (await made()) === one, calls], [{ calls: 2 }, true, true, 2]);
});
