/**
 * `npm run coverage [-- PART ...]`: runs the tests whose paths contain one of the parts with V8's counters on, in their processes and in those
 * that they start, and says which share of the branches of engine, ledger, store and authorisation they took. Exit code 1: less than is
 * asked for. In a build without bundle, as counters are of the files that run. Whether the tests pass is for `npm test` to decide.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { Report } from "c8";
import { repositoryRoot } from "../support/paths.js";

const folders = ["auth", "ledger", "lf", "store"] as const,
  shareMin = 0.95,
  filesToldMax = 12;
/** Those of the program (`main/`) and of the console have other things to tell. */
const partsOfAll = [
  ...["admin/", "api/", "attack/", "auth/", "clients/", "conformance/", "crash/", "external/", "golden/", "http/", "ledger/"],
  ...["lf/", "properties/", "prove/", "scenarios/", "script/", "splice/", "store/", "telemetry/", "workers/"],
];

interface Branches {
  readonly total: number;
  readonly covered: number;
}
interface FileBranches extends Branches {
  readonly file: string;
}

const source = join(repositoryRoot(), "dist", "src"),
  built = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

function runTests(counters: string, parts: readonly string[]): void {
  const preload = `--require ${built("./engine-threads.cjs")}`,
    env = { ...process.env, NODE_V8_COVERAGE: counters, NODE_OPTIONS: preload };
  const { status } = spawnSync(process.execPath, [built("../all.js"), ...parts], { env, stdio: "inherit" });
  if (status !== 0) console.log("Some of them failed.");
}

async function branchesOf(counters: string): Promise<readonly FileBranches[]> {
  const reports = join(counters, "reports");
  const options = {
    include: folders.map((folder) => `dist/src/${folder}/**`),
    exclude: [],
    extension: [".js"],
    excludeAfterRemap: false,
    tempDirectory: counters,
    reportsDirectory: reports,
    reporter: ["json-summary"],
    resolve: "",
    src: [source],
    all: true,
    mergeAsync: true, // one file after the other, as there are hundreds; its types leave this out
  };
  await new Report(options).run();
  const summary = JSON.parse(readFileSync(join(reports, "coverage-summary.json"), "utf8")) as Record<
    string,
    { readonly branches: Branches }
  >;
  return Object.entries(summary)
    .filter(([file]) => file.startsWith(source + sep))
    .map(([file, { branches }]) => ({ file: file.slice(source.length + 1), ...branches }));
}

function sum(files: readonly Branches[]): Branches {
  const of = (count: keyof Branches): number => files.reduce((total, file) => total + file[count], 0);
  return { total: of("total"), covered: of("covered") };
}

const percent = ({ total, covered }: Branches): string => `${((100 * covered) / total).toFixed(2)} %`;

function tell(files: readonly FileBranches[]): boolean {
  let isEnough = true;
  console.log("\nfolder   branches   taken");
  for (const folder of folders) {
    const branches = sum(files.filter(({ file }) => file.startsWith(`${folder}${sep}`)));
    isEnough &&= branches.covered >= shareMin * branches.total;
    console.log(`${folder.padEnd(8)} ${String(branches.total).padStart(8)}   ${percent(branches)}`);
  }
  console.log("\nmost that no test took:");
  const missing = ({ total, covered }: Branches): number => total - covered;
  for (const each of [...files].sort((a, b) => missing(b) - missing(a)).slice(0, filesToldMax))
    console.log(`${String(missing(each)).padStart(4)} of ${each.total}  ${each.file}`);
  return isEnough;
}

const asked = process.argv.slice(2),
  counters = mkdtempSync(join(tmpdir(), "ledgerline-coverage-"));
try {
  runTests(counters, asked.length > 0 ? asked : partsOfAll);
  process.exitCode = tell(await branchesOf(counters)) ? 0 : 1;
} finally {
  rmSync(counters, { recursive: true });
}
