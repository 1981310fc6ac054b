/** Threads that stand still between two tasks: those who are sent to them go to others. */
import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { pathToFileURL } from "node:url";
import { type Log, silentLog } from "../../src/base/log.js";
import { limits } from "../../src/config.js";
import { openStore } from "../../src/store/index.js";
import { EnginePool } from "../../src/workers/index.js";
import { eventually } from "../http/harness.js";
import { temporaryFolder } from "../support/folders.js";

const timeout = 6 * limits.threadStandsStillMs;

/** A pool of one thread, which stands still behind its first answer. */
async function stillPool(t: TestContext) {
  const folder = temporaryFolder("still"),
    stands = join(folder, "stands"),
    entry = join(folder, "entry.mjs"),
    warnings: unknown[] = [];
  writeFileSync(
    entry,
    `import { existsSync, writeFileSync } from "node:fs";
     import { MessagePort } from "node:worker_threads";
     import work from ${JSON.stringify(new URL("../../src/workers/worker.js", import.meta.url).href)};
     const { postMessage } = MessagePort.prototype;
     MessagePort.prototype.postMessage = function (...message) {
       postMessage.apply(this, message);
       if (message[0]?.taskId === undefined || existsSync(${JSON.stringify(stands)})) return;
       writeFileSync(${JSON.stringify(stands)}, "");
       for (;;);
     };
     export default work;`,
  );
  const store = await openStore({ folder });
  t.after(() => store.close());
  const log: Log = { ...silentLog, warn: (text, fields) => warnings.push([text, fields]) },
    pool = new EnginePool({ dataFolder: folder, contractMode: "NUCK", workers: 1, log, threads: pathToFileURL(entry) });
  t.after(() => pool.close());
  const engine = pool.of(0);
  assert.deepEqual(await engine.describeTypes([]), []);
  await eventually("it stands still", () => existsSync(stands));
  return { pool, engine, warnings };
}

test("threads: tasks whose thread stands still are done by another one", { timeout }, async (t) => {
  const { engine, warnings } = await stillPool(t);
  const asked = Array.from({ length: 3 }, () => engine.describeTypes([]));
  assert.deepEqual(await Promise.all(asked), [[], [], []]);
  assert.deepEqual(warnings, [["an engine worker was replaced", { reason: "its thread stood still" }]]);
});

test("threads: where one stands still that is to be warm, those of the reserve stand in", { timeout }, async (t) => {
  const { pool, engine, warnings } = await stillPool(t);
  pool.keepWarm();
  await eventually("it is asked", () => pool.load.running === 1);
  assert.deepEqual(await engine.describeTypes([]), []);
  assert.deepEqual(warnings, []);
});
