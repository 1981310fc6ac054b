/**
 * `npm run golden -- FOLDER [DARS] [LINES]`: every recording of the reference in the folder against this engine, with
 * counts per family. DARS is where the DARs lie, if not in the folder itself (the public ones are not copied).
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { isMainThread, Worker } from "node:worker_threads";
import { limits } from "../../src/config.js";
import { runEval } from "./eval.js";
import { runScenarios } from "./scenario.js";
import { runUpgrades } from "./scenario-upgrades.js";

interface Report { readonly title: string; readonly counts: string; readonly differing: number; readonly lines: readonly string[] }

const skippedDars = (skipped: number): string => (skipped === 0 ? "" : `, ${skipped} skipped: their DARs are not here`);

function* evaluations(folder: string): IterableIterator<Report> {
  for (const { family, cases, equal, differences } of runEval(folder)) {
    const lines = differences.map(({ fn, args, expected, actual }) => `${fn} ${args}\n      recorded ${expected}\n      ours     ${actual}`);
    yield { title: `eval ${family}`, counts: `${equal} of ${cases} equal`, differing: cases - equal, lines };
  }
}

function* scenarios(folder: string, dars: string | undefined): IterableIterator<Report> {
  if (!existsSync(join(folder, "scenarios"))) return;
  for (const { family, steps, equal, skipped, differences } of runScenarios(folder, dars)) {
    const lines = differences.map(({ scenario, step, path, expected, actual }) => `${scenario} / ${step} ${path}\n      recorded ${expected}\n      ours     ${actual}`);
    yield { title: `scenarios ${family}`, counts: `${equal} of ${steps} steps equal${skippedDars(skipped)}`, differing: steps - equal - skipped, lines };
  }
}

/** With several violations the reference reports any of them: another class alone is told, but no difference. */
function* upgrades(folder: string, dars: string | undefined): IterableIterator<Report> {
  if (!existsSync(join(folder, "upgrades.json"))) return;
  const { cases, equal, skipped, differences, otherClasses } = runUpgrades(folder, dars);
  const counts = `${equal} of ${cases} verdicts and classes equal, ${otherClasses.length} with another class${skippedDars(skipped)}`;
  yield { title: "upgrades", counts, differing: differences.length, lines: [...differences, ...otherClasses] };
}

function run(folder: string, dars: string | undefined, linesMax: number): boolean {
  let left = linesMax;
  let differing = 0;
  for (const report of [...evaluations(folder), ...scenarios(folder, dars), ...upgrades(folder, dars)]) {
    process.stdout.write(`${report.title}: ${report.counts}\n`);
    for (const line of report.lines) if (left-- > 0) process.stdout.write(`    ${line}\n`);
    differing += report.differing;
  }
  process.stdout.write(differing === 0 ? "no differences\n" : `${differing} differences\n`);
  return differing === 0;
}

const [folder, ...rest] = process.argv.slice(2);
if (folder === undefined) {
  process.stderr.write("usage: golden FOLDER [DARS] [LINES]\n");
  process.exitCode = 2;
} else if (isMainThread) {
  // Cases recurse a million deep, so they run where the engine runs: on a worker with a large stack.
  const worker = new Worker(new URL(import.meta.url), { argv: [folder, ...rest], resourceLimits: { stackSizeMb: limits.workerStackMb } });
  worker.on("exit", (code) => { process.exitCode = code; });
} else {
  const lines = rest.find((argument) => /^[0-9]+$/.test(argument)) ?? "60";
  process.exitCode = run(folder, rest.find((argument) => argument !== lines), Number(lines)) ? 0 : 1;
}
