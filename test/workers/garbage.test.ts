/** What a thread gives back of the memory that it took while it was busy. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { getHeapSpaceStatistics } from "node:v8";
import { isMainThread, parentPort, Worker } from "node:worker_threads";
import { limits } from "../../src/config.js";
import { keepYoungSpaceSmall } from "../../src/workers/garbage.js";

const youngSpaceBytes = (): number => getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space")!.space_size;

/** Makes objects of which some live on for a while, until V8 has made more room for such. */
function fillYoungSpace(): number {
  let kept: object[] = [];
  for (let index = 0; index < 20_000_000 && youngSpaceBytes() <= limits.youngSpaceKeptBytes; index++) {
    kept.push({ index, text: `object ${index}` });
    if (kept.length > 100_000) kept = [];
  }
  return youngSpaceBytes();
}

if (isMainThread) {
  test("engine thread: what it took for objects that live shortly is given back now and then, not always", async () => {
    const worker = new Worker(new URL(import.meta.url), {
      resourceLimits: { maxYoungGenerationSizeMb: limits.workerYoungGenerationMb },
    });
    const [[filled, given, filledAgain, kept]] = (await once(worker, "message")) as [[number, number, number, number]];
    assert.ok(filled > limits.youngSpaceKeptBytes, `${filled} bytes were taken`);
    assert.ok(given < filled / 4, `${given} bytes of ${filled} are left`);
    assert.equal(kept, filledAgain);
  });
} else {
  const filled = fillYoungSpace();
  await keepYoungSpaceSmall(limits.youngSpaceKeptBytes);
  const given = youngSpaceBytes(),
    filledAgain = fillYoungSpace();
  await keepYoungSpaceSmall(limits.youngSpaceKeptBytes);
  parentPort!.postMessage([filled, given, filledAgain, youngSpaceBytes()]);
}
