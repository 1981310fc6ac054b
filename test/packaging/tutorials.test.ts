/** The tutorials, run as they are written. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { tested } from "../support/node-process.js";
import { repositoryRoot } from "../support/paths.js";
import { readPage } from "../support/readme.js";
import { freshBundle, inTemporaryFolder, run } from "./npm-package.js";

const hasShell = spawnSync("bash", ["-c", "curl --version"]).status === 0;
const blocks = (page: string, language: string): string[] =>
  [...readPage(page).matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].filter(([, written]) => written === language).map(([, , code]) => code!);

test("tutorial: the test suite passes; no dpm is run here, so its model is the one that the package carries", { timeout: 300_000 }, () =>
  inTemporaryFolder(async (folder) => {
    await freshBundle();
    const project = join(folder, "project"),
      [code] = blocks("src/packaging/tutorial-test-suite.md", "js");
    mkdirSync(join(project, "node_modules"));
    symlinkSync(repositoryRoot(), join(project, "node_modules", "ledgerline"), "dir");
    writeFileSync(join(project, "asset.test.mjs"), code!);
    // A runner within a runner would report to the outer one.
    const { exit, out, err } = await run(process.execPath, ["--test", "--test-reporter=tap", "asset.test.mjs"], {
      cwd: project,
      env: { NODE_TEST_CONTEXT: undefined },
    });
    assert.equal(exit, 0, out + err);
    assert.match(out, /ok 1 - an asset goes from its owner to another/);
  }),
);

test(
  "tutorial: what runs in production starts, is proved, stops and is restored",
  { skip: hasShell ? false : "no bash or curl here", timeout: 300_000 },
  () =>
    inTemporaryFolder(async (folder) => {
      const shell = blocks("src/packaging/tutorial-production.md", "sh");
      assert.equal(shell.length, 4);
      // Without a subshell of bash, whose end would not be the program's.
      const program = join(folder, "ledgerline");
      writeFileSync(program, `#!/bin/sh\nexec ${[tested.file, ...tested.args].map((word) => `"${word}"`).join(" ")} "$@"\n`, {
        mode: 0o755,
      });
      const { exit, out, err } = await run("bash", ["-eu", "-o", "pipefail", "-c", `PATH="${folder}:$PATH"\n${shell.join("\n")}`], {
        cwd: join(folder, "project"),
      });
      assert.equal(exit, 0, out + err);
      for (const said of [
        /Port 17575 of 127\.0\.0\.1 is free/,
        /The node at http:\/\/127\.0\.0\.1:17575 serves/,
        /^ledgerline_ledger_end \d+$/m,
        /The ledger is sound/,
        /is in .*restored\. Start it with/,
      ])
        assert.match(out, said);
    }),
);
