/** A ledger where nothing can be written: a mount of a namespace that ends with the shell that made it. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chownSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Client, startNodeProcess, tested } from "../support/node-process.js";
import { runProgramWell, storedIn } from "../prove/real/backups.js";
import { createAsset, prepare } from "./load.js";
import { temporaryFolder } from "../support/folders.js";

const namespace = (script: string, ...args: readonly string[]): ReturnType<typeof spawnSync> =>
  spawnSync("unshare", ["-Urm", "sh", "-c", script, "sh", ...args], { encoding: "utf8" });

const mayMount = namespace('mount --bind "$1" "$1" && mount -o remount,ro,bind "$1"', tmpdir()).status === 0;

/** `folder` is read-only for the program, and only for it. */
function onReadOnly(folder: string, ...args: readonly string[]): { readonly status: number | null; readonly said: string } {
  const script = 'folder="$1"; shift; mount --bind "$folder" "$folder" && mount -o remount,ro,bind "$folder" && exec "$@"';
  const { status, stdout, stderr } = namespace(script, folder, tested.file, ...tested.args, ...args);
  return { status, said: `${stdout}${stderr}` };
}

async function withFolder(use: (folder: string) => Promise<void> | void): Promise<void> {
  const folder = temporaryFolder("read-only");
  try {
    await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test(
  "read-only medium: a backup on it is verified and restored, a start on it is refused, and a ledger that runs elsewhere is not taken for one at rest",
  { skip: mayMount ? false : "nothing can be mounted here", timeout: 300_000 },
  () =>
    withFolder(async (folder) => {
      const [data, copy, restored] = ["ledger", "copy", "restored"].map((name) => join(folder, name)) as [string, string, string];
      const node = await startNodeProcess(["--data", data]),
        client = new Client(node.port);
      try {
        const party = await prepare(client);
        await createAsset(client, party, "one");
        await runProgramWell("backup", copy, "--data", data);
        const before = readdirSync(copy);

        const verified = onReadOnly(copy, "verify", "--data", copy);
        assert.match(verified.said, /The ledger is sound/);
        const made = onReadOnly(copy, "restore", copy, "--data", restored);
        assert.equal(made.status, 0, made.said);
        assert.deepEqual([...(await storedIn(restored, party)).keys()], ["one"]);
        const started = onReadOnly(copy, "start", "--data", copy, "--port", "0");
        assert.equal(started.status, 1);
        assert.match(started.said, /copy cannot hold a ledger: EROFS/);
        assert.deepEqual(readdirSync(copy), before);

        for (const args of [["verify"], ["backup", join(folder, "other")]]) {
          const refused = onReadOnly(data, ...args, "--data", data);
          assert.equal(refused.status, 1);
          assert.match(refused.said, /is in use by/);
        }
      } finally {
        client.close();
        await node.stop();
      }
    }),
);

test(
  "locks: the files that root makes for them, as it verifies a ledger, belong to whom the ledger's folder belongs to",
  { skip: process.getuid?.() === 0 ? false : "only root can give files away", timeout: 300_000 },
  () =>
    withFolder(async (folder) => {
      const data = join(folder, "ledger"),
        locks = ["ledgerline.lock", "lock.mdb", "opening.lock"];
      await (await startNodeProcess(["--data", data])).stop();
      for (const name of locks) rmSync(join(data, name));
      chownSync(data, 12_345, 12_346);
      assert.match(await runProgramWell("verify", "--data", data), /The ledger is sound/);
      for (const name of locks) {
        const { uid, gid } = statSync(join(data, name));
        assert.deepEqual([uid, gid], [12_345, 12_346], name);
      }
    }),
);
