import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { makeFolder } from "../../src/base/make-folder.js";
import { temporaryFolder } from "../support/folders.js";

const folder = temporaryFolder("make-folder");

test("make folder: those above it are made, too, and one that is there stays", () => {
  const path = join(folder, "a", "b");
  assert.deepEqual(makeFolder(path), [join(folder, "a"), path]);
  assert.ok(statSync(path).isDirectory());
  assert.deepEqual(makeFolder(path), []);
});

test("make folder: below a file there is none", () => {
  writeFileSync(join(folder, "file"), "");
  assert.throws(() => makeFolder(join(folder, "file", "a")), /ENOTDIR/);
});

test("make folder: where the system makes none it says so, and ends", { skip: !existsSync("/proc/self") && "no /proc here" }, () => {
  // In a process of its own: what goes on for ever lets no test of the same process end it.
  const { status, stderr } = spawnSync(
    process.execPath,
    [
      "--input-type=module",
      "-e",
      `const { makeFolder } = await import(${JSON.stringify(new URL("../../src/base/make-folder.js", import.meta.url).href)}); makeFolder("/proc/none/of/these");`,
    ],
    { encoding: "utf8", timeout: 10_000 },
  );
  assert.equal(status, 1);
  assert.match(stderr, /ENOENT: no such file or directory, mkdir '\/proc\/none'/);
});
