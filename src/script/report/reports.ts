/** The reports of a test run that go to files, or come after the scripts of a DAR. */
import { basename, join } from "node:path";
import type { LoadedScripts } from "../load.js";
import { type ScriptName, type ScriptOutcome, showScript } from "../outcome.js";
import { writeOutput } from "../output-file.js";
import { type CoverageReport, coverageReport } from "./coverage.js";
import { encodeResults } from "./coverage-file.js";
import { coverageHtml } from "./coverage-html.js";
import { CoverageResults, resultsOf } from "./coverage-results.js";
import { coverageText } from "./coverage-text.js";
import { junitXml } from "./junit.js";
import { tableHtml, transactionsHtml } from "./transactions.js";

export interface ReportOptions {
  readonly junit: string | undefined;
  /** Whether the coverage names what was never used. */
  readonly coverage: boolean;
  /** Files that end with .json or .html. */
  readonly coverageOutputs: readonly string[];
  /** Of choices that are left out of it. */
  readonly ignoredChoices: readonly RegExp[];
  /** For results of coverage, those of earlier runs included. */
  readonly saveCoverage: string | undefined;
  readonly transactions: boolean;
  /** A folder, for a page of each DAR. */
  readonly transactionsOutput: string | undefined;
  /** A folder, for a page of each script that ran well. */
  readonly tableOutput: string | undefined;
}

/** What is told of a DAR; in the end, and when it was built anew, the last of it. */
interface Told {
  readonly package: string;
  readonly outcomes: readonly ScriptOutcome[];
  readonly results: CoverageResults;
  readonly coverage: CoverageReport;
}

export class Reports {
  readonly #told = new Map<string, Told>();
  /** By the files of DARs that could not be run, why. */
  readonly #unusable = new Map<string, string>();
  /** Those that are not written yet, by their files. */
  readonly #pages = new Map<string, string>();
  readonly #pageNames: ReadonlyMap<string, string>;
  /** By files of DARs and names of scripts. */
  readonly #tableNames = new Map<string, string>();

  /** `dars`: all files that are reported of; `earlier`: of other runs, which count too. */
  constructor(
    readonly options: ReportOptions,
    readonly dars: readonly string[],
    readonly earlier: CoverageResults = new CoverageResults(),
  ) {
    this.#pageNames = pageNames(dars);
  }

  /** Also of scripts that ran well. */
  get needLedgers(): boolean {
    const { transactions, transactionsOutput, tableOutput } = this.options;
    return transactions || transactionsOutput !== undefined || tableOutput !== undefined;
  }

  /** What to print after the scripts of a DAR. `withDependencies`: those of its dependencies ran too. */
  add(loaded: LoadedScripts, all: readonly ScriptOutcome[], withDependencies: boolean): string {
    const { junit, transactionsOutput } = this.options,
      { main } = loaded,
      { file } = loaded.dar,
      name = `${main.name}-${main.version}`,
      outcomes = all.filter(({ script }) => script.dependency === undefined);
    if (transactionsOutput !== undefined)
      this.#pages.set(join(transactionsOutput, this.#pageNames.get(file)!), transactionsHtml(`Transactions of ${name}`, outcomes));
    this.#addTables(file, outcomes);
    const results = resultsOf(loaded, all, withDependencies),
      coverage = this.#coverageOf(name, results);
    this.#unusable.delete(file);
    this.#told.set(file, {
      package: name,
      outcomes: junit === undefined ? [] : outcomes.map((outcome) => ({ ...outcome, ledger: undefined })),
      results,
      coverage,
    });
    return `\n${this.#pageNames.size > 1 ? `Coverage of ${name}\n` : ""}${coverageText(coverage, this.options.coverage)}`;
  }

  /** What to print where nothing runs. */
  ofEarlierRuns(): string {
    return coverageText(this.#coverageOf("", new CoverageResults()), this.options.coverage);
  }

  #coverageOf(name: string, results: CoverageResults): CoverageReport {
    return coverageReport(name, results.with(this.earlier).withoutChoices(this.options.ignoredChoices));
  }

  #addTables(file: string, outcomes: readonly ScriptOutcome[]): void {
    const { tableOutput } = this.options;
    if (tableOutput === undefined) return;
    for (const outcome of outcomes) {
      const table = outcome.failure === undefined ? tableHtml(showScript(outcome.script), outcome) : undefined;
      if (table !== undefined) this.#pages.set(join(tableOutput, this.#tableName(file, outcome.script)), table);
    }
  }

  /** As the reference calls them, but scripts of one name in several modules have several. */
  #tableName(file: string, script: ScriptName): string {
    const key = `${file}:${showScript(script)}`,
      taken = new Set([...this.#tableNames.values()].map((name) => name.toLowerCase()));
    let name = this.#tableNames.get(key) ?? `table-${script.name}.html`;
    for (let number = 2; !this.#tableNames.has(key) && taken.has(name.toLowerCase()); number++)
      name = `table-${script.name}-${number}.html`;
    this.#tableNames.set(key, name);
    return name;
  }

  /** A DAR that cannot be run; what was told of it is of a build that is no longer there. */
  addUnusable(file: string, why: string): void {
    this.#told.delete(file);
    this.#unusable.set(file, why);
  }

  /** A sentence for each file that could not be written. */
  write(): readonly string[] {
    const { junit, coverageOutputs, saveCoverage } = this.options,
      told = [...new Set(this.dars)].flatMap((file) => (this.#told.has(file) ? [{ file, ...this.#told.get(file)! }] : [])),
      coverage = told.map((each) => each.coverage);
    const nameOf = ({ file, package: name }: (typeof told)[number]): string =>
      told.some((other) => other.package === name && other.file !== file) ? `${name} of ${file}` : name;
    const files = new Map<string, string | Uint8Array>(this.#pages);
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
    if (saveCoverage !== undefined) files.set(saveCoverage, encodeResults(this.earlier.with(...told.map(({ results }) => results))));
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
