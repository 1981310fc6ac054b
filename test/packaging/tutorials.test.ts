/** The tutorials, run as they are written. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { version } from "../../src/version.js";
import { economyDars } from "../splice/economy-model.js";
import { text } from "../support/knobs.js";
import { tested } from "../support/node-process.js";
import { freeShift, localnetPorts } from "../support/ports.js";
import { repositoryRoot, testData } from "../support/paths.js";
import { readPage } from "../support/readme.js";
import { freshBundle, inTemporaryFolder, run } from "./npm-package.js";

const hasShell = spawnSync("bash", ["-c", "curl --version"]).status === 0;
const blocks = (page: string, language: string): string[] =>
  [...readPage(page).matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].filter(([, written]) => written === language).map(([, , code]) => code!);

test("pages: the package is called what npm pack calls it", () => {
  const pages = ["README.md", "tutorial-test-suite.md", "tutorial-production.md", "tutorial-localnet.md"],
    named = pages.map((page) => [...readPage(`src/packaging/${page}`).matchAll(/ledgerline-[\w.-]+\.tgz/g)].map(([file]) => file));
  assert.ok(named.every((files) => files.length > 0));
  assert.deepEqual([...new Set(named.flat())], [`ledgerline-${version}.tgz`]);
});

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

/** The tutorial's own command, without a subshell of bash, whose end would not be the program's. */
function putProgram(folder: string): void {
  const words = [tested.file, ...tested.args].map((word) => `"${word}"`).join(" ");
  writeFileSync(join(folder, "ledgerline"), `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 });
}

const publicDars = text("LEDGERLINE_REAL_DARS"),
  networkPackages = ["splice-dso-governance", "splice-wallet", "splice-validator-lifecycle"];

/** Of each name the newest, as the tutorial says. */
function newestPublic(): Readonly<Record<string, Uint8Array>> {
  const versionOf = (file: string): readonly number[] => /-([\d.]+)\.dar$/.exec(file)![1]!.split(".").map(Number);
  const newest = (name: string): string[] =>
    readdirSync(publicDars!)
      .filter((file) => new RegExp(`^${name}-[\\d.]+\\.dar$`).test(file))
      .sort(
        (left, right) =>
          versionOf(left)
            .map((part, at) => part - versionOf(right)[at]!)
            .find((difference) => difference !== 0) ?? 0,
      )
      .slice(-1);
  return Object.fromEntries(networkPackages.flatMap(newest).map((file) => [file, readFileSync(join(publicDars!, file))]));
}

interface TutorialNetwork {
  readonly what: string;
  readonly dars: () => Readonly<Record<string, Uint8Array>>;
  readonly skip: string | false;
  /** What a wallet has after a tap of 50 dollars: its model tells how much Amulet that is. */
  readonly tapped: string;
}
const networks: readonly TutorialNetwork[] = [
  { what: "stand-ins of Splice's packages", dars: () => economyDars("configStates"), skip: false, tapped: "100100" },
  {
    what: "Splice's public packages",
    dars: newestPublic,
    skip: publicDars === undefined ? "LEDGERLINE_REAL_DARS names no folder of DARs" : false,
    tapped: "110000",
  },
];
for (const { what, dars, skip, tapped } of networks) {
  test(
    `tutorial: from LocalNet, on ${what}: tokens, wallets, Scan and the Ledger API are where LocalNet has them`,
    { skip: hasShell ? skip : "no bash or curl here", timeout: 300_000 },
    (t) =>
      inTemporaryFolder(async (folder) => {
        const shell = blocks("src/packaging/tutorial-localnet.md", "sh"),
          project = join(folder, "project");
        assert.equal(shell.length, 5);
        putProgram(folder);
        mkdirSync(join(project, "dars"));
        for (const [name, bytes] of Object.entries(dars())) writeFileSync(join(project, "dars", name), bytes);
        copyFileSync(testData("quickstart.dar"), join(project, "model.dar"));
        // Others may use LocalNet's own ports, so all are moved by the flag that the tutorial names.
        const shift = await freeShift(localnetPorts),
          script = shell.join("\necho\n").replace(/(localhost:)(\d+)/g, (_, host: string, port: string) => host + (Number(port) + shift));
        const ended = `trap 'kill $NODE 2> /dev/null || true' EXIT\n`; // also where a command fails
        const { exit, out, err } = await run("bash", ["-eu", "-o", "pipefail", "-c", `PATH="${folder}:$PATH"\n${ended}${script}`], {
          cwd: project,
          env: { LEDGERLINE_PORT_SHIFT: String(shift) },
        });
        assert.equal(exit, 0, `${out}${err}${readFileSync(join(project, "log"), "utf8")}`);
        for (const said of [
          /"dso_party_id":"DSO::1220/,
          /"instruments":\[\{"id":"Amulet"/,
          /"party_id":"app_user_localnet-localparty-1::1220\w+","user_onboarded":true,"user_wallet_installed":true/,
          new RegExp(`"effective_unlocked_qty":"${tapped}\\.0000000000"`),
          /"completionOffset":\d+/,
          /The ledger is sound/,
        ])
          assert.match(out, said);
        t.diagnostic(out.split("\n").at(-2)!);
      }),
  );
}

test(
  "tutorial: what runs in production starts, is proved, stops and is restored",
  { skip: hasShell ? false : "no bash or curl here", timeout: 300_000 },
  () =>
    inTemporaryFolder(async (folder) => {
      const shell = blocks("src/packaging/tutorial-production.md", "sh");
      assert.equal(shell.length, 4);
      putProgram(folder);
      const port = await freeShift([0]), // others may use the tutorial's own
        script = shell.join("\n").replaceAll("17575", String(port));
      const { exit, out, err } = await run("bash", ["-eu", "-o", "pipefail", "-c", `PATH="${folder}:$PATH"\n${script}`], {
        cwd: join(folder, "project"),
      });
      assert.equal(exit, 0, out + err);
      for (const said of [
        new RegExp(`Port ${port} of 127\\.0\\.0\\.1 is free`),
        new RegExp(`The node at http://127\\.0\\.0\\.1:${port} serves`),
        /^ledgerline_ledger_end \d+$/m,
        /The ledger is sound/,
        /is in .*restored\. Start it with/,
      ])
        assert.match(out, said);
    }),
);
