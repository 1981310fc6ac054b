/** The reports of a test run that go to files, or come after the scripts of a DAR. */
import { basename, join } from "node:path";
import type { LoadedScripts } from "../load.js";
import type { ScriptOutcome } from "../outcome.js";
import { writeOutput } from "../output-file.js";
import { type CoverageReport, coverageReport } from "./coverage.js";
import { coverageHtml } from "./coverage-html.js";
import { coverageText } from "./coverage-text.js";
import { junitXml } from "./junit.js";
import { transactionsHtml } from "./transactions.js";

export interface ReportOptions {
  readonly junit: string | undefined;
  readonly coverage: boolean;
  /** Files that end with .json or .html. */
  readonly coverageOutputs: readonly string[];
  readonly transactions: boolean;
  /** A folder, for a page of each DAR. */
  readonly transactionsOutput: string | undefined;
}

export class Reports {
  readonly #outcomes: ScriptOutcome[] = [];
  readonly #coverage: CoverageReport[] = [];
  readonly #pages = new Map<string, string>();

  constructor(readonly options: ReportOptions) {}

  /** Also of scripts that ran well. */
  get needLedgers(): boolean {
    return this.options.transactions || this.options.transactionsOutput !== undefined;
  }

  /** What to print after the scripts of a DAR. */
  add({ dar: { file }, main, packages }: LoadedScripts, outcomes: readonly ScriptOutcome[]): string {
    const { junit, coverage, coverageOutputs, transactionsOutput } = this.options;
    if (junit !== undefined) this.#outcomes.push(...outcomes.map((outcome) => ({ ...outcome, ledger: undefined })));
    if (transactionsOutput !== undefined)
      this.#pages.set(
        join(transactionsOutput, `${basename(file, ".dar")}.html`),
        transactionsHtml(`Transactions of ${main.name}-${main.version}`, outcomes),
      );
    if (!coverage && coverageOutputs.length === 0) return "";
    const report = coverageReport(
      main,
      packages,
      outcomes.map((outcome) => outcome.coverage),
    );
    this.#coverage.push(report);
    return coverage ? `\n${coverageText(report)}` : "";
  }

  /** A sentence for each file that could not be written. */
  write(): readonly string[] {
    const { junit, coverageOutputs } = this.options;
    const files = new Map(this.#pages);
    if (junit !== undefined) files.set(junit, junitXml(this.#outcomes));
    for (const file of coverageOutputs)
      files.set(file, file.endsWith(".json") ? `${JSON.stringify(this.#coverage, undefined, 2)}\n` : coverageHtml(this.#coverage));
    return [...files].flatMap(([file, content]) => writeOutput(file, content) ?? []);
  }
}
