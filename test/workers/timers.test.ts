/** A thread that is never idle comes to its timers, too. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { json } from "node:stream/consumers";
import { Piscina } from "piscina";
import { limits } from "../../src/config.js";
import { openStore } from "../../src/store/index.js";
import type { WorkerSettings, WorkerTask } from "../../src/workers/messages.js";
import { temporaryFolder } from "../support/folders.js";

interface HeapSnapshot {
  readonly snapshot: { readonly meta: { readonly node_fields: readonly string[] } };
  readonly nodes: readonly number[];
  readonly strings: readonly string[];
}

/** How many objects of the class the thread holds. */
function instances({ snapshot, nodes, strings }: HeapSnapshot, className: string): number {
  const fields = snapshot.meta.node_fields,
    wanted = strings.indexOf(className);
  let found = 0;
  for (let at = fields.indexOf("name"); at < nodes.length; at += fields.length) if (nodes[at] === wanted) found++;
  return found;
}

test("engine thread: snapshots taken one after the other leave no timers behind", async (t) => {
  const folder = temporaryFolder("timers");
  const store = await openStore({ folder });
  t.after(() => store.close());
  const workerData: WorkerSettings = { dataFolder: folder, contractMode: "NUCK" };
  const filename = new URL("../../src/workers/worker.js", import.meta.url).href;
  const pool = new Piscina({ filename, workerData, minThreads: 1, maxThreads: 1, concurrentTasksPerWorker: 1, atomics: "sync" });
  t.after(() => pool.destroy());
  const task: WorkerTask = { kind: "warm" };
  for (let index = 0; index < 4 * limits.messagesBetweenTurns; index++) await pool.run(task);
  let isTaken = false;
  const taken = pool.threads[0]!.getHeapSnapshot().then(async (stream) => (await json(stream)) as HeapSnapshot);
  void taken.finally(() => (isTaken = true));
  while (!isTaken) await pool.run(task); // a thread that waits for its next task would not see that it is asked
  const timers = instances(await taken, "Timeout");
  t.diagnostic(`${timers} timers`);
  assert.ok(timers < 2 * limits.messagesBetweenTurns, `${timers} timers`);
});
