/** A file that lost its name while it was open. */
import assert from "node:assert/strict";
import { copyFileSync, existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Displaced, type Ending, onEnding } from "../../src/base/damage.js";
import { limits } from "../../src/config.js";
import { dataFile, openStore, type Store } from "../../src/store/index.js";
import { temporaryFolder } from "../support/folders.js";

async function open(t: TestContext, keepsReserve = true): Promise<{ readonly folder: string; readonly store: Store }> {
  const parent = temporaryFolder("named"),
    folder = join(parent, "data"),
    store = await openStore({ folder, keepsReserve });
  t.after(async () => {
    await store.close();
    rmSync(parent, { recursive: true });
  });
  return { folder, store };
}

/** What the process hears in twice the time in which it should. */
async function heard(t: TestContext): Promise<readonly Ending[]> {
  const told: Ending[] = [];
  t.after(onEnding((ending) => told.push(ending)));
  await sleep(2 * limits.fileLookIntervalMs + 100);
  return told;
}

describe("file that is open", () => {
  const lost: readonly (readonly [what: string, lose: (folder: string) => void, problem: RegExp])[] = [
    ["was removed with its folder", (folder) => rmSync(folder, { recursive: true }), /removed or moved/],
    ["was moved with its folder", (folder) => renameSync(folder, `${folder}-moved`), /removed or moved/],
    ["was replaced by a copy", replace, /another file/],
  ];
  for (const [what, lose, problem] of lost)
    it(`the process hears once that it ${what}`, async (t) => {
      const { folder } = await open(t);
      lose(folder);
      const told = await heard(t);
      assert.equal(told.length, 1);
      assert.ok(told[0] instanceof Displaced);
      assert.equal(told[0].place, join(folder, dataFile));
      assert.match(told[0].problem, problem);
    });

  it("nobody hears of one that is where it was, or that goes with its process", async (t) => {
    const [kept, temporary] = [await open(t), await open(t, false)];
    rmSync(temporary.folder, { recursive: true });
    assert.deepEqual(await heard(t), []);
    assert.ok(existsSync(kept.folder));
  });

  it("commands are refused, and nothing is thrown, while the folder is gone and there is no reserve yet", async (t) => {
    const { folder, store } = await open(t);
    rmSync(folder, { recursive: true });
    assert.match(store.impediment()!, /disk is full/);
  });
});

function replace(folder: string): void {
  const file = join(folder, dataFile);
  copyFileSync(file, `${file}.copy`);
  renameSync(`${file}.copy`, file);
}
