/** `ledgerline test`: all scripts of some DARs. */
import { readFileSync } from "node:fs";
import { heardLater } from "../base/heard-later.js";
import { fail, isFailure, ok, type Result } from "../base/result.js";
import { fileChanges, stampsOf } from "./file-changes.js";
import type { FoundScript } from "./find-scripts.js";
import { DarLoader, type LoadedScripts } from "./load.js";
import { type ScriptFailure, type ScriptOutcome, showScript } from "./outcome.js";
import type { ContractMode } from "./packages.js";
import { failureText, fileOf, outcomeLine, type ReportOptions, Reports, totalsLine, transactionsText } from "./report/index.js";
import { runScripts, scriptThreads, type Threads } from "./test-run.js";

export interface TestOptions {
  readonly dars: readonly string[];
  /** Files or modules whose scripts run; empty: all. */
  readonly files: readonly string[];
  /** Part of the names of scripts that run. */
  readonly pattern: string | undefined;
  readonly seed: string;
  readonly threads: number;
  readonly timeLimitMs: number;
  readonly mode: ContractMode | undefined;
  readonly reports: ReportOptions;
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
  const threads = scriptThreads(options.threads);
  const parts = { output, threads, loader: new DarLoader(), reports: new Reports(options.reports, options.dars) };
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
      const outcomes = runScripts(this.parts.threads, loaded.ok, this.#chosen(loaded.ok), {
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
    const unwritten = this.parts.reports.write();
    unwritten.forEach((problem) => this.parts.output.err(`${problem}\n`));
    this.parts.output.out(
      `\n${totalsLine({ dars: this.#dars, passed: this.#passed, failed: this.#failed, elapsedMs, scriptsMs: this.#scriptsMs, threads: this.options.threads })}\n`,
    );
    return this.#failed === 0 && this.#unusable === 0 && unwritten.length === 0;
  }

  #load(file: string): Result<LoadedScripts, string> {
    let bytes: Uint8Array;
    try {
      bytes = readFileSync(file);
    } catch (error) {
      return fail(`${file} cannot be read: ${(error as Error).message}`);
    }
    const loaded = this.parts.loader.load(file, bytes);
    if (isFailure(loaded)) return loaded;
    this.#dars++;
    const own = loaded.ok.scripts.filter(({ parameter }) => parameter === undefined);
    if (own.length === 0) this.parts.output.err(`${file} has no scripts that run without an argument.\n`);
    return ok(loaded.ok);
  }

  #chosen({ scripts, main }: LoadedScripts): readonly FoundScript[] {
    const { files, pattern } = this.options,
      modules = [...main.modules.values()].map(({ name }) => name),
      ofFiles = new Map(files.map((file) => [file, moduleOf(file, modules)])),
      named = new Set(ofFiles.values());
    const chosen = scripts.filter(
      ({ script, parameter }) =>
        parameter === undefined
        && (files.length === 0 || named.has(script.module))
        && (pattern === undefined || showScript(script).includes(pattern)),
    );
    for (const [file, module] of ofFiles) if (chosen.some(({ script }) => script.module === module)) this.#idleFiles.delete(file);
    this.#chosenCount += chosen.length;
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
    this.parts.output.out(this.parts.reports.add(loaded, told));
  }

  #tell(outcome: ScriptOutcome, { sources }: LoadedScripts): void {
    this.#scriptsMs += outcome.elapsedMs;
    this.parts.output.out(`${outcomeLine(outcome)}\n${this.options.reports.transactions ? transactionsText(outcome) : ""}`);
    if (outcome.failure === undefined) this.#passed++;
    else {
      this.#failed++;
      this.parts.output.err(`${failureText(outcome as ScriptOutcome & { readonly failure: ScriptFailure }, sources)}\n`);
    }
  }
}
