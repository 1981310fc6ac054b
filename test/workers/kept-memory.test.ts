/** What packages keep on a thread is bounded, since others need its memory. */
import assert from "node:assert/strict";
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { silentLog } from "../../src/base/log.js";
import { limits } from "../../src/config.js";
import { openStore } from "../../src/store/index.js";
import { KeptMemory } from "../../src/workers/kept-memory.js";
import { temporaryFolder } from "../support/folders.js";

const mb = 1024 * 1024,
  keptMax = limits.workerKeptShareMax * limits.workerOldGenerationMb * mb;

/** A thread's heap: what is garbage, what can be forgotten, and what stays. */
function heapOf(held: { garbage: number; constants: number; code: number }) {
  let collections = 0,
    timesForgotten = 0,
    forgotten = 0;
  const memory = new KeptMemory(
    () => {
      timesForgotten += 1;
      forgotten = held.constants;
      held.constants = 0;
    },
    {
      usedBytes: () => held.garbage + held.constants + held.code + forgotten,
      collect: () => {
        collections += 1;
        held.garbage = forgotten = 0;
      },
    },
  );
  return { held, memory, done: () => [collections, timesForgotten] };
}

test("kept memory: while a thread uses little nothing is done about it", () => {
  const { memory, done } = heapOf({ garbage: keptMax / 2, constants: keptMax / 4, code: 0 });
  memory.look();
  assert.deepEqual(done(), [0, 0]);
});

test("kept memory: garbage is collected before anything is forgotten", () => {
  const { held, memory, done } = heapOf({ garbage: keptMax, constants: keptMax / 2, code: 0 });
  memory.look();
  assert.deepEqual([done(), held.constants], [[1, 0], keptMax / 2]);
});

test("kept memory: constants that hold more than may be kept are forgotten, each time that they do", () => {
  const { held, memory, done } = heapOf({ garbage: 0, constants: 2 * keptMax, code: keptMax / 10 });
  memory.look();
  assert.deepEqual([done(), held.constants], [[2, 1], 0]);
  held.constants = 2 * keptMax;
  memory.look();
  assert.deepEqual([done(), held.constants], [[4, 2], 0]);
});

test("kept memory: what stays all the same is not looked through after every task", () => {
  const { held, memory, done } = heapOf({ garbage: 0, constants: 0, code: 2 * keptMax });
  for (let times = 0; times < 5; times += 1) memory.look();
  assert.deepEqual(done(), [2, 1]);
  held.constants = 2 * keptMax;
  memory.look();
  assert.equal(held.constants, 0);
});

test("kept memory: beside much that may be kept, what little each task leaves is not collected after every one", () => {
  const { held, memory, done } = heapOf({ garbage: 0, constants: 0.98 * keptMax, code: 0 });
  for (let times = 0; times < 50; times += 1) {
    held.garbage += keptMax / 100;
    memory.look();
  }
  assert.deepEqual(done(), [1, 0]);
});

/** A pool whose thread takes all memory while there is the file, unless it is told to forget; it notes what it was told. */
async function hungryPool(folder: string) {
  const hungry = join(folder, "hungry"),
    told = join(folder, "told"),
    entry = join(folder, "entry.mjs");
  writeFileSync(
    entry,
    `import { appendFileSync, existsSync } from "node:fs";
     import work from ${JSON.stringify(new URL("../../src/workers/worker.js", import.meta.url).href)};
     export default async (task) => {
       const reply = await work(task);
       if (task.kind === "describeTypes") appendFileSync(${JSON.stringify(told)}, task.forgetsConstants ? "forgets " : "keeps ");
       if (task.kind !== "describeTypes" || !existsSync(${JSON.stringify(hungry)})) return reply;
       if (task.forgetsConstants && !existsSync(${JSON.stringify(`${hungry}-always`)})) return reply;
       for (const held = []; ; held.push(new Array(1_000_000).fill(held.length + 0.5)));
     };`,
  );
  const store = await openStore({ folder });
  Object.assign(limits, { workerOldGenerationMb: 96, workerYoungGenerationMb: 16 }); // as the next module finds them
  const { EnginePool } = await import("../../src/workers/index.js");
  const pool = new EnginePool({ dataFolder: folder, contractMode: "NUCK", workers: 1, log: silentLog, threads: pathToFileURL(entry) });
  const close = async (): Promise<void> => {
    await pool.close();
    await store.close();
  };
  const attempts = (): string => {
    const all = existsSync(told) ? readFileSync(told, "utf8").trim() : "";
    rmSync(told, { force: true });
    return all;
  };
  return { engine: pool.of(0), hungry, attempts, close };
}

test("memory: who had too little of it where others had been before is asked again where what they left is forgotten", async (t) => {
  const folder = temporaryFolder("kept-memory");
  const { engine, hungry, attempts, close } = await hungryPool(folder);
  t.after(close);
  const tooMuch = /needed more than 96 MB and was stopped/;
  appendFileSync(hungry, "");
  await assert.rejects(engine.describeTypes([]), tooMuch);
  assert.equal(attempts(), "keeps", "nobody had been there");
  rmSync(hungry);
  assert.deepEqual(await engine.describeTypes([]), []);
  appendFileSync(hungry, "");
  assert.deepEqual(await engine.describeTypes([]), []);
  assert.equal(attempts(), "keeps keeps forgets");
  appendFileSync(`${hungry}-always`, "");
  assert.deepEqual(
    [await engine.describeTypes([]).then(String, (error: Error) => tooMuch.test(error.message)), attempts()],
    [true, "keeps forgets"],
  );
});
