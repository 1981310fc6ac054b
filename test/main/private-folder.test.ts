/** The folder of a ledger holds the node's private key, and must be there after a power loss. */
import assert from "node:assert/strict";
import fs, { chmodSync, readdirSync, readlinkSync, statSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { lockDataFolder } from "../../src/data-folder.js";
import { openStore } from "../../src/store/index.js";
import { startNodeProcess } from "../support/node-process.js";
import { temporaryFolder } from "../support/folders.js";

const openToOthers = (folder: string): string[] => readdirSync(folder).filter((name) => (statSync(join(folder, name)).mode & 0o077) !== 0);

test("data folder: every file is its owner's alone, also one that was not, and the log says which", async (t) => {
  const folder = join(temporaryFolder(), "ledger");
  const first = await startNodeProcess(["--data", folder]);
  t.after(() => first.stop());
  assert.deepEqual([statSync(folder).mode & 0o777, openToOthers(folder)], [0o700, []]);
  await first.stop();
  assert.deepEqual(openToOthers(folder), []);
  assert.equal(first.stderr(), "");
  for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o644);
  const again = await startNodeProcess(["--data", folder]);
  t.after(() => again.stop());
  assert.deepEqual(openToOthers(folder), []);
  await again.stop();
  assert.match(again.stderr(), /"files":"data\.mdb, journal, lock\.mdb[^"]*".*could be read by others/);
});

test("data folder: the names of new folders and of a new ledger's file are flushed to disk", async (t) => {
  const root = temporaryFolder(),
    parent = join(root, "deep"),
    folder = join(parent, "ledger"),
    flushed: string[] = [];
  const flush = fs.fsyncSync;
  const mocked = t.mock.method(fs, "fsyncSync", (file: number) => {
    flushed.push(readlinkSync(`/proc/self/fd/${file}`));
    flush(file);
  });
  syncBuiltinESMExports();
  try {
    const held = lockDataFolder(folder);
    await (await openStore({ folder })).close();
    const ofNew = flushed.splice(0);
    await (await openStore({ folder })).close();
    held.release();
    assert.deepEqual(ofNew, [root, parent, join(folder, "journal"), folder, folder]);
    assert.deepEqual(flushed, [], "nothing new, nothing to flush");
  } finally {
    mocked.mock.restore();
    syncBuiltinESMExports();
  }
});
