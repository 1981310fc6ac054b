import assert from "node:assert/strict";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { once } from "node:events";
import { limits } from "../../src/config.js";
import { testData } from "../support/paths.js";
import type { EvalAnswers } from "./eval-worker.js";

/** Cases recurse a million deep, so they run where the engine runs: on a worker with a large stack. */
const worker = new Worker(new URL("./eval-worker.js", import.meta.url), {
  workerData: testData("engine"),
  resourceLimits: { stackSizeMb: limits.workerStackMb },
});
const [answers] = (await once(worker, "message")) as [EvalAnswers];

for (const { family, cases, equal, refused, differences } of answers.recorded) {
  test(`evaluations of the reference: ${family}`, (context) => {
    context.diagnostic(`${family}: ${equal} of ${cases} equal, ${refused} refused by the name of a builtin`);
    assert.deepEqual(differences, []);
  });
}

test("evaluations of the reference: the same cases in LF 2.2", (context) => {
  context.diagnostic(
    `${answers.interned.reduce((sum, { equal }) => sum + equal, 0)} of ${answers.interned.reduce((sum, { cases }) => sum + cases, 0)} equal`,
  );
  assert.deepEqual(
    answers.interned.flatMap(({ differences }) => differences),
    [],
  );
});
