/**
 * `npm run golden -- FOLDER [DARS] [LINES]`: every recording of the reference in the folder against this engine, with
 * counts per family and every difference. DARS is where the DARs lie, if not in the folder itself (the public ones are
 * not copied); it goes with a subfolder `real` of FOLDER too.
 * `npm run golden -- --packages FOLDER`: every DAR of the folder decoded, validated and compiled, with times.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { isMainThread, Worker } from "node:worker_threads";
import { limits } from "../../src/config.js";
import { runDecode } from "./decode.js";
import { runEval } from "./eval.js";
import { loadFolder, loadLargest } from "./packages.js";
import { runScenarios } from "./scenario.js";
import { runUpgrades } from "./scenario-upgrades.js";

interface Report {
  readonly title: string;
  readonly counts: string;
  readonly differing: number;
  readonly lines: readonly string[];
}

const skippedDars = (skipped: number): string => (skipped === 0 ? "" : `, ${skipped} skipped: their DARs are not here`);
const parted = (what: string, expected: string, actual: string): string => `${what}\n      recorded ${expected}\n      ours     ${actual}`;

function* evaluations(folder: string): IterableIterator<Report> {
  for (const { family, cases, equal, refused, differences } of runEval(folder)) {
    const lines = differences.map(({ fn, args, expected, actual }) => parted(`${fn} ${args}`, expected, actual));
    const counts = `${equal} of ${cases} equal${refused === 0 ? "" : `, ${refused} refused by the name of an LF 2.dev builtin`}`;
    yield { title: `eval ${family}`, counts, differing: differences.length, lines };
  }
}

function* scenarios(folder: string, dars: string | undefined): IterableIterator<Report> {
  if (!existsSync(join(folder, "scenarios"))) return;
  for (const { family, steps, equal, skipped, differences } of runScenarios(folder, dars)) {
    const lines = differences.map(({ scenario, step, path, expected, actual }) =>
      parted(`${scenario} / ${step} ${path}`, expected, actual),
    );
    yield {
      title: `scenarios ${family}`,
      counts: `${equal} of ${steps} steps equal${skippedDars(skipped)}`,
      differing: steps - equal - skipped,
      lines,
    };
  }
}

/** With several violations the reference reports any of them: another class alone is told, but no difference. */
function* upgrades(folder: string, dars: string | undefined): IterableIterator<Report> {
  if (!existsSync(join(folder, "upgrades.json"))) return;
  const { cases, equal, skipped, differences, otherClasses } = runUpgrades(folder, dars);
  const counts = `${equal} of ${cases} verdicts and classes equal, ${otherClasses.length} with another class${skippedDars(skipped)}`;
  yield { title: "upgrades", counts, differing: differences.length, lines: [...differences, ...otherClasses] };
}

function* decoded(folder: string, dars: string | undefined): IterableIterator<Report> {
  for (const { family, cases, equal, skipped, explained, differences } of runDecode(folder, dars)) {
    const lines = [...differences.map(({ dar, what, expected, actual }) => parted(`${dar} ${what}`, expected, actual)), ...explained];
    yield {
      title: family,
      counts: `${equal} of ${cases} equal, ${explained.length} explained${skippedDars(skipped)}`,
      differing: new Set(differences.map(({ dar }) => dar)).size,
      lines,
    };
  }
}

function* reports(folder: string, dars: string | undefined): IterableIterator<Report> {
  yield* evaluations(folder);
  yield* scenarios(folder, dars);
  yield* upgrades(folder, dars);
  yield* decoded(folder, dars);
}

/** The recordings of public DARs lie in a subfolder, the DARs wherever they were fetched to. */
function* allReports(folder: string, dars: string | undefined): IterableIterator<Report> {
  const real = join(folder, "real");
  if (!existsSync(real)) return yield* reports(folder, dars);
  yield* reports(folder, undefined);
  for (const report of reports(real, dars ?? join(real, "dars"))) yield { ...report, title: `real ${report.title}` };
}

function run(folder: string, dars: string | undefined, linesMax: number): boolean {
  let left = linesMax;
  let differing = 0;
  for (const report of allReports(folder, dars)) {
    process.stdout.write(`${report.title}: ${report.counts}\n`);
    for (const line of report.lines) if (left-- > 0) process.stdout.write(`    ${line}\n`);
    differing += report.differing;
  }
  process.stdout.write(differing === 0 ? "no differences\n" : `${differing} differences\n`);
  return differing === 0;
}

const shownFilesMax = 10;

function runPackages(folder: string): boolean {
  const began = Date.now();
  const largest = loadLargest(folder);
  if (largest !== undefined) {
    process.stdout.write(
      `largest, alone and from nothing: ${largest.dar}, ${largest.bytes} bytes, ${largest.packages} packages, ${largest.functions} functions: `
        + `load ${largest.loadMs.toFixed(0)} ms, compile ${largest.compileMs.toFixed(0)} ms of processor time, ${largest.heapMb.toFixed(0)} MB of heap held\n`,
    );
  }
  const { files, packages } = loadFolder(folder);
  const row = (cells: readonly (string | number)[]): string =>
    cells.map((cell, index) => (index === 0 ? String(cell).padEnd(56) : String(cell).padStart(10))).join(" ") + "\n";
  process.stdout.write(row(["slowest DARs (packages new with it)", "packages", "functions", "load ms", "compile ms"]));
  const byTime = [...files].sort((a, b) => b.loadMs + b.compileMs - a.loadMs - a.compileMs).slice(0, shownFilesMax);
  for (const file of byTime)
    process.stdout.write(row([file.dar, file.packages, file.functions, file.loadMs.toFixed(0), file.compileMs.toFixed(0)]));
  const sum = (of: "functions" | "loadMs" | "compileMs"): number => files.reduce((total, file) => total + file[of], 0);
  process.stdout.write(
    row([`all ${files.length} DARs`, packages.size, sum("functions"), sum("loadMs").toFixed(0), sum("compileMs").toFixed(0)]),
  );
  const versions = new Map<string, number>();
  for (const { lfVersion } of packages.values()) versions.set(lfVersion, (versions.get(lfVersion) ?? 0) + 1);
  process.stdout.write(`packages by version: ${[...versions].map(([version, count]) => `${count} of ${version}`).join(", ")}\n`);
  for (const { dar, refusal, isExpected } of files)
    if (refusal !== undefined) process.stdout.write(`${isExpected ? "refused as by the reference" : "NOT EXPECTED"}: ${dar}: ${refusal}\n`);
  process.stdout.write(
    `${((Date.now() - began) / 1_000).toFixed(1)} s, peak memory ${(process.resourceUsage().maxRSS / 1_024).toFixed(0)} MB\n`,
  );
  return files.every(({ isExpected }) => isExpected);
}

function runArguments(words: readonly string[]): boolean {
  if (words[0] === "--packages") return runPackages(words[1]!);
  const lines = words.slice(1).find((word) => /^[0-9]+$/.test(word));
  return run(
    words[0]!,
    words.slice(1).find((word) => word !== lines),
    Number(lines ?? "200"),
  );
}

const words = process.argv.slice(2);
if (words.length === 0 || words.at(-1) === "--packages") {
  process.stderr.write("usage: golden FOLDER [DARS] [LINES]\n       golden --packages FOLDER\n");
  process.exitCode = 2;
} else if (isMainThread) {
  // Cases recurse a million deep, so they run where the engine runs: on a worker with a large stack.
  const worker = new Worker(new URL(import.meta.url), {
    argv: words,
    resourceLimits: { stackSizeMb: limits.workerStackMb, maxOldGenerationSizeMb: limits.workerOldGenerationMb },
  });
  worker.on("exit", (code) => {
    process.exitCode = code;
  });
} else process.exitCode = runArguments(words) ? 0 : 1;
