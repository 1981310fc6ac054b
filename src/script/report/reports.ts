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

/** What is told of a DAR; in the end, and when it was built anew, the last of it. */
interface Told {
  readonly package: string;
  readonly outcomes: readonly ScriptOutcome[];
  readonly coverage: CoverageReport | undefined;
}

export class Reports {
  readonly #told = new Map<string, Told>();
  /** By the files of DARs that could not be run, why. */
  readonly #unusable = new Map<string, string>();
  /** Those that are not written yet, by their files. */
  readonly #pages = new Map<string, string>();
  readonly #pageNames: ReadonlyMap<string, string>;

  /** `dars`: all files that are reported of. */
  constructor(
    readonly options: ReportOptions,
    readonly dars: readonly string[],
  ) {
    this.#pageNames = pageNames(dars);
  }

  /** Also of scripts that ran well. */
  get needLedgers(): boolean {
    return this.options.transactions || this.options.transactionsOutput !== undefined;
  }

  /** What to print after the scripts of a DAR. */
  add({ dar: { file }, main, packages }: LoadedScripts, outcomes: readonly ScriptOutcome[]): string {
    const { junit, coverage, coverageOutputs, transactionsOutput } = this.options,
      name = `${main.name}-${main.version}`;
    if (transactionsOutput !== undefined)
      this.#pages.set(join(transactionsOutput, this.#pageNames.get(file)!), transactionsHtml(`Transactions of ${name}`, outcomes));
    const report =
      coverage || coverageOutputs.length > 0
        ? coverageReport(
            main,
            packages,
            outcomes.map((outcome) => outcome.coverage),
          )
        : undefined;
    this.#unusable.delete(file);
    this.#told.set(file, {
      package: name,
      outcomes: junit === undefined ? [] : outcomes.map((outcome) => ({ ...outcome, ledger: undefined })),
      coverage: report,
    });
    return coverage ? `\n${coverageText(report!)}` : "";
  }

  /** A DAR that cannot be run; what was told of it is of a build that is no longer there. */
  addUnusable(file: string, why: string): void {
    this.#told.delete(file);
    this.#unusable.set(file, why);
  }

  /** A sentence for each file that could not be written. */
  write(): readonly string[] {
    const { junit, coverageOutputs } = this.options,
      told = [...new Set(this.dars)].flatMap((file) => (this.#told.has(file) ? [{ file, ...this.#told.get(file)! }] : [])),
      coverage = told.flatMap((each) => each.coverage ?? []);
    const nameOf = ({ file, package: name }: (typeof told)[number]): string =>
      told.some((other) => other.package === name && other.file !== file) ? `${name} of ${file}` : name;
    const files = new Map(this.#pages);
    this.#pages.clear();
    if (junit !== undefined)
      files.set(
        junit,
        junitXml(
          told.map((each) => ({ name: this.#pageNames.size > 1 ? nameOf(each) : undefined, outcomes: each.outcomes })),
          Array.from(this.#unusable, ([file, why]) => ({ file, why })),
        ),
      );
    for (const file of coverageOutputs)
      files.set(file, file.endsWith(".json") ? `${JSON.stringify(coverage, undefined, 2)}\n` : coverageHtml(coverage));
    return [...files].flatMap(([file, content]) => writeOutput(file, content) ?? []);
  }
}

/** Files of one name in several folders have pages of several names, where upper and lower case may be the same. */
function pageNames(dars: readonly string[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>(),
    taken = new Set<string>();
  for (const file of new Set(dars)) {
    const name = basename(file, ".dar");
    let page = name;
    for (let number = 2; taken.has(page.toLowerCase()); number++) page = `${name}-${number}`;
    taken.add(page.toLowerCase());
    names.set(file, `${page}.html`);
  }
  return names;
}
