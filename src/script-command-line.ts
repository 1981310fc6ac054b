/** Flags of the commands that run scripts. */
import { availableParallelism } from "node:os";
import { fail, isFailure, ok, type Result } from "./base/result.js";
import { limits } from "./config.js";

export interface TestCommandLine {
  readonly dars: readonly string[];
  readonly files: readonly string[];
  readonly pattern: string | undefined;
  readonly seed: string;
  readonly threads: number;
  readonly timeLimitMs: number;
  /** Undefined: as the packages need it. */
  readonly mode: "NoKey" | "NUCK" | undefined;
  readonly watch: boolean;
  readonly reports: {
    readonly junit: string | undefined;
    readonly coverage: boolean;
    readonly coverageOutputs: readonly string[];
    readonly transactions: boolean;
    readonly transactionsOutput: string | undefined;
  };
}

interface Caller {
  readonly tokenFile: string | undefined;
  readonly userId: string | undefined;
}

export interface ScriptCommandLine {
  readonly dar: string;
  readonly scripts: readonly string[];
  readonly inputFile: string | undefined;
  readonly outputFile: string | undefined;
  readonly ledger:
    | { readonly kind: "memory"; readonly mode: "NoKey" | "NUCK" | undefined; readonly seed: string }
    | { readonly kind: "sandbox" }
    | ({ readonly kind: "node"; readonly url: string } & Caller)
    | ({ readonly kind: "participants"; readonly file: string } & Caller);
  readonly staticTime: boolean;
  readonly uploadDar: boolean;
  readonly summaryFile: string | undefined;
  /** Undefined: none. */
  readonly timeLimitMs: number | undefined;
}

interface Flag {
  readonly kind: "text" | "number" | "switch" | "list";
  readonly argument?: string;
  readonly help: string;
  readonly choices?: readonly string[];
}
type Flags = Readonly<Record<string, Flag>>;
interface Given {
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly rest: readonly string[];
}

export const testFlags = {
  files: { kind: "list", argument: "FILE...", help: "only scripts of these files or modules" },
  "test-pattern": { kind: "text", argument: "TEXT", help: "only scripts with this in Module:name" },
  seed: { kind: "text", argument: "TEXT", help: "another seed gives other contract ids and party names (default 0)" },
  threads: {
    kind: "number",
    argument: "N",
    help: `threads that run scripts, at most ${limits.scriptThreadsMax} (default: the number of cores)`,
  },
  "time-limit": { kind: "number", argument: "SECONDS", help: `longest time of one script (default ${limits.scriptTimeMs / 1000})` },
  watch: { kind: "switch", help: "run the scripts of a DAR again whenever it is built anew, until a signal" },
  "contract-mode": {
    kind: "text",
    argument: "keyless|keys",
    choices: ["keyless", "keys"],
    help: "whether exceptions roll back effects (keyless), or that is an error (default: by the Daml Script library)",
  },
  junit: { kind: "text", argument: "FILE", help: "write the results as JUnit's XML" },
  "show-coverage": { kind: "switch", help: "print which templates and choices were used" },
  "coverage-output": { kind: "list", argument: "FILE...", help: "write the same to files that end with .json or .html" },
  transactions: { kind: "switch", help: "print the transactions of each script" },
  "transactions-output": { kind: "text", argument: "DIR", help: "write them as a page for each DAR" },
} as const satisfies Flags;

export function parseTest(args: readonly string[]): Result<TestCommandLine, string> {
  const given = parseFlags(args, testFlags, "test");
  if (isFailure(given)) return given;
  const { values, rest } = given.ok;
  if (rest.length === 0) return fail("test needs a DAR: ledgerline test FILE.dar...");
  const number = (name: keyof typeof testFlags, otherwise: number): number => Number(values.get(name)?.[0] ?? otherwise);
  const threads = number("threads", Math.min(availableParallelism(), limits.scriptThreadsMax)),
    timeLimitSeconds = number("time-limit", limits.scriptTimeMs / 1000);
  if (threads < 1 || threads > limits.scriptThreadsMax)
    return fail(`--threads ${threads}: must be at least 1 and at most ${limits.scriptThreadsMax}.`);
  const mode = contractMode(values.get("contract-mode")?.[0]),
    coverageOutputs = values.get("coverage-output") ?? [];
  const other = coverageOutputs.find((file) => !/\.(json|html)$/.test(file));
  if (other !== undefined) return fail(`--coverage-output ${other}: must end with .json or .html.`);
  return ok({
    dars: rest,
    files: values.get("files") ?? [],
    pattern: values.get("test-pattern")?.[0],
    seed: values.get("seed")?.[0] ?? "0",
    threads,
    timeLimitMs: timeLimitSeconds * 1000,
    mode,
    watch: values.has("watch"),
    reports: {
      junit: values.get("junit")?.[0],
      coverage: values.has("show-coverage"),
      coverageOutputs,
      transactions: values.has("transactions"),
      transactionsOutput: values.get("transactions-output")?.[0],
    },
  });
}

export const scriptFlags = {
  dar: { kind: "text", argument: "FILE", help: "the DAR with the scripts" },
  script: { kind: "list", argument: "Module:name...", help: "scripts to run, one after the other on one ledger" },
  all: { kind: "switch", help: "all scripts that take no argument" },
  "input-file": { kind: "text", argument: "FILE", help: "JSON of the argument of the script" },
  "output-file": { kind: "text", argument: "FILE", help: "write what the script returns, as JSON" },
  "json-api": { kind: "text", argument: "URL", help: "run on the node with this JSON API" },
  "token-file": { kind: "text", argument: "FILE", help: "a token for it, or for participants whose entry has none" },
  "user-id": { kind: "text", argument: "NAME", help: "the user who submits (default daml-script, or that of the token)" },
  "participant-config": { kind: "text", argument: "FILE", help: "run on several nodes that this JSON file names" },
  memory: { kind: "switch", help: "run on a ledger in memory" },
  sandbox: { kind: "switch", help: "run on a fresh node in this process, which has the DAR" },
  "static-time": { kind: "switch", help: "the node runs with --static-time: scripts may set its time (--sandbox: from 1970 on)" },
  "upload-dar": { kind: "switch", help: "upload the DAR first" },
  "json-test-summary": { kind: "text", argument: "FILE", help: "write results and errors of all scripts as JSON" },
  seed: { kind: "text", argument: "TEXT", help: "with --memory: another seed gives other contract ids (default 0)" },
  "time-limit": { kind: "number", argument: "SECONDS", help: "longest time of one script (default: none)" },
  "contract-mode": testFlags["contract-mode"],
} as const satisfies Flags;

export function parseScript(args: readonly string[]): Result<ScriptCommandLine, string> {
  const given = parseFlags(args, scriptFlags, "script");
  if (isFailure(given)) return given;
  const { values, rest } = given.ok;
  if (rest.length > 0) return fail(`Unexpected argument ${rest[0]!}. See ledgerline --help.`);
  const text = (name: keyof typeof scriptFlags): string | undefined => values.get(name)?.[0];
  const dar = text("dar"),
    scripts = values.get("script") ?? [],
    ledger = ledgerOf(text, { memory: values.has("memory"), sandbox: values.has("sandbox") });
  if (dar === undefined) return fail("script needs --dar FILE.");
  if (scripts.length > 0 === values.has("all")) return fail("script needs either --script Module:name or --all.");
  if (isFailure(ledger)) return ledger;
  const onlyOne = ["input-file", "output-file"] as const;
  const other = onlyOne.find((name) => values.has(name) && scripts.length !== 1);
  if (other !== undefined) return fail(`--${other} goes with one --script.`);
  const seconds = text("time-limit");
  return ok({
    dar,
    scripts,
    inputFile: text("input-file"),
    outputFile: text("output-file"),
    ledger: ledger.ok,
    staticTime: values.has("static-time"),
    uploadDar: values.has("upload-dar"),
    summaryFile: text("json-test-summary"),
    timeLimitMs: seconds === undefined ? undefined : Number(seconds) * 1000,
  });
}

function ledgerOf(
  text: (name: keyof typeof scriptFlags) => string | undefined,
  { memory, sandbox }: { readonly memory: boolean; readonly sandbox: boolean },
): Result<ScriptCommandLine["ledger"], string> {
  const url = text("json-api"),
    file = text("participant-config"),
    caller = { tokenFile: text("token-file"), userId: text("user-id") };
  if ([memory, sandbox, url !== undefined, file !== undefined].filter(Boolean).length !== 1)
    return fail("script needs one of --json-api URL, --participant-config FILE, --memory and --sandbox.");
  if (sandbox) return ok({ kind: "sandbox" });
  if (url !== undefined) {
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return fail(`--json-api ${url}: must be an http or https URL.`);
    return ok({ kind: "node", url, ...caller });
  }
  if (file !== undefined) return ok({ kind: "participants", file, ...caller });
  return ok({ kind: "memory", mode: contractMode(text("contract-mode")), seed: text("seed") ?? "0" });
}

const contractMode = (given: string | undefined): "NoKey" | "NUCK" | undefined =>
  given === undefined ? undefined : given === "keyless" ? "NoKey" : "NUCK";

/** A list takes words up to the next flag or DAR. */
function parseFlags(args: readonly string[], flags: Flags, command: string): Result<Given, string> {
  const values = new Map<string, readonly string[]>(),
    rest: string[] = [];
  for (let index = 0; index < args.length; index++) {
    const [name, inline] = splitFlag(args[index]!);
    if (name === undefined) {
      if (args[index]!.startsWith("-")) return fail(unknownFlag(args[index]!, command));
      rest.push(args[index]!);
      continue;
    }
    const flag = Object.hasOwn(flags, name) ? flags[name] : undefined;
    if (flag === undefined) return fail(unknownFlag(args[index]!, command));
    if (flag.kind === "switch") {
      if (inline !== undefined) return fail(`--${name} takes no value.`);
      values.set(name, ["true"]);
      continue;
    }
    const words = inline === undefined ? [args[++index]] : [inline];
    if (words[0] === undefined) return fail(`--${name} needs a value.`);
    if (flag.kind === "list")
      while (index + 1 < args.length && !args[index + 1]!.startsWith("-") && !args[index + 1]!.endsWith(".dar")) words.push(args[++index]);
    else if (values.has(name)) return fail(`--${name} is given twice.`);
    if (flag.kind === "number" && !/^[0-9]{1,9}$/.test(words[0])) return fail(`--${name} ${words[0]}: must be a whole number.`);
    if (flag.choices !== undefined && !flag.choices.includes(words[0]))
      return fail(`--${name} ${words[0]}: must be one of ${flag.choices.join(", ")}.`);
    values.set(name, [...(values.get(name) ?? []), ...(words as string[])]);
  }
  return ok({ values, rest });
}

const unknownFlag = (word: string, command: string): string => `Unknown flag ${word} of ${command}. See ledgerline --help.`;

function splitFlag(argument: string): readonly [string | undefined, string | undefined] {
  if (!argument.startsWith("--")) return [undefined, undefined];
  const equals = argument.indexOf("=");
  return equals < 0 ? [argument.slice(2), undefined] : [argument.slice(2, equals), argument.slice(equals + 1)];
}

export const flagRows = (flags: Flags): readonly string[] =>
  Object.entries(flags).map(
    ([name, { argument, help }]) => `  ${`--${name}${argument === undefined ? "" : ` ${argument}`}`.padEnd(31)}${help}`,
  );
