import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { makeLockedFolder } from "../../src/base/locked-folder.js";
import { Client, startNodeProcess, tested } from "../support/node-process.js";
import { proves } from "../prove/as-test.js";
import { backups, runProgramWell, storedIn } from "../prove/real/backups.js";
import { createAsset, prepare } from "./load.js";
import { temporaryFolder } from "../support/folders.js";

const refusal = (...args: readonly string[]): Promise<string> =>
  promisify(execFile)(tested.file, [...tested.args, ...args]).then(
    () => assert.fail("accepted"),
    ({ code, stderr }: { code: number; stderr: string }) => `${code}: ${stderr}`,
  );

async function withFolder(use: (folder: string) => Promise<void>): Promise<void> {
  const folder = temporaryFolder("backup");
  try {
    await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

proves(backups);

test("backup: of a node at rest, into a folder of its own that only its owner can read", () =>
  withFolder(async (folder) => {
    const data = join(folder, "ledger"),
      copy = join(folder, "deep/copy");
    const node = await startNodeProcess(["--data", data]);
    const client = new Client(node.port),
      party = await prepare(client);
    await createAsset(client, party, "one");
    client.close();
    await node.stop();
    await runProgramWell("backup", copy, "--data", data);
    assert.equal(statSync(copy).mode & 0o777, 0o700);
    assert.deepEqual([...(await storedIn(copy, party)).keys()], ["one"]);
    assert.deepEqual(readdirSync(join(folder, "deep")), ["copy"]);
  }));

test("backup: what is no ledger, and a folder that is in use for something else, are refused and left alone", () =>
  withFolder(async (folder) => {
    const empty = join(folder, "empty"),
      full = join(folder, "full"),
      copy = join(folder, "copy");
    for (const made of [empty, full]) mkdirSync(made);
    writeFileSync(join(full, "file"), "");
    assert.match(await refusal("backup", copy, "--data", join(folder, "none")), /^1: There is no ledger/);
    assert.match(await refusal("backup", copy, "--data", empty), /^1: There is no ledger/);
    assert.deepEqual(readdirSync(empty), []);
    assert.equal(existsSync(copy), false);
    const node = await startNodeProcess(["--data", join(folder, "ledger")]);
    assert.match(await refusal("backup", full, "--data", join(folder, "ledger")), /^1: .*full is not empty/);
    assert.match(await refusal("backup", join(folder, "ledger"), "--data", join(folder, "ledger")), /^1: .*ledger is not empty/);
    await node.stop();
    assert.deepEqual(readdirSync(full), ["file"]);
    assert.deepEqual(readdirSync(folder).sort(), ["empty", "full", "ledger"]);
  }));

test(
  "backup: the unfinished copy of one that was killed is removed by the next, that of one that runs is left alone",
  { timeout: 300_000 },
  () =>
    withFolder(async (folder) => {
      const data = join(folder, "ledger"),
        copy = join(folder, "copy"),
        isUnfinished = (name: string): boolean => /^copy\.unfinished-\w{6}$/.test(name);
      const node = await startNodeProcess(["--data", data]);
      const unfinished = (): string[] => readdirSync(folder).filter(isUnfinished);
      while (unfinished().length === 0) {
        // until one was killed in the middle
        rmSync(copy, { recursive: true, force: true });
        const killed = spawn(tested.file, [...tested.args, "backup", copy, "--data", data], { stdio: "ignore" }),
          exited = once(killed, "exit");
        while (killed.exitCode === null && unfinished().length === 0) await sleep(1);
        killed.kill("SIGKILL");
        await exited;
      }
      assert.equal(unfinished().length, 1);
      const running = makeLockedFolder(join(folder, "copy.unfinished-")); // as a process does that copies at the same time
      await runProgramWell("backup", copy, "--data", data);
      await node.stop();
      assert.deepEqual(unfinished(), [basename(running.path)]);
      running.lock.release();
      assert.match(await runProgramWell("verify", "--data", copy), /The ledger is sound/);
    }),
);
