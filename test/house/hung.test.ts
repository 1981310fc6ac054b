import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../support/folders.js";

test("runner: of a file that does not come to its end it says which test does not, and nothing of others", () => {
  const folder = temporaryFolder("hung");
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), `import { describe, it, run, test } from "node:test";\n${text}`);
    return join(folder, name);
  };
  const files = [
    file("fails.mjs", `test("quick", () => {});\ntest("wrong", () => { throw new Error("no"); });`),
    file(
      "hangs.mjs",
      `describe("outer", () => { it("ends", () => {}); it("hangs", () => new Promise(() => setInterval(() => {}, 1_000))); it("waits", () => {}); });`,
    ),
  ];
  const program = file(
    "runner.mjs",
    `import { tellHung } from ${JSON.stringify(import.meta.resolve("../support/hung.js"))};
    const over = new AbortController(),
      stream = run({ files: ${JSON.stringify(files)}, concurrency: 1, signal: over.signal });
    tellHung(stream, (sentence) => console.log(sentence));
    stream.on("test:dequeue", ({ name }) => name === "hangs" && setImmediate(() => over.abort())); // as when its time is over
    stream.resume();`,
  );
  const { NODE_TEST_CONTEXT: _, ...env } = process.env; // a runner within a runner would do nothing
  const { stdout, stderr } = spawnSync(process.execPath, [program], { encoding: "utf8", env });
  assert.deepEqual([stdout, stderr], [`${files[1]!} did not come to the end of: outer > hangs\n`, ""]);
});
