/**
 * `node dist/test/packaging/test-runners.js [FILES]`: a Vitest and a Jest project in empty folders, of 100 test files with a fresh ledger
 * each, by the tarball. Prints the time of a file and of all, and whether a handle was left open. The runners come from the registry that
 * npm is configured for.
 */
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { testData } from "../support/paths.js";
import { inTemporaryFolder, install, pack, run } from "./npm-package.js";

const files = Number(process.argv[2] ?? 100);
const environment = { NODE_TEST_CONTEXT: undefined };

/** Runners end their processes whatever is open there, so each file counts what keeps its event loop, native parts' too, before and after. */
const bodyOf = (end: string): string => `
let ledger, alice, before;
const open = () => {
  const kinds = [...before];
  return handles().filter((kind) => !kinds.includes(kind) || kinds.splice(kinds.indexOf(kind), 1) === undefined);
};
const handles = () => process.report.getReport().libuv.filter((one) => one.is_active && one.is_referenced).map(({ type }) => type);
beforeAll(async () => {
  before = handles();
  ledger = await startLedgerline({ memory: true, dars: [${JSON.stringify(testData("quickstart.dar"))}] });
  alice = await ledger.allocateParty("alice");
}, 60_000);
afterAll(async () => {
  ${end}
  for (let tries = 0; tries < 40 && open().length > 0; tries++) await new Promise((resolve) => setTimeout(resolve, 25));
  if (open().length > 0) throw new Error("left open: " + open().join(", "));
}, 60_000);
test("a fresh ledger takes its first transaction", async () => {
  const answer = await fetch(ledger.url + "/v2/commands/submit-and-wait", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      commands: [{ CreateCommand: { templateId: "#ref-model:M:Asset", createArguments: { issuer: alice, owner: alice, name: "gold", amount: "100" } } }],
      commandId: "1", actAs: [alice], userId: "me" }),
  });
  expect(answer.status).toBe(200);
  await answer.text();
  await expect(ledger.allocateParty("alice")).rejects.toThrow(LedgerlineError);
  await expect(ledger.allocateParty("alice")).rejects.toBeInstanceOf(Error);
}, 60_000);
`;

interface Runner {
  readonly name: "vitest" | "jest";
  readonly head: string;
  readonly extension: string;
  readonly config: readonly [name: string, text: string];
  readonly args: readonly string[];
}

const runners: readonly Runner[] = [
  {
    name: "vitest",
    head: 'import { afterAll, beforeAll, expect, test } from "vitest";\nimport { LedgerlineError, startLedgerline } from "ledgerline";\n',
    extension: "mjs",
    config: ["vitest.config.mjs", 'export default { test: { include: ["t/*.test.mjs"], maxWorkers: 2 } };\n'],
    args: ["run", "--reporter=json", "--outputFile=out.json"],
  },
  {
    name: "jest",
    head: 'const { LedgerlineError, startLedgerline } = require("ledgerline");\n',
    extension: "cjs",
    config: ["jest.config.json", JSON.stringify({ testMatch: ["**/t/*.test.cjs"], maxWorkers: 2, transform: {} })],
    args: ["--json", "--outputFile=out.json", "--silent"],
  },
];

interface Told {
  readonly numPassedTests: number;
  readonly testResults: readonly { readonly startTime: number; readonly endTime: number }[];
}

async function play({ name, head, extension, config: [configFile, config], args }: Runner, project: string): Promise<string> {
  mkdirSync(join(project, "t"));
  writeFileSync(join(project, configFile), config);
  const write = (name: string, end: string): void => writeFileSync(join(project, "t", `${name}.test.${extension}`), head + bodyOf(end));
  const program = join(project, "node_modules", ".bin", name);
  for (let number = 0; number < files; number++) write(`file-${number}`, "await ledger.stop();");
  const ran = await run(program, args, { cwd: project, env: environment });
  assert.equal(ran.exit, 0, `${name}: ${ran.out}${ran.err}`);
  const { numPassedTests, testResults } = JSON.parse(readFileSync(join(project, "out.json"), "utf8")) as Told;
  assert.deepEqual([testResults.length, numPassedTests], [files, files]);
  write("file-0", "setTimeout(() => void ledger.stop(), 5_000);");
  const leaking = await run(program, [...args, "file-0.test"], { cwd: project, env: environment });
  assert.notEqual(leaking.exit, 0, "a ledger that is not stopped is noticed");
  assert.match(readFileSync(join(project, "out.json"), "utf8") + leaking.out + leaking.err, /left open: /);
  const times = testResults.map(({ startTime, endTime }) => endTime - startTime).sort((left, right) => left - right),
    at = (part: number): number => Math.round(times[Math.floor((times.length - 1) * part)]!);
  const { version } = JSON.parse(readFileSync(join(project, "node_modules", name, "package.json"), "utf8")) as { version: string };
  return `| ${name} ${version} | ${files} | ${at(0.5)} ms | ${at(0.95)} ms | ${at(1)} ms | ${(ran.tookMs / 1_000).toFixed(1)} s, ${Math.round(ran.tookMs / files)} ms for each | none |`;
}

await inTemporaryFolder(async (folder) => {
  const packed = await pack(folder);
  console.log("| runner | files | time of a file, median | 95 % | longest | all, in two processes | handles left open |");
  console.log("|---|---|---|---|---|---|---|");
  for (const runner of runners) {
    const project = join(folder, runner.name);
    mkdirSync(project);
    await install(packed, project);
    const installed = await run("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--install-links", runner.name], {
      cwd: project,
    });
    assert.equal(installed.exit, 0, installed.err);
    console.log(await play(runner, project));
  }
});
