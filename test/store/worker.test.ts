import assert from "node:assert/strict";
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, it, type TestContext } from "node:test";
import { Worker } from "node:worker_threads";
import { Batch, RecordWriter, openStore } from "../../src/store/index.js";
import { OpeningLock } from "../../src/store/opening-lock.js";
import { temporaryFolder } from "../support/folders.js";

/** Reads the update asked for from a read-only store of its own and answers with its last offset. */
const source = `
import { parentPort, workerData } from "node:worker_threads";
const { openStore, SnapshotReader } = await import(workerData.store);
const store = await openStore({ folder: workerData.folder, readOnly: true });
parentPort.on("message", (atOffset) => {
  const snapshot = SnapshotReader.pin(store, atOffset);
  parentPort.postMessage([snapshot.lastOffset, snapshot.tables.updates.read(atOffset).length]);
  snapshot.release();
});
parentPort.postMessage("ready");
`;

describe("store in a worker", () => {
  it("a read-only store of another thread sees every commit that was acknowledged", async () => {
    const folder = temporaryFolder("worker");
    const store = await openStore({ folder });
    const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`), {
      workerData: { folder, store: new URL("../../src/store/index.js", import.meta.url).href },
    });
    assert.deepEqual(await once(worker, "message"), ["ready"]);
    for (let offset = 1; offset <= 50; offset++) {
      const batch = new Batch(),
        record = new RecordWriter().text("x".repeat(offset * 50)).finish(1);
      batch.append(store.tables.updates, offset, record);
      await batch.flush();
      worker.postMessage(offset);
      assert.deepEqual(await once(worker, "message"), [[offset, record.length]]);
    }
    await worker.terminate();
    await store.close();
  });
});

/** Holds a snapshot until it is killed. */
const holder = `
const { checkFile, openStore } = await import(process.argv[1]);
const store = await openStore({ folder: process.argv[2], readOnly: true });
store.pin().tablesOf(0).state.read("format");
if (process.argv[3] === "checks" && checkFile(process.argv[2], { isOpenHere: true })?.ok === undefined) throw new Error("not sound");
console.log("pinned");
setInterval(() => {}, 1_000);
`;

/** Opens the file as often as it is told. */
const opener = `
const { openStore } = await import(process.argv[1]);
for (let opened = 0; opened < Number(process.argv[3]); opened++) {
  const store = await openStore({ folder: process.argv[2], readOnly: true });
  await store.close();
}
`;

/** Takes the lock of those who open the file, and keeps it until it is killed. */
const stopped = `
const { OpeningLock } = await import(process.argv[1]);
await new OpeningLock(process.argv[2]).during(() => {
  console.log("opening");
  return new Promise((resolve) => setTimeout(resolve, 600_000));
});
`;

const longerThanOpeningMs = 1_000;

const processOf = (script: string, module: string, folder: string, ...args: readonly string[]): ChildProcessByStdio<null, Readable, null> =>
  spawn(
    process.execPath,
    ["--input-type=module", "-e", script, new URL(`../../src/store/${module}.js`, import.meta.url).href, folder, ...args],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );

describe("store in another process", () => {
  async function beside(t: TestContext, ...args: readonly string[]) {
    const folder = temporaryFolder("holder");
    const store = await openStore({ folder });
    t.after(() => store.close());
    const child = processOf(holder, "index", folder, ...args);
    t.after(() => child.kill("SIGKILL"));
    await once(child.stdout, "data");
    return { store, child };
  }

  it("the snapshot of a reader that was killed is given up, so that its pages can be used again", async (t) => {
    const { store, child } = await beside(t);
    assert.equal(store.clearStaleReaders(), 0, "it runs");
    child.kill("SIGKILL");
    await once(child, "exit");
    assert.ok(store.clearStaleReaders() > 0);
    assert.equal(store.clearStaleReaders(), 0);
  });

  it("whoever opens the file takes no commit from it: each is there for the next reader and the next commit", async (t) => {
    const folder = temporaryFolder("opened");
    const store = await openStore({ folder });
    t.after(() => store.close());
    const child = processOf(opener, "index", folder, "300");
    t.after(() => child.kill("SIGKILL"));
    const exited = once(child, "exit");
    let offset = 0;
    while (child.exitCode === null) {
      const batch = new Batch();
      batch.append(store.tables.updates, ++offset, new RecordWriter().u32(offset).finish(1));
      await batch.flush();
      const { tablesOf, release } = store.pin();
      assert.ok(tablesOf(0).updates.has(offset), `commit ${offset} is there`);
      release();
    }
    assert.deepEqual(await exited, [0, null]);
    store.refresh();
    for (let known = 1; known <= offset; known++) assert.ok(store.tables.updates.has(known), `commit ${known} of ${offset} is there`);
  });

  it("whoever opens the file waits while a commit is written", async (t) => {
    const folder = temporaryFolder("waiting");
    const store = await openStore({ folder });
    t.after(() => store.close());
    let isWritten = (): void => undefined;
    const lock = new OpeningLock(folder),
      written = new Promise<void>((resolve) => (isWritten = resolve));
    t.after(() => lock.close());
    const writing = lock.during(() => written),
      child = processOf(opener, "index", folder, "1");
    t.after(() => child.kill("SIGKILL"));
    const exited = once(child, "exit");
    const [first] = (await Promise.race([exited, sleep(longerThanOpeningMs, ["it waits"])])) as [unknown];
    assert.equal(first, "it waits");
    isWritten();
    await writing;
    assert.deepEqual(await exited, [0, null]);
  });

  it("a thread that stands still once it has opened the file keeps nobody else from it", () => {
    const folder = temporaryFolder("still"),
      [one, other] = [new OpeningLock(folder), new OpeningLock(folder)];
    let opened = 0;
    void one.during(() => ++opened);
    void other.during(() => ++opened); // in the same turn, before any promise is heard
    assert.equal(opened, 2);
    one.close();
    other.close();
  });

  it("while somebody does not come to an end with opening the file commits are refused, and go on after", async (t) => {
    const folder = temporaryFolder("opening");
    const store = await openStore({ folder });
    t.after(() => store.close());
    const child = processOf(stopped, "opening-lock", folder);
    t.after(() => child.kill("SIGKILL"));
    await once(child.stdout, "data");
    const commit = async (offset: number): Promise<void> => {
      const batch = new Batch();
      batch.append(store.tables.updates, offset, new RecordWriter().u32(offset).finish(1));
      await batch.flush();
    };
    await assert.rejects(commit(1), { name: "FileIsBeingOpened" });
    const waiting = commit(1);
    child.kill("SIGKILL");
    await waiting;
    await commit(2);
    assert.equal([...store.tables.updates.all()].length, 2);
  });

  it("the snapshot of a reader that checks the file meanwhile, as a backup does, stays its own", async (t) => {
    const { store, child } = await beside(t, "checks");
    assert.equal(store.clearStaleReaders(), 0, "it runs");
    assert.ok(store.readers().some(({ pid }) => pid === child.pid));
  });
});
