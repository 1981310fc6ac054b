/** Threads that cannot start, or go while others wait for them: nobody waits for what will not come, and who comes later has a new one. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { pathToFileURL } from "node:url";
import { silentLog } from "../../src/base/log.js";
import { openStore } from "../../src/store/index.js";
import { EnginePool } from "../../src/workers/index.js";
import { eventually } from "../http/harness.js";
import { Client, tested } from "../support/node-process.js";
import { testData } from "../support/paths.js";
import { temporaryFolder } from "../support/folders.js";

/** None of this takes long, and what it is about would take two minutes, or for ever. */
const timeout = 110_000;

/** A pool whose threads do not start, and exit when they are asked about types, while there is the file; and exit for a package. */
async function unsteadyPool(t: TestContext) {
  const folder = temporaryFolder("no-thread"),
    obstacle = join(folder, "obstacle"),
    told = join(folder, "told"),
    entry = join(folder, "entry.mjs");
  writeFileSync(
    entry,
    `import { appendFileSync, existsSync } from "node:fs";
     import work from ${JSON.stringify(new URL("../../src/workers/worker.js", import.meta.url).href)};
     const isBlocked = () => existsSync(${JSON.stringify(obstacle)});
     if (isBlocked()) throw new Error("there is an obstacle");
     export default (task) => {
       appendFileSync(${JSON.stringify(told)}, task.kind + " ");
       if (task.packageId === "fatal" || (task.kind === "describeTypes" && isBlocked())) process.exit(1);
       return work(task);
     };`,
  );
  const store = await openStore({ folder });
  t.after(() => store.close());
  const threads = pathToFileURL(entry),
    pool = new EnginePool({ dataFolder: folder, contractMode: "NUCK", workers: 1, log: silentLog, threads });
  t.after(() => pool.close());
  const tasks = (kind: string): number =>
    readFileSync(told, "utf8")
      .split(" ")
      .filter((each) => each === kind).length;
  return { pool, engine: pool.of(0), obstacle, tasks };
}

test(
  "threads: what waits for one that cannot start is refused with the cause, and what comes once it can is done",
  { timeout },
  async (t) => {
    const { pool, engine, obstacle } = await unsteadyPool(t);
    assert.deepEqual(await engine.describeTypes([]), []);
    writeFileSync(obstacle, "");
    const cause = /no thread can be started for it: there is an obstacle/;
    await Promise.all([
      assert.rejects(engine.checkUpgrades([], []), cause),
      assert.rejects(engine.describePackage("a"), cause),
      assert.rejects(pool.checkFile(), cause),
      assert.rejects(engine.describeTypes([]), cause),
    ]);
    assert.deepEqual([pool.load.darsWaiting, pool.load.waiting, pool.load.running], [0, 0, 0]);
    rmSync(obstacle);
    assert.deepEqual(await engine.describeTypes([]), []);
    assert.deepEqual(await engine.checkUpgrades([], []), { ok: true });
    assert.equal(await pool.checkFile(), undefined);
  },
);

test("threads: who waits behind a task that takes its thread along has another one", { timeout }, async (t) => {
  const { engine } = await unsteadyPool(t);
  const [fatal, next] = await Promise.allSettled([engine.describePackage("fatal"), engine.checkUpgrades([], [])]);
  assert.equal(fatal.status, "rejected");
  assert.deepEqual(next, { status: "fulfilled", value: { ok: true } });
});

test("threads: what a task throws is its answer, and no thread is asked again", { timeout }, async (t) => {
  const { engine, tasks } = await unsteadyPool(t);
  await assert.rejects(engine.describeTypes([{} as never]), TypeError);
  assert.equal(tasks("describeTypes"), 1);
});

test("threads: without the working folder of its start a node refuses DARs at once, and takes everything else", { timeout }, async (t) => {
  const folder = temporaryFolder("gone"),
    workingFolder = join(folder, "working"),
    portFile = join(folder, "port");
  mkdirSync(workingFolder);
  const node = spawn(tested.file, [...tested.args, "start", "--data", join(folder, "data"), "--port", "0", "--port-file", portFile], {
    cwd: workingFolder,
    stdio: "ignore",
  });
  const exited = once(node, "exit");
  t.after(() => node.kill("SIGKILL"));
  await eventually("it is ready", () => existsSync(portFile), timeout);
  rmdirSync(workingFolder);
  const client = new Client(Number(readFileSync(portFile, "utf8")));
  t.after(() => client.close());
  for (let times = 0; times < 2; times++) {
    const refused = await client.post("/v2/packages", readFileSync(testData("quickstart.dar"))),
      { code, cause } = refused.json() as { readonly code: string; readonly cause: string };
    assert.deepEqual([refused.status, code], [503, "SERVICE_NOT_RUNNING"]);
    assert.match(cause, /^reading the DAR failed: no thread can be started for it: ENOENT/);
  }
  assert.match((await client.get("/metrics")).text, /^ledgerline_engine_dars_waiting 0$/m);
  assert.equal((await client.post("/v2/parties", { partyIdHint: "alice" })).status, 200);
  node.kill("SIGTERM");
  assert.deepEqual(await exited, [0, null]);
});
