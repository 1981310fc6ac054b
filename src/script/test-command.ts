/** `ledgerline test`: all scripts of some DARs. */
import { readFileSync } from "node:fs";
import { heardLater } from "../base/heard-later.js";
import { fail, isFailure, ok, type Result } from "../base/result.js";
import { fileChanges, stampsOf } from "./file-changes.js";
import type { FoundScript } from "./find-scripts.js";
import { DarLoader, type LoadedScripts } from "./load.js";
import { type ScriptFailure, type ScriptOutcome, shownName, showScript } from "./outcome.js";
import type { ContractMode } from "./packages.js";
import {
  CoverageResults,
  decodeResults,
  failureText,
  fileOf,
  outcomeLine,
  type ReportOptions,
  Reports,
  totalsLine,
  transactionsText,
} from "./report/index.js";
import { runScripts, type ScriptOfDar, scriptThreads, type Threads } from "./test-run.js";

export interface TestOptions {
  readonly dars: readonly string[];
  /** Files or modules whose scripts run; empty: all. */
  readonly files: readonly string[];
  /** Part of the names of scripts that run; of `Module:name` where it has a colon. */
  readonly pattern: string | undefined;
  /** Scripts of dependencies run too. */
  readonly all: boolean;
  readonly isColoured: boolean;
  readonly seed: string;
  readonly threads: number;
  readonly timeLimitMs: number;
  readonly mode: ContractMode | undefined;
  readonly reports: ReportOptions;
  /** Files with results of coverage of earlier runs. */
  readonly loadCoverage: readonly string[];
  /** Runs the scripts of a DAR again whenever it was built anew. */
  readonly watch: boolean;
}

export interface Output {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/** True when everything that was asked for ran, ran well, and is reported; of several runs, the last one. */
export async function testCommand(
  options: TestOptions,
  output: Output,
  stop: AbortSignal = new AbortController().signal,
): Promise<boolean> {
  const earlier = loadCoverage(options.loadCoverage);
  if (isFailure(earlier)) {
    output.err(`${earlier.error}\n`);
    return false;
  }
  const reports = new Reports(options.reports, options.dars, earlier.ok);
  if (options.dars.length === 0) {
    output.out(reports.ofEarlierRuns());
    return writeReports(reports, output);
  }
  const threads = scriptThreads(options.threads);
  const parts = { output, threads, loader: new DarLoader(), reports };
  try {
    const stamps = await stampsOf(options.dars);
    const first = new TestRun(options, parts);
    let isGood = await first.run();
    if (first.selectedNothing !== undefined) output.err(`${first.selectedNothing}\n`);
    if (!options.watch) return isGood;
    output.out(watching);
    for await (const changed of fileChanges(options.dars, stamps, stop)) {
      isGood = await new TestRun({ ...options, dars: changed }, parts).run();
      output.out(watching);
    }
    return isGood;
  } finally {
    await threads.close();
  }
}

function loadCoverage(files: readonly string[]): Result<CoverageResults, string> {
  let all = new CoverageResults();
  for (const file of files) {
    const bytes = readBytes(file);
    if (isFailure(bytes)) return bytes;
    const results = decodeResults(bytes.ok);
    if (isFailure(results)) return fail(`${file} ${results.error}.`);
    all = all.with(results.ok);
  }
  return ok(all);
}

function readBytes(file: string): Result<Buffer, string> {
  try {
    return ok(readFileSync(file));
  } catch (error) {
    return fail(`${file} cannot be read: ${(error as Error).message}`);
  }
}

function writeReports(reports: Reports, output: Output): boolean {
  const unwritten = reports.write();
  unwritten.forEach((problem) => output.err(`${problem}\n`));
  return unwritten.length === 0;
}

/** By its name or its file. Where the sources begin is not known: of `Sub.Test` and `Test`, `daml/Sub/Test.daml` is that of the first. */
function moduleOf(file: string, modules: readonly string[]): string | undefined {
  const path = `/${file.replaceAll("\\", "/")}`,
    fitting = modules.filter((module) => module === file || path.endsWith(`/${fileOf(module)}`));
  return fitting.sort((left, right) => right.length - left.length)[0];
}

const watching = "Waiting for a DAR to change.\n";

/** What runs have in common. */
interface TestParts {
  readonly output: Output;
  readonly threads: Threads;
  readonly loader: DarLoader;
  readonly reports: Reports;
}

class TestRun {
  #passed = 0;
  #failed = 0;
  #scriptsMs = 0;
  #dars = 0;
  #unusable = 0;
  #chosenCount = 0;
  /** Those of the options that chose nothing yet. */
  readonly #idleFiles: Set<string>;

  constructor(
    readonly options: TestOptions,
    readonly parts: TestParts,
  ) {
    this.#idleFiles = new Set(options.files);
  }

  /** As in the reference, a run without scripts is a good one; but what chose them may have been mistyped. */
  get selectedNothing(): string | undefined {
    const { files, pattern } = this.options,
      idle = this.#chosenCount === 0 ? files : [...this.#idleFiles],
      words = [
        ...(idle.length === 0 ? [] : [`--files ${idle.join(" ")}`]),
        ...(this.#chosenCount > 0 || pattern === undefined ? [] : [`--test-pattern ${pattern}`]),
      ];
    return words.length === 0 || this.#dars === 0 ? undefined : `No script was selected by ${words.join(" and ")}.`;
  }

  async run(): Promise<boolean> {
    const begun = performance.now();
    this.parts.output.out("Test Summary\n\n");
    // The next DAR is read while the scripts of those before it run.
    let before: Promise<void> = Promise.resolve();
    for (const file of this.options.dars) {
      const loaded = this.#load(file);
      if (isFailure(loaded)) {
        await before;
        this.#unusable++;
        this.parts.reports.addUnusable(file, loaded.error);
        this.parts.output.err(`${loaded.error}\n`);
        continue;
      }
      const outcomes = runScripts(this.parts.threads, this.#chosen(loaded.ok), {
        seed: this.options.seed,
        mode: this.options.mode,
        timeLimitMs: this.options.timeLimitMs,
        withLedger: this.parts.reports.needLedgers,
      });
      before = heardLater(this.#report(before, loaded.ok, outcomes));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await before;
    return this.#end(performance.now() - begun);
  }

  #end(elapsedMs: number): boolean {
    const isWritten = writeReports(this.parts.reports, this.parts.output);
    this.parts.output.out(
      `\n${totalsLine({ dars: this.#dars, passed: this.#passed, failed: this.#failed, elapsedMs, scriptsMs: this.#scriptsMs, threads: this.options.threads })}\n`,
    );
    return this.#failed === 0 && this.#unusable === 0 && isWritten;
  }

  #load(file: string): Result<LoadedScripts, string> {
    const bytes = readBytes(file);
    if (isFailure(bytes)) return bytes;
    const loaded = this.parts.loader.load(file, bytes.ok);
    if (isFailure(loaded)) return loaded;
    this.#dars++;
    const own = loaded.ok.scripts.filter(({ parameter }) => parameter === undefined);
    if (own.length === 0) this.parts.output.err(`${file} has no scripts that run without an argument.\n`);
    return ok(loaded.ok);
  }

  #chosen(loaded: LoadedScripts): readonly ScriptOfDar[] {
    const own = this.#chosenOfMain(loaded).map((script) => ({ dar: loaded.dar, script })),
      dependencies = this.options.all ? loaded.dependencyScripts() : [],
      others = dependencies.flatMap(({ dar, scripts }) => scripts.filter((each) => this.#fits(each)).map((script) => ({ dar, script })));
    this.#chosenCount += own.length + others.length;
    return [...own, ...others];
  }

  /** As in the reference by the name alone; a name has no colon. */
  #fits({ script }: FoundScript): boolean {
    const { pattern } = this.options;
    return pattern === undefined || (pattern.includes(":") ? showScript(script) : shownName(script.name)).includes(pattern);
  }

  #chosenOfMain({ scripts, main }: LoadedScripts): readonly FoundScript[] {
    const { files } = this.options,
      modules = [...main.modules.values()].map(({ name }) => name),
      ofFiles = new Map(files.map((file) => [file, moduleOf(file, modules)])),
      named = new Set(ofFiles.values());
    const chosen = scripts.filter(
      (each) => each.parameter === undefined && (files.length === 0 || named.has(each.script.module)) && this.#fits(each),
    );
    for (const [file, module] of ofFiles) if (chosen.some(({ script }) => script.module === module)) this.#idleFiles.delete(file);
    return chosen;
  }

  async #report(before: Promise<void>, loaded: LoadedScripts, outcomes: AsyncIterable<ScriptOutcome>): Promise<void> {
    const first = outcomes[Symbol.asyncIterator]();
    let next = heardLater(first.next()); // starts them
    await before;
    const told: ScriptOutcome[] = [];
    for (let result = await next; result.done !== true; result = await next) {
      next = first.next();
      told.push(result.value);
      this.#tell(result.value, loaded);
    }
    this.parts.output.out(this.parts.reports.add(loaded, told, this.options.all));
  }

  #tell(outcome: ScriptOutcome, { sources }: LoadedScripts): void {
    this.#scriptsMs += outcome.elapsedMs;
    this.parts.output.out(
      `${outcomeLine(outcome, this.options.isColoured)}\n${this.options.reports.transactions ? transactionsText(outcome) : ""}`,
    );
    if (outcome.failure === undefined) this.#passed++;
    else {
      this.#failed++;
      this.parts.output.err(`${failureText(outcome as ScriptOutcome & { readonly failure: ScriptFailure }, sources)}\n`);
    }
  }
}
