import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { version } from "../../src/version.js";
import { repositoryRoot } from "../support/paths.js";
import { firstTransaction, linksOf } from "../support/readme.js";
import { hasNpm, inTemporaryFolder, install, pack, publishedFiles, run } from "./npm-package.js";

const options = { skip: hasNpm ? false : "no npm here", timeout: 500_000 };
const hasShell = spawnSync("bash", ["-c", "curl --version"]).status === 0;

/** A quarter more than it is now: who makes it larger should notice. */
const packedBytesMax = 1_750_000,
  unpackedBytesMax = 7_400_000;

const program = `
  const file = "node_modules/ledgerline/test/data/quickstart.dar";
  const one = await startLedgerline({ memory: true, dars: [file] }), other = await startLedgerline();
  await other.uploadDar(readFileSync(file));
  for (const ledger of [one, other]) {
    const alice = await ledger.allocateParty("alice");
    const created = await fetch(ledger.url + "/v2/commands/submit-and-wait", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({
      commands: [{ CreateCommand: { templateId: "#ref-model:M:Asset", createArguments: { issuer: alice, owner: alice, name: "gold", amount: "100" } } }],
      commandId: "1", actAs: [alice], userId: "me" }) });
    if (created.status !== 200) throw new Error(await created.text());
  }
  if (one.url === other.url || one.participantId === other.participantId) throw new Error("two nodes are two ledgers");
  const refused = await one.allocateParty("alice").then(() => undefined, (error) => error);
  if (!(refused instanceof LedgerlineError) || refused.code !== "INVALID_ARGUMENT") throw new Error("refused: " + refused);
  await Promise.all([one.stop(), one.stop(), other.stop()]);
  console.log("stopped " + version);
`;

/** As `--omit=optional` leaves it, or a folder that was copied from another platform: what is wrong, what to do, and no line of the bundle. */
async function withoutNatives(project: string): Promise<void> {
  const modules = join(project, "node_modules"),
    aside = join(project, "aside"),
    program = join(modules, ".bin", "ledgerline"),
    inProcess =
      'try { require("ledgerline").startLedgerline().catch((error) => console.log(error.message)); } catch (error) { console.log(error.message); }';
  const missing: readonly (readonly [part: string, sentence: RegExp])[] = [
    [
      "@lmdb",
      /^A part that Ledgerline needs on \S+ is missing: .+\. Install the package again on this platform, without --omit=optional\.\n$/,
    ],
    ["lmdb", /^A part that Ledgerline needs on \S+ is missing: Cannot find module 'lmdb'\. Install .*\n$/],
    [
      "fs-native-extensions",
      /^\S+ cannot hold a ledger: files cannot be locked on \S+: Cannot find module .*\. Install Ledgerline again on this platform\.\n$/,
    ],
  ];
  const temporary = join(project, "temporary"),
    env = { TMPDIR: temporary };
  mkdirSync(temporary);
  for (const [part, sentence] of missing) {
    renameSync(join(modules, part), aside);
    const started = await run(program, ["start", "--memory", "--port", "0"], { cwd: project, env }),
      embedded = await run(process.execPath, ["-e", inProcess], { cwd: project, env });
    assert.deepEqual([started.exit, started.out, embedded.exit, embedded.err], [1, "", 0, ""], part);
    for (const told of [started.err, embedded.out]) assert.match(told, sentence, part);
    assert.deepEqual(
      readdirSync(temporary).filter((name) => name.startsWith("ledgerline")),
      [],
      "no folder of a node that did not start",
    );
    renameSync(aside, join(modules, part));
  }
  const natives = join(modules, "@lmdb", `lmdb-${process.platform}-${process.arch}`);
  if (!existsSync(natives)) return;
  for (const name of readdirSync(natives).filter((name) => name.endsWith(".node")))
    writeFileSync(join(natives, name), "of another platform");
  const { exit, err } = await run(program, ["start", "--memory", "--port", "0"], { cwd: project });
  assert.equal(exit, 1);
  assert.match(err, /^A part that Ledgerline needs on .* Install the package again on this platform, without --omit=optional\.\n$/);
}

test("npm package: every link of its pages leads to what is in it", options, async () => {
  const files = await publishedFiles(),
    holds = (path: string): boolean => files.some((file) => file === path || file.startsWith(`${path}/`)),
    pages = files.filter((file) => file.endsWith(".md")),
    links = pages.flatMap((page) => linksOf(page).map((target) => ({ page, path: target.split("#")[0]! })));
  assert.ok(links.length > 20);
  assert.deepEqual(
    links.filter(({ page, path }) => path !== "" && !holds(join(dirname(page), path).replaceAll("\\", "/").replace(/\/$/, ""))),
    [],
  );
});

test("npm package: its declaration is one that npm takes of who publishes it", () => {
  const { repository, publishConfig } = JSON.parse(readFileSync(join(repositoryRoot(), "package.json"), "utf8")) as {
    repository?: unknown;
    publishConfig: { provenance?: boolean };
  };
  assert.ok(publishConfig.provenance !== true || repository !== undefined, "a provenance names a repository");
});

test("npm package: it is small, holds the program and no tests, and from an empty folder serves the first transaction", options, (t) =>
  inTemporaryFolder(async (folder) => {
    const packed = await pack(folder),
      project = join(folder, "project");
    t.diagnostic(`packed ${packed.bytes} bytes, unpacked ${packed.unpackedBytes} bytes, ${packed.files.length} files`);
    assert.ok(packed.bytes <= packedBytesMax, `packed: ${packed.bytes} bytes`);
    assert.ok(packed.unpackedBytes <= unpackedBytesMax, `unpacked: ${packed.unpackedBytes} bytes`);
    assert.deepEqual(
      packed.files.filter(
        (file) =>
          !/\.md$|^(?:dist\/(?:bundle|console)\/|LICENSE$|NOTICE$|package\.json$|src\/packaging\/(?:public\.d\.cts$|operate\/)|src\/console\/\w+\.webp$|test\/prove\/mixed-load\.svg$|test\/data\/quickstart\.dar$)/.test(
            file,
          ),
      ),
      [],
    );
    for (const needed of ["README.md", "LICENSE", "NOTICE", "dist/bundle/licences.txt", "dist/bundle/main.js"])
      assert.ok(packed.files.includes(needed), needed);

    await install(packed, project);
    const told = await run("npx", ["--no-install", "ledgerline", "version"], { cwd: project });
    assert.deepEqual([told.exit, told.out], [0, `ledgerline ${version}\n`], told.err);

    // Both kinds of modules; and a process ends by itself when its nodes have.
    writeFileSync(
      join(project, "module.mjs"),
      `import { readFileSync } from "node:fs";\nimport { LedgerlineError, startLedgerline, version } from "ledgerline";\n${program}`,
    );
    writeFileSync(
      join(project, "script.cjs"),
      `const { readFileSync } = require("node:fs");\nconst { LedgerlineError, startLedgerline, version } = require("ledgerline");\n(async () => {${program}})();`,
    );
    for (const file of ["module.mjs", "script.cjs"]) {
      const ran = await run(process.execPath, [file], { cwd: project });
      assert.deepEqual([ran.exit, ran.out, ran.err], [0, `stopped ${version}\n`, ""], file);
    }

    // Its declarations hold for who compiles against them.
    writeFileSync(
      join(project, "typed.mts"),
      `
    import { startLedgerline, type Ledgerline } from "ledgerline";
    const ledger: Ledgerline = await startLedgerline({ memory: true, dars: ["x.dar", new Uint8Array()] });
    const party: string = await ledger.allocateParty();
    // @ts-expect-error there is no such option
    await startLedgerline({ memry: true });
    await ledger.stop();
  `,
    );
    mkdirSync(join(project, "node_modules", "@types"), { recursive: true });
    const types = join(project, "node_modules", "@types", "node");
    if (!existsSync(types)) symlinkSync(join(repositoryRoot(), "node_modules", "@types", "node"), types, "dir");
    const compiled = await run(
      process.execPath,
      [
        join(repositoryRoot(), "node_modules", "typescript", "bin", "tsc"),
        "--noEmit",
        "--strict",
        "--module",
        "nodenext",
        "--target",
        "es2022",
        "--lib",
        "es2023,esnext.disposable",
        "--skipLibCheck",
        "typed.mts",
      ],
      { cwd: project },
    );
    assert.equal(compiled.exit, 0, compiled.out);

    if (!hasShell) {
      t.diagnostic("no bash or curl here: the first transaction was not run as printed");
      return withoutNatives(project);
    }
    const node = spawn(join(project, "node_modules", ".bin", "ledgerline"), ["start", "--memory", "--port", "0", "--log-level", "warn"], {
      cwd: project,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [line] = (await once(createInterface({ input: node.stdout }), "line")) as [string];
    const walked = await run("bash", ["-eu", "-o", "pipefail", "-c", firstTransaction(line.split(":").at(-1)!)], {
      cwd: join(project, "node_modules", "ledgerline"),
    });
    node.kill();
    const [exit] = (await once(node, "exit")) as [number];
    assert.equal(walked.exit, 0, walked.err);
    assert.match(walked.out, /"JsActiveContract":\{"createdEvent":\{[^]*"owner":"bob::/);
    assert.equal(exit, 0);
    await withoutNatives(project);
  }),
);
