import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { Worker } from "node:worker_threads";
import { Batch, RecordWriter, Store } from "../../src/store/index.js";

/** Reads the update asked for from a read-only store of its own and answers with its last offset. */
const source = `
import { parentPort, workerData } from "node:worker_threads";
const { Store, SnapshotReader } = await import(workerData.store);
const store = await Store.open({ folder: workerData.folder, readOnly: true });
parentPort.on("message", (atOffset) => {
  const snapshot = SnapshotReader.pin(store, atOffset);
  parentPort.postMessage([snapshot.lastOffset, snapshot.tables.updates.read(atOffset).length]);
  snapshot.release();
});
parentPort.postMessage("ready");
`;

describe("store in a worker", () => {
  it("a read-only store of another thread sees every commit that was acknowledged", async (t) => {
    const folder = mkdtempSync(join(tmpdir(), "ledgerline-worker-"));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const store = await Store.open({ folder });
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
const { checkFile, Store } = await import(process.argv[1]);
const store = await Store.open({ folder: process.argv[2], readOnly: true });
store.pin().tablesOf(0).state.read("format");
if (process.argv[3] === "checks" && checkFile(process.argv[2], { isOpenHere: true })?.ok === undefined) throw new Error("not sound");
console.log("pinned");
setInterval(() => {}, 1_000);
`;

describe("store in another process", () => {
  async function beside(t: TestContext, ...args: readonly string[]) {
    const folder = mkdtempSync(join(tmpdir(), "ledgerline-holder-"));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const store = await Store.open({ folder });
    t.after(() => store.close());
    const child = spawn(
      process.execPath,
      ["--input-type=module", "-e", holder, new URL("../../src/store/index.js", import.meta.url).href, folder, ...args],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
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

  it("the snapshot of a reader that checks the file meanwhile, as a backup does, stays its own", async (t) => {
    const { store, child } = await beside(t, "checks");
    assert.equal(store.clearStaleReaders(), 0, "it runs");
    assert.ok(store.readers().some(({ pid }) => pid === child.pid));
  });
});
