import assert from "node:assert/strict";
import { test } from "node:test";
import { limits } from "../../../src/config.js";
import { readSources } from "../../../src/lf/archive/index.js";
import { writeZip } from "../../../src/lf/archive/zip-writer.js";

test("sources: modules are called as their files below the folder of the package", () => {
  const bytes = writeZip(
    new Map([
      ["model-1.0.0-abc/Main/Iou.daml", Buffer.from("module Main.Iou where")],
      ["model-1.0.0-abc/Main/Iou.hi", Buffer.from("x")],
    ]),
  );
  assert.deepEqual([...readSources(bytes, limits).ok!], [["Main.Iou", "module Main.Iou where"]]);
});
