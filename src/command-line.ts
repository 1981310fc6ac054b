/** Which command is asked for, by flags, environment and file. Flags win over the environment, it wins over the file. */
import { fail, isFailure, ok, type Result } from "./base/result.js";
import { limits } from "./config.js";
import { readConfigurationFile } from "./configuration-file.js";
import { asFlag, type FlagKind, FlagReader, flagRows, type Flags, type FlagValue, type Naming, parseFlags, valueProblem } from "./flags.js";
import type { ScriptList, ScriptOptions, TestOptions } from "./script/index.js";
import { parseScript, parseTest, scriptFlags, testFlags } from "./script-command-line.js";
import { badValueIn, dataDefault, type FlagName, flags, type FlagValues, startOptions, type StartOptions } from "./start-options.js";

export interface PruneCommandLine extends Pick<StartOptions, "data" | "participantName" | "deduplicationMaxSeconds"> {
  readonly upToInclusive: number;
}

export type CommandLine =
  | { readonly command: "start"; readonly options: StartOptions }
  | { readonly command: "verify"; readonly data: string }
  | { readonly command: "backup"; readonly data: string; readonly target: string }
  | { readonly command: "restore"; readonly backup: string; readonly data: string }
  | { readonly command: "doctor"; readonly options: StartOptions }
  | { readonly command: "doctor"; readonly url: string }
  | { readonly command: "prune"; readonly options: PruneCommandLine }
  | { readonly command: "test"; readonly options: TestOptions }
  | { readonly command: "script"; readonly options: ScriptOptions }
  | { readonly command: "list-scripts"; readonly options: ScriptList }
  | { readonly command: "version" | "licenses" }
  | { readonly command: "help" };

/** A stronger source that says one of these takes back what a weaker one says of those that it excludes. */
const takesBack: Partial<Record<FlagName, readonly FlagName[]>> = {
  data: ["memory"],
  memory: ["data", "durability"],
  splice: ["localnet", "port-shift"],
  localnet: ["splice", "port"],
};

const isFlag = (name: string): name is FlagName => Object.hasOwn(flags, name);
const ownPrefix = "LEDGERLINE_";
const environmentName = (flag: FlagName): string => `${ownPrefix}${flag.replaceAll("-", "_").toUpperCase()}`;

const knownVariables: ReadonlySet<string> = new Set([
  ...Object.keys(flags).filter(isFlag).map(environmentName),
  ...["LEDGERLINE_PARTS", "LEDGERLINE_MAKE_CODE"], // where an executable is made: `packaging/boot.cts`
]);

/** They may be misspelt, or somebody else's: Kubernetes sets some for a service that is called ledgerline. */
const unknownVariablesOf = (environment: NodeJS.ProcessEnv): readonly string[] =>
  Object.keys(environment)
    .filter((name) => name.startsWith(ownPrefix) && !knownVariables.has(name))
    .sort();

/** Those that take the flags of a start. */
const ledgerCommands = ["start", "verify", "backup", "restore", "doctor"] as const,
  commands = [...ledgerCommands, "prune", "test", "script", "version", "licenses", "help"];
const isOfLedger = (word: string): word is (typeof ledgerCommands)[number] => ledgerCommands.some((command) => command === word);

/** Of who puts the arguments together for somebody else. */
export interface Embedding {
  /** Of a start, weaker than all that is said. */
  readonly defaults?: FlagValues;
  /** What he calls what he said. */
  readonly naming?: Naming<FlagName>;
}

export function parseCommandLine(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  { defaults = {}, naming = asFlag }: Embedding = {},
): Result<CommandLine, string> {
  const [first, ...rest] = args;
  if (first === undefined || first === "help" || args.includes("--help") || args.includes("-h")) return ok({ command: "help" });
  if (first === "version" || first === "--version") return ok({ command: "version" });
  if (first === "licenses") return ok({ command: "licenses" });
  if (first === "prune") return parsePrune(rest, environment);
  if (first === "test") {
    const options = parseTest(rest);
    return isFailure(options) ? options : ok({ command: "test", options: options.ok });
  }
  if (first === "script") {
    const options = parseScript(rest);
    if (isFailure(options)) return options;
    return "listFile" in options.ok ? ok({ command: "list-scripts", options: options.ok }) : ok({ command: "script", options: options.ok });
  }
  if (!isOfLedger(first)) return fail(`Unknown command ${first}.${suggestion(first, commands)}`);
  if (first === "doctor" && rest.some((word) => /^--url(?:=|$)/.test(word))) return parseDoctorOfNode(rest);
  const target = (first === "backup" || first === "restore") && rest[0]?.startsWith("-") === false ? rest.shift() : undefined;
  const given = parseOwnFlags(rest);
  if (isFailure(given)) return given;
  const sources = sourcesOf({ values: given.ok, naming }, environment);
  if (isFailure(sources)) return sources;
  if (first === "start" || first === "doctor") {
    const values = [defaults, ...sources.ok.map((source) => source.values)].reduce(withStronger),
      options = startOptions(new FlagReader(values, namingIn(sources.ok)), given.ok, unknownVariablesOf(environment));
    if (isFailure(options)) return options;
    return first === "start" ? ok({ command: first, options: options.ok }) : ok({ command: first, options: options.ok });
  }
  const values = allOf(sources.ok),
    noFolder = values.data === undefined ? undefined : valueProblem("data", flags.data, values.data, namingIn(sources.ok));
  if (noFolder !== undefined) return fail(noFolder);
  if (first === "verify") {
    const { data } = values;
    return typeof data === "string" ? ok({ command: "verify", data }) : fail("verify needs --data DIR.");
  }
  if (first === "backup") {
    const { data = dataDefault } = values;
    return target === undefined ? fail("backup needs the FOLDER to copy to.") : ok({ command: "backup", data: String(data), target });
  }
  const { data } = values;
  if (target === undefined) return fail("restore needs the FOLDER of the backup.");
  return typeof data === "string"
    ? ok({ command: "restore", backup: target, data })
    : fail("restore needs --data DIR, the folder that the ledger will have.");
}

const doctorFlags = { url: { kind: "text", argument: "URL", help: "whether a running node serves" } } as const satisfies Flags;

function parseDoctorOfNode(args: readonly string[]): Result<CommandLine, string> {
  const needed = "doctor --url needs the address of a node and nothing else, for instance http://127.0.0.1:7575.",
    given = parseFlags(args, doctorFlags, { takesWords: false, isOnlySource: true, unknownFlag: () => needed }),
    url = new FlagReader(given.ok?.values ?? {}).text("url");
  if (url === undefined || !/^https?:\/\//.test(url) || !URL.canParse(url)) return fail(needed);
  return ok({ command: "doctor", url: url.replace(/\/$/, "") });
}

function parsePrune([offset, ...rest]: readonly string[], environment: NodeJS.ProcessEnv): Result<CommandLine, string> {
  if (offset === undefined || !/^[0-9]{1,15}$/.test(offset))
    return fail("prune needs the offset up to which history is removed: ledgerline prune OFFSET --data DIR.");
  const given = parseOwnFlags(rest);
  if (isFailure(given)) return given;
  const sources = sourcesOf({ values: given.ok, naming: asFlag }, environment);
  if (isFailure(sources)) return sources;
  const values = allOf(sources.ok),
    { data, "participant-name": participantName, "deduplication-max": deduplicationMax } = values;
  if (typeof data !== "string") return fail("prune needs --data DIR.");
  const badValue = badValueIn(new FlagReader(values, namingIn(sources.ok)));
  if (badValue !== undefined) return fail(badValue);
  return ok({
    command: "prune",
    options: {
      data,
      participantName: participantName as string | undefined,
      deduplicationMaxSeconds: Number(deduplicationMax ?? limits.deduplicationDurationMaxSeconds),
      upToInclusive: Number(offset),
    },
  });
}

function parseOwnFlags(args: readonly string[]): Result<FlagValues, string> {
  const given = parseFlags(args, flags, {
    takesWords: false,
    isOnlySource: false,
    unknownFlag: (argument, name) => `Unknown flag ${argument}.${flagSuggestion(name ?? argument.replace(/^-+/, ""))}`,
  });
  return isFailure(given) ? given : ok(given.ok.values);
}

/** What says something, and what that is called there. */
interface Source {
  readonly values: FlagValues;
  readonly naming: Naming<FlagName>;
}

/** The weakest first. */
function sourcesOf(given: Source, environment: NodeJS.ProcessEnv): Result<readonly Source[], string> {
  const values = environmentValues(environment);
  if (isFailure(values)) return values;
  const fromEnvironment: Source = {
    values: values.ok,
    naming: (name, text) => (text === undefined ? environmentName(name) : `${environmentName(name)}=${text}`),
  };
  const file = given.values.config ?? values.ok.config;
  if (typeof file !== "string") return ok([fromEnvironment, given]);
  const fromFile = valuesOf(file);
  if (isFailure(fromFile)) return fromFile;
  const naming: Naming<FlagName> = (name, text) => `${name}${text === undefined ? "" : ` ${text}`} in ${file}`;
  return ok([{ values: fromFile.ok, naming }, fromEnvironment, given]);
}

/** By the strongest source that says it. */
const namingIn =
  (sources: readonly Source[]): Naming<FlagName> =>
  (name, text) =>
    (sources.findLast(({ values }) => values[name] !== undefined)?.naming ?? asFlag)(name, text);

/** For commands to which no flags exclude each other. */
const allOf = (sources: readonly Source[]): FlagValues => Object.assign({}, ...sources.map(({ values }) => values)) as FlagValues;

function withStronger(weaker: FlagValues, stronger: FlagValues): FlagValues {
  const said = (Object.entries(stronger) as [FlagName, FlagValue][]).flatMap(([name, value]) => (value === false ? [] : [name])),
    excluded = new Set(said.flatMap((name) => takesBack[name] ?? []));
  return { ...Object.fromEntries(Object.entries(weaker).filter(([name]) => !excluded.has(name as FlagName))), ...stronger };
}

/** An empty variable is none: not everybody can unset one. Texts are not told again, as they may be secrets. */
function environmentValues(environment: NodeJS.ProcessEnv): Result<FlagValues, string> {
  const values: FlagValues = {};
  for (const name of Object.keys(flags).filter(isFlag)) {
    const text = environment[environmentName(name)],
      { kind } = flags[name];
    if (text === undefined || text === "") continue;
    const value = kind === "switch" ? switchWords.get(text) : kind === "list" ? listIn(text) : text;
    const words =
      kind === "switch" ? "true or false, or 1 or 0" : "texts between commas, or a list of texts in JSON where it begins with [";
    if (value === undefined) return fail(`${environmentName(name)} must be ${words}.`);
    values[name] = value;
  }
  return ok(values);
}

const switchWords: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
]);

/** Some texts have commas in them. */
function listIn(text: string): string[] | undefined {
  if (!text.startsWith("[")) return text.split(",");
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) && list.every((each) => typeof each === "string") ? list : undefined;
  } catch {
    return undefined;
  }
}

function valuesOf(file: string): Result<FlagValues, string> {
  const content = readConfigurationFile(file);
  if (isFailure(content)) return content;
  const values: FlagValues = {};
  for (const [name, value] of Object.entries(content.ok)) {
    if (!isFlag(name)) return fail(`Unknown key ${name} in ${file}.${suggestion(name, Object.keys(flags))}`);
    if (name === "config") return fail(`${file} cannot name another file: config is a flag of the command line.`);
    if (value === false && flags[name].kind === "switch") continue;
    const { kind } = flags[name],
      taken = takenAs(kind, value);
    if (taken === undefined) return fail(`${name} in ${file} must be ${kindWords[kind]}${isToBeQuoted(kind, value) ? quotesNeeded : ""}.`);
    values[name] = taken;
  }
  return ok(values);
}

const kindWords: Readonly<Record<FlagKind, string>> = {
  text: "a text",
  number: "a whole number",
  switch: "true or false",
  list: "a text or a list of texts",
};

/** Read as no text, it may have been written in another way: 007 and 7 are the same number, and large ones are rounded. */
const isToBeQuoted = (kind: FlagKind, value: unknown): boolean =>
  (kind === "text" || kind === "list") && [value].flat().some((each) => typeof each === "number" || typeof each === "boolean");
const quotesNeeded = ": put it in quotes, or it is read as something else";

/** Undefined where it is of another type. */
function takenAs(kind: FlagKind, value: unknown): FlagValue | undefined {
  if (kind === "switch") return value === true ? true : undefined;
  if (typeof value === "string") return kind === "list" ? [value] : value;
  if (kind === "number") return typeof value === "number" ? String(value) : undefined;
  return kind === "list" && Array.isArray(value) && value.every((each) => typeof each === "string") ? value : undefined;
}

export function helpText(): string {
  return [
    "Ledgerline: a participant-like ledger node for Daml applications.",
    "",
    "  ledgerline start [flags]       run the node; prints one ready line on stdout",
    "  ledgerline verify --data DIR   check a ledger that is not running",
    "  ledgerline backup FOLDER       copy the ledger of --data DIR, also while it runs",
    "  ledgerline restore FOLDER --data DIR   prove a backup and make a ledger of it",
    "  ledgerline doctor [flags]      what a start with these flags would meet, and what to do about it",
    "  ledgerline doctor --url URL    whether a running node serves",
    "  ledgerline prune OFFSET --data DIR   remove the history of a ledger that is not running, up to an offset (of one participant of several: --participant-name)",
    "  ledgerline test FILE.dar...    run the Daml Scripts of DARs, each on a fresh ledger in memory",
    "  ledgerline script --dar FILE --script Module:name --json-api URL   run a Daml Script on a node (or with --memory, --sandbox)",
    "  ledgerline version",
    "  ledgerline licenses            the licences of all that it consists of",
    "",
    "Flags of start (environment: LEDGERLINE_ and the name in capitals, for instance LEDGERLINE_PORT):",
    ...flagRows(flags),
    "",
    "Flags of test:",
    ...flagRows(testFlags),
    "",
    "Flags of script:",
    ...flagRows(scriptFlags),
    "",
  ].join("\n");
}

/** A single letter stands for the shortest name that begins with it. */
function flagSuggestion(word: string): string {
  const [shortest] = Object.keys(flags)
    .filter((name) => word.length === 1 && name.startsWith(word))
    .sort((one, other) => one.length - other.length);
  return shortest === undefined ? suggestion(word, Object.keys(flags), "--") : ` Did you mean --${shortest}?`;
}

function suggestion(word: string, known: readonly string[], prefix = ""): string {
  const nearest = known.map((name) => ({ name, distance: editDistance(word, name) })).sort((a, b) => a.distance - b.distance)[0];
  return nearest && nearest.distance <= 3 ? ` Did you mean ${prefix}${nearest.name}?` : " See ledgerline --help.";
}

function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i++) {
    const next = [i];
    for (let j = 1; j <= right.length; j++) {
      next.push(Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (left[i - 1] === right[j - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row[right.length]!;
}
