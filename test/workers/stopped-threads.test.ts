import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";
import { tested } from "../support/node-process.js";
import { testData } from "../support/paths.js";

test("threads are stopped without harm, whatever lies in memory that the native code let go", async () => {
  // Of glibc: what is let go is overwritten. Without `wholeTurn` six of ten runs ended by a signal.
  const { file, args } = tested,
    env = { ...process.env, MALLOC_PERTURB_: "16" };
  for (let times = 0; times < 6; times++) {
    const { stdout } = await promisify(execFile)(file, [...args, "test", testData("quickstart.dar")], { env });
    assert.match(stdout, /^0 scripts of 1 DAR/m);
  }
});
