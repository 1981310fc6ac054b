import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";
import { freedIsOverwritten } from "../support/freed-memory.js";
import { tested } from "../support/node-process.js";
import { testData } from "../support/paths.js";

test("threads are stopped without harm, whatever lies in memory that the native code let go", async () => {
  const { file, args } = tested,
    env = { ...process.env, ...freedIsOverwritten }; // without `wholeTurn` six of ten runs end by a signal
  for (let times = 0; times < 6; times++) {
    const { stdout } = await promisify(execFile)(file, [...args, "test", testData("quickstart.dar")], { env });
    assert.match(stdout, /^0 scripts of 1 DAR/m);
  }
});
