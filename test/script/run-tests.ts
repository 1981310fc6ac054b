/** `ledgerline test` in this process, with the options that a test does not care about. */
import { testCommand, type TestOptions } from "../../src/script/index.js";

export interface Asked extends Partial<Omit<TestOptions, "reports" | "watch">> {
  readonly dars: readonly string[];
  readonly reports?: Partial<TestOptions["reports"]>;
}

interface Watching {
  readonly signal: AbortSignal;
  /** Of each text, as it is told. */
  readonly onOut: (text: string) => void;
}

export interface Told {
  readonly isGood: boolean;
  readonly out: string;
  /** One of each script that fails, and of each DAR that cannot be read. */
  readonly errors: readonly string[];
}

export async function runTests({ reports, ...asked }: Asked, watching?: Watching): Promise<Told> {
  let out = "";
  const errors: string[] = [];
  const isGood = await testCommand(
    {
      files: [],
      pattern: undefined,
      all: false,
      isColoured: false,
      loadCoverage: [],
      seed: "0",
      threads: 1,
      timeLimitMs: 60_000,
      mode: undefined,
      watch: watching !== undefined,
      reports: {
        junit: undefined,
        coverage: false,
        coverageOutputs: [],
        ignoredChoices: [],
        saveCoverage: undefined,
        transactions: false,
        transactionsOutput: undefined,
        tableOutput: undefined,
        ...reports,
      },
      ...asked,
    },
    {
      out: (text) => {
        out += text;
        watching?.onOut(text);
      },
      err: (text) => {
        errors.push(text);
      },
    },
    watching?.signal,
  );
  return { isGood, out, errors };
}
