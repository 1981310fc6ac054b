import assert from "node:assert/strict";
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { writeWhole } from "../../src/base/whole-file.js";
import { temporaryFolder } from "../support/folders.js";

const folder = (): string => temporaryFolder("whole");

test("whole file: who has the former one open never finds it empty, and who opens it finds all of the new one", () => {
  const path = join(folder(), "port");
  writeFileSync(path, "former");
  const former = openSync(path, "r");
  writeWhole(path, "new");
  assert.deepEqual([readFileSync(former, "utf8"), readFileSync(path, "utf8")], ["former", "new"]);
  closeSync(former);
});

test("whole file: one that was not there is made, and nothing is left beside it", () => {
  const place = folder();
  writeWhole(join(place, "port"), "new");
  assert.deepEqual([readdirSync(place), readFileSync(join(place, "port"), "utf8")], [["port"], "new"]);
});

test("whole file: a link stays one, and what cannot be written is told by its own name", () => {
  const place = folder(),
    target = join(place, "target");
  writeFileSync(target, "former");
  symlinkSync(target, join(place, "link"));
  writeWhole(join(place, "link"), "new");
  assert.equal(readFileSync(target, "utf8"), "new");
  mkdirSync(join(place, "folder"));
  assert.throws(() => writeWhole(join(place, "folder"), ""), { code: "EISDIR" });
  assert.throws(() => writeWhole(join(place, "none", "port"), ""), { code: "ENOENT", path: join(place, "none", "port") });
  assert.deepEqual(readdirSync(place).sort(), ["folder", "link", "target"]);
});
