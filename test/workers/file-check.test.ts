/** A file that is too large to be gone through before a node serves is gone through beside it. */
import assert from "node:assert/strict";
import { closeSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { silentLog } from "../../src/base/log.js";
import { Batch, dataFile, RecordWriter, openStore } from "../../src/store/index.js";
import { EnginePool } from "../../src/workers/index.js";
import { temporaryFolder } from "../support/folders.js";

test("the file of a running node is gone through on a thread beside it, while others write", async (t) => {
  const folder = temporaryFolder("check");
  const store = await openStore({ folder });
  const write = async (from: number, to: number): Promise<void> => {
    const batch = new Batch();
    for (let offset = from; offset <= to; offset++) {
      batch.append(store.tables.updates, offset, new RecordWriter().u32(offset).finish(1));
      batch.insert(store.tables.updateIndex, { party: 7, template: 1, offset });
    }
    await batch.flush();
  };
  await write(1, 2_000);
  const pool = new EnginePool({ dataFolder: folder, contractMode: "NUCK", workers: 1, log: silentLog });
  t.after(async () => {
    await pool.close();
    await store.close();
    rmSync(folder, { recursive: true });
  });
  let isChecked = false;
  const checked = pool.checkFile().finally(() => (isChecked = true));
  for (let offset = 2_001; !isChecked; offset++) await write(offset, offset);
  assert.equal(await checked, undefined);

  const key = Buffer.alloc(14);
  key.writeUInt32BE(7, 0);
  key.writeUInt32BE(1, 4);
  key.writeUIntBE(1_000, 8, 6);
  const path = join(folder, dataFile),
    at = readFileSync(path).lastIndexOf(key),
    file = openSync(path, "r+");
  writeSync(file, Buffer.from([0x7f]), 0, 1, at + 3); // of party 127
  closeSync(file);
  assert.match((await pool.checkFile())!, /data\.mdb is damaged/);
});
