/** Flags, environment and file to one checked record of options. Flags win over the environment, it wins over the file. */
import { parseServiceOption } from "./auth/index.js";
import { isLoopback } from "./base/loopback.js";
import { fail, isFailure, ok, type Result } from "./base/result.js";
import { limits, localnetParticipantNameDefault, participantNameDefault, synchronizerNameDefault } from "./config.js";
import { readConfigurationFile } from "./configuration-file.js";
import {
  flagRows,
  parseScript,
  parseTest,
  type ScriptCommandLine,
  scriptFlags,
  type TestCommandLine,
  testFlags,
} from "./script-command-line.js";

export interface ParticipantOption {
  readonly name: string;
  readonly port: number;
  /** Names of the synchronizers that it is connected to; undefined: all. */
  readonly synchronizers: readonly string[] | undefined;
}

export const durabilities = ["sync", "none"] as const;
export type Durability = (typeof durabilities)[number];

export interface StartOptions {
  readonly data: string;
  readonly memory: boolean;
  /** `sync`: a command is acknowledged when it is on disk; `none`: when the system has it, which outlives the process but not the machine. */
  readonly durability: Durability;
  /** Undefined: as it was named at its first start, or the default. */
  readonly participantName: string | undefined;
  /** Those beside it, each with a port of its own. */
  readonly participants: readonly ParticipantOption[];
  /** Names; undefined: those that the ledger has. */
  readonly synchronizers: readonly string[] | undefined;
  readonly host: string;
  readonly port: number;
  /** With a slash in front, and none behind. */
  readonly pathPrefix: string | undefined;
  readonly portFile: string | undefined;
  readonly transport: "auto" | "uws" | "node";
  readonly dars: readonly string[];
  readonly workers: number | undefined;
  readonly listElementsMax: number;
  readonly listWaitMs: number;
  /** In the forms of `--auth`; empty or only "none": everyone may do everything. */
  readonly auth: readonly string[];
  readonly authAudience: string | undefined;
  readonly authScope: string | undefined;
  /** Files. */
  readonly tokenRegistries: readonly string[];
  readonly authTokenLifeMaxSeconds: number;
  readonly authLeewaySeconds: number;
  /** Parties that a user without admin rights may allocate for itself. */
  readonly selfAllocatedPartiesMax: number;
  readonly verboseHashing: boolean;
  readonly staticTime: boolean;
  /** The folder with the DARs of a Splice network. */
  readonly splice: string | undefined;
  /** The same, as LocalNet; only one of the two. */
  readonly localnet: string | undefined;
  readonly portShift: number;
  /** Triggers that do nothing, or "all". */
  readonly noAutomation: readonly string[];
  readonly clockBehindMaxSeconds: number;
  /** For so long it is remembered which commands were accepted, also when the history that tells of them is pruned. */
  readonly deduplicationMaxSeconds: number;
  /** Whether browsers find the console at `/`. */
  readonly console: boolean;
  readonly insecure: boolean;
  /** Of web pages that may use the node, beside those of this machine. */
  readonly allowedOrigins: readonly string[];
  /** Under which the node is reached without tokens, beside those of this machine. */
  readonly allowedHosts: readonly string[];
  /** Itself, or `file:` and where it stands. */
  readonly metricsToken: string | undefined;
  /** Flags whose secrets stand among the arguments, where every user of the machine sees them. */
  readonly shownSecrets: readonly string[];
  /** Of the environment, called like ours. */
  readonly unknownVariables: readonly string[];
  /** Address of an OpenTelemetry collector. */
  readonly traces: string | undefined;
  readonly tracesOneIn: number;
  readonly logLevel: "trace" | "debug" | "info" | "warn" | "error" | "silent";
}

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
  | { readonly command: "test"; readonly options: TestCommandLine }
  | { readonly command: "script"; readonly options: ScriptCommandLine }
  | { readonly command: "version" | "licenses" }
  | { readonly command: "help" };

/**
 * The part of a participant id before its fingerprint. Parties may have spaces and colons in it; what stands in paths and tokens has
 * neither.
 */
const participantNamePattern = new RegExp(`^[A-Za-z0-9_-]{1,${limits.participantNameCharsMax}}$`);

const synchronizerNamePattern = new RegExp(`^[A-Za-z0-9_-]{1,${limits.synchronizerNameCharsMax}}$`);

const dataDefault = "ledgerline-data";

type FlagKind = "text" | "number" | "switch" | "list";
interface Flag {
  readonly kind: FlagKind;
  readonly argument?: string;
  readonly help: string;
  readonly choices?: readonly string[];
  readonly mayBeNone?: true;
}

/** The one table of flags: parsing, environment names, the help text and the README follow from it. */
export const flags = {
  data: { kind: "text", argument: "DIR", help: "folder of the ledger (default ./ledgerline-data)" },
  memory: { kind: "switch", help: "a private ledger in a temporary folder, removed at exit" },
  durability: {
    kind: "text",
    argument: "KIND",
    choices: durabilities,
    help: "when a command is acknowledged: sync, once it is on disk (default), or none, for test suites: a process that is killed loses nothing, a machine that loses power may lose the ledger",
  },
  synchronizers: {
    kind: "text",
    argument: "NAME,..",
    help: `names of the synchronizers to be connected to; new ones come to be, and one with contracts cannot be left out (default: all that the ledger has, at first ${synchronizerNameDefault}, of a Splice network global)`,
  },
  "participant-name": {
    kind: "text",
    argument: "NAME",
    help: `name of the node, the first part of its participant id; given at the first start and kept (default ${participantNameDefault}, of a LocalNet ${localnetParticipantNameDefault})`,
  },
  participant: {
    kind: "list",
    argument: "NAME=PORT[@..]",
    help: "another participant of the same network in this process, with a port, users, packages and parties of its own, on all synchronizers or those named behind an @ (NAME=PORT@SYNCHRONIZER,..); may be repeated",
  },
  host: { kind: "text", argument: "HOST", help: "address to listen on (default 127.0.0.1)" },
  port: { kind: "number", argument: "N", help: "port to listen on, 0 = any free (default 7575)" },
  "path-prefix": { kind: "text", argument: "PATH", help: "the Ledger API is served below this path too, for instance /api/json-api" },
  "port-file": { kind: "text", argument: "FILE", help: "write the port here once ready; removed at the start and at the end" },
  transport: {
    kind: "text",
    argument: "uws|node",
    choices: ["auto", "uws", "node"],
    help: "force a transport (default: uWebSockets.js where it loads)",
  },
  dar: { kind: "list", argument: "FILE", help: "upload this DAR before getting ready; may be repeated" },
  workers: { kind: "number", argument: "N", help: `engine threads, at most ${limits.workersMax} (default: cores - 1, at least 1)` },
  "list-elements-max": { kind: "number", argument: "N", help: `most elements of a list answer (default ${limits.listElementsMax})` },
  "list-wait-ms": { kind: "number", argument: "MS", help: `idle time that ends an open list (default ${limits.listWaitMs})` },
  auth: {
    kind: "list",
    argument: "SERVICE",
    help: "how tokens are checked: none (default: everyone may do everything), hs256:SECRET, hs256:file:FILE, rs256:FILE, es256:FILE, es512:FILE (certificates), jwks:URL; may be repeated, asked in order",
  },
  "auth-audience": {
    kind: "text",
    argument: "TEXT",
    help: "audience that tokens must have (else the default form of the ledger's tokens)",
  },
  "auth-scope": { kind: "text", argument: "TEXT", help: "scope that tokens must have" },
  "auth-token-life-max": {
    kind: "number",
    argument: "SECONDS",
    mayBeNone: true,
    help: `longest life of a token that is accepted (default ${limits.tokenLifeMaxSeconds}); none = any, also tokens that never expire`,
  },
  "auth-leeway": { kind: "number", argument: "SECONDS", help: `clock difference that is tolerated (default ${limits.tokenLeewaySeconds})` },
  "token-registry": {
    kind: "list",
    argument: "FILE",
    help: "serve the registry of a token of your own, as this JSON file describes it, at /registries/NAME/registry; may be repeated",
  },
  "self-allocated-parties-max": {
    kind: "number",
    argument: "N",
    help: `parties that a user may allocate for itself without being an admin (default ${limits.selfAllocatedPartiesMax})`,
  },
  "verbose-hashing": {
    kind: "switch",
    help: "prepared transactions come with the steps of their hash where a request asks for them, as on a LocalNet",
  },
  "static-time": { kind: "switch", help: "the ledger's clock stands still until a command asks for a later ledger time" },
  "allow-origin": {
    kind: "list",
    argument: "ORIGIN",
    help: "web pages of this origin may use the node, beside those of localhost; may be repeated",
  },
  "allow-host": {
    kind: "list",
    argument: "NAME",
    help: "the node is also called so in Host headers, beside localhost (only looked at without auth, or where LocalNet's published secret signs tokens); may be repeated",
  },
  "metrics-token": {
    kind: "text",
    argument: "TOKEN",
    help: "bearer token for /metrics, or file:FILE (default: a participant admin's where there is auth, else none)",
  },
  traces: {
    kind: "text",
    argument: "URL",
    help: "send spans of requests to this OpenTelemetry collector by OTLP/HTTP (to /v1/traces where the address has no path)",
  },
  "traces-one-in": {
    kind: "number",
    argument: "N",
    help: "of requests that come without a trace, send the spans of one in N (default 1)",
  },
  splice: {
    kind: "text",
    argument: "FOLDER",
    help: "run a Splice network on this ledger, with the DARs of the folder: made at the first start, then kept alive",
  },
  localnet: { kind: "text", argument: "FOLDER", help: "the same with the parties, users, tokens and ports that Splice's LocalNet has" },
  "port-shift": { kind: "number", argument: "N", help: "add N to each of LocalNet's ports" },
  "no-automation": {
    kind: "list",
    argument: "NAME",
    help: "of what keeps that network alive, leave this to others (all = everything); may be repeated",
  },
  "clock-behind-max": {
    kind: "number",
    argument: "SECONDS",
    help: `how far the clock may be behind the last record time of the ledger for commands to run (default ${limits.clockBehindMaxSeconds})`,
  },
  "deduplication-max": {
    kind: "number",
    argument: "SECONDS",
    help: `longest deduplication period; which commands were accepted is forgotten no earlier, also when their history is pruned (default ${limits.deduplicationDurationMaxSeconds})`,
  },
  "no-console": { kind: "switch", help: "browsers find a page with addresses at / instead of the console" },
  insecure: { kind: "switch", help: "allow listening beyond loopback without auth" },
  "log-level": {
    kind: "text",
    argument: "LEVEL",
    choices: ["trace", "debug", "info", "warn", "error", "silent"],
    help: "JSON lines on stderr (default info)",
  },
  config: { kind: "text", argument: "FILE", help: "file with the names of these flags as keys: JSON, or TOML or YAML by its name" },
} as const satisfies Readonly<Record<string, Flag>>;

export type FlagName = keyof typeof flags;
/** A switch that is off is one that says so, against what a weaker source says. */
type FlagValue = string | string[] | boolean;
export type FlagValues = Partial<Record<FlagName, FlagValue>>;

/** A stronger source that says one of these takes back what a weaker one says of those that it excludes. */
const takesBack: Partial<Record<FlagName, readonly FlagName[]>> = {
  data: ["memory"],
  memory: ["data", "durability"],
  splice: ["localnet", "port-shift"],
  localnet: ["splice", "port"],
};

const isFlag = (name: string): name is FlagName => Object.hasOwn(flags, name);
const ownPrefix = "LEDGERLINE_";
export const environmentName = (flag: FlagName): string => `${ownPrefix}${flag.replaceAll("-", "_").toUpperCase()}`;

const knownVariables: ReadonlySet<string> = new Set([
  ...Object.keys(flags).filter(isFlag).map(environmentName),
  ...["LEDGERLINE_PARTS", "LEDGERLINE_MAKE_CODE"], // where an executable is made: `packaging/boot.cts`
]);

/** They may be misspelt, or somebody else's: Kubernetes sets some for a service that is called ledgerline. */
const unknownVariablesOf = (environment: NodeJS.ProcessEnv): readonly string[] =>
  Object.keys(environment)
    .filter((name) => name.startsWith(ownPrefix) && !knownVariables.has(name))
    .sort();

/** `defaults`: of a start, weaker than all that is said. */
export function parseCommandLine(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  defaults: FlagValues = {},
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
    return isFailure(options) ? options : ok({ command: "script", options: options.ok });
  }
  if (first !== "start" && first !== "verify" && first !== "backup" && first !== "restore" && first !== "doctor")
    return fail(
      `Unknown command ${first}.${suggestion(first, ["start", "verify", "backup", "restore", "doctor", "prune", "test", "script", "version", "licenses", "help"])}`,
    );
  if (first === "doctor" && rest[0] === "--url") return parseDoctorOfNode(rest);
  const target = (first === "backup" || first === "restore") && rest[0]?.startsWith("-") === false ? rest.shift() : undefined;
  const given = parseFlags(rest);
  if (isFailure(given)) return given;
  const sources = sourcesOf(given.ok, environment);
  if (isFailure(sources)) return sources;
  if (first === "start" || first === "doctor") {
    const start = toOptions([defaults, ...sources.ok].reduce(withStronger), given.ok, unknownVariablesOf(environment));
    return first === "doctor" && !isFailure(start) ? ok({ command: "doctor", options: start.ok.options }) : start;
  }
  const values = allOf(sources.ok);
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

function parseDoctorOfNode([, url, ...rest]: readonly string[]): Result<CommandLine, string> {
  if (url === undefined || !/^https?:\/\//.test(url) || !URL.canParse(url) || rest.length > 0)
    return fail("doctor --url needs the address of a node and nothing else, for instance http://127.0.0.1:7575.");
  return ok({ command: "doctor", url: url.replace(/\/$/, "") });
}

function parsePrune([offset, ...rest]: readonly string[], environment: NodeJS.ProcessEnv): Result<CommandLine, string> {
  if (offset === undefined || !/^[0-9]{1,15}$/.test(offset))
    return fail("prune needs the offset up to which history is removed: ledgerline prune OFFSET --data DIR.");
  const given = parseFlags(rest);
  if (isFailure(given)) return given;
  const sources = sourcesOf(given.ok, environment);
  if (isFailure(sources)) return sources;
  const values = allOf(sources.ok),
    { data, "participant-name": participantName, "deduplication-max": deduplicationMax } = values;
  if (typeof data !== "string") return fail("prune needs --data DIR.");
  const badValue = badValueIn(values);
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

function parseFlags(args: readonly string[]): Result<FlagValues, string> {
  const values: FlagValues = {};
  for (let index = 0; index < args.length; index++) {
    const [name, inline] = splitFlag(args[index]!);
    if (name === undefined && !args[index]!.startsWith("-")) return fail(`Unexpected argument ${args[index]!}. See ledgerline --help.`);
    if (name === undefined || !isFlag(name))
      return fail(`Unknown flag ${args[index]!}.${suggestion(name ?? args[index]!, Object.keys(flags), "--")}`);
    const { kind } = flags[name];
    if (kind === "switch") {
      if (inline !== undefined) return fail(`--${name} takes no value.`);
      values[name] = true;
      continue;
    }
    const value = inline ?? args[++index];
    if (value === undefined) return fail(`--${name} needs a value.`);
    if (kind === "list") values[name] = [...((values[name] as string[] | undefined) ?? []), value];
    else if (values[name] !== undefined) return fail(`--${name} is given twice.`);
    else values[name] = value;
  }
  return ok(values);
}

function splitFlag(argument: string): [string | undefined, string | undefined] {
  if (!argument.startsWith("--")) return [undefined, undefined];
  const equals = argument.indexOf("=");
  return equals < 0 ? [argument.slice(2), undefined] : [argument.slice(2, equals), argument.slice(equals + 1)];
}

/** The weakest first. */
function sourcesOf(given: FlagValues, environment: NodeJS.ProcessEnv): Result<readonly FlagValues[], string> {
  const fromEnvironment = environmentValues(environment);
  if (isFailure(fromEnvironment)) return fromEnvironment;
  const file = given.config ?? fromEnvironment.ok.config;
  if (typeof file !== "string") return ok([fromEnvironment.ok, given]);
  const fromFile = valuesOf(file);
  return isFailure(fromFile) ? fromFile : ok([fromFile.ok, fromEnvironment.ok, given]);
}

/** For commands to which no flags exclude each other. */
const allOf = (sources: readonly FlagValues[]): FlagValues => Object.assign({}, ...sources) as FlagValues;

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

/** By its flag alone. */
function badValueIn(values: FlagValues): string | undefined {
  for (const [name, value] of Object.entries(values) as [FlagName, FlagValue][]) {
    const flag: Flag = flags[name],
      text = String(value);
    if (flag.choices && !flag.choices.includes(text)) return `--${name} ${text}: must be one of ${flag.choices.join(", ")}.`;
    if (flag.kind === "number" && !(flag.mayBeNone && value === "none") && !/^[0-9]{1,9}$/.test(text))
      return `--${name} ${text}: must be a whole number.`;
  }
  return Number(values["deduplication-max"] ?? 1) < 1 ? "--deduplication-max must be at least 1." : undefined;
}

function toOptions(
  values: FlagValues,
  given: FlagValues,
  unknownVariables: readonly string[],
): Result<{ readonly command: "start"; readonly options: StartOptions }, string> {
  const badValue = badValueIn(values);
  if (badValue !== undefined) return fail(badValue);
  const text = (name: FlagName): string | undefined => (typeof values[name] === "string" ? (values[name] as string) : undefined);
  const number = (name: FlagName, otherwise: number): number =>
    text(name) === undefined ? otherwise : text(name) === "none" ? Infinity : Number(text(name));
  if (values.memory === true && values.data !== undefined) return fail("--memory and --data exclude each other.");
  if (values.memory === true && values.durability !== undefined) return fail("--memory and --durability exclude each other.");
  const misplaced = misplacedFlag(values);
  if (misplaced !== undefined) return fail(misplaced);
  if (number("port", 0) > portMax) return fail(`--port ${text("port")}: must be at most ${portMax}.`);
  if (text("workers") !== undefined && (number("workers", 1) < 1 || number("workers", 1) > limits.workersMax))
    return fail(`--workers ${text("workers")}: must be at least 1 and at most ${limits.workersMax}.`);
  if (!participantNamePattern.test(text("participant-name") ?? participantNameDefault))
    return fail(`--participant-name ${text("participant-name")}: must be 1 to ${limits.participantNameCharsMax} letters, digits, - or _.`);
  const pathPrefix = text("path-prefix")?.replace(/^\/+|\/+$/g, "");
  if (pathPrefix !== undefined && !pathPrefixPattern.test(pathPrefix))
    return fail(`--path-prefix ${text("path-prefix")}: must be segments of letters, digits, - . _ or ~, with / between them.`);
  const nameDefault = text("localnet") === undefined ? participantNameDefault : localnetParticipantNameDefault;
  const participants = readParticipants((values.participant as string[] | undefined) ?? [], text("participant-name") ?? nameDefault);
  if (isFailure(participants)) return participants;
  const host = text("host") ?? "127.0.0.1";
  const synchronizers = text("synchronizers")?.split(","),
    noSynchronizers = synchronizers && synchronizersProblem(synchronizers);
  if (noSynchronizers !== undefined) return fail(`--synchronizers ${text("synchronizers")}: ${noSynchronizers}`);
  const auth = (values.auth as string[] | undefined) ?? [],
    noService = auth.map((service) => parseServiceOption(service).error).find((problem) => problem !== undefined);
  if (noService !== undefined) return fail(`--auth: ${noService}`); // without its text, which may be a secret
  if (["", "file:"].includes(text("metrics-token") ?? "none")) return fail("--metrics-token: the secret is empty");
  if (auth.every((service) => service === "none") && !isLoopback(host) && values.insecure !== true)
    return fail(`--host ${host} is reachable from outside and there is no auth: add --insecure if that is meant.`);
  const allowedOrigins = (values["allow-origin"] as string[] | undefined) ?? [],
    allowedHosts = (values["allow-host"] as string[] | undefined) ?? [];
  const noOrigin = allowedOrigins.find((origin) => !originPattern.test(origin)),
    noHost = allowedHosts.find((name) => !hostPattern.test(name));
  if (noOrigin !== undefined)
    return fail(`--allow-origin ${noOrigin}: must be an origin as browsers send it, for instance https://app.example.com:8443, or null.`);
  const noCollector = text("traces") === undefined ? undefined : collectorProblem(text("traces")!);
  if (noCollector !== undefined) return fail(`--traces ${noCollector}`);
  if (number("traces-one-in", 1) < 1) return fail("--traces-one-in must be at least 1.");
  if (noHost !== undefined) return fail(`--allow-host ${noHost}: must be a name or an address without port.`);
  return ok({
    command: "start",
    options: {
      data: text("data") ?? dataDefault,
      memory: values.memory === true,
      durability: values.memory === true ? "none" : ((text("durability") ?? durabilities[0]) as Durability),
      participantName: text("participant-name"),
      participants: participants.ok,
      synchronizers,
      host,
      port: number("port", 7575),
      pathPrefix: pathPrefix === undefined ? undefined : `/${pathPrefix}`,
      portFile: text("port-file"),
      transport: (text("transport") ?? "auto") as StartOptions["transport"],
      dars: (values.dar as string[] | undefined) ?? [],
      workers: text("workers") === undefined ? undefined : number("workers", 1),
      listElementsMax: number("list-elements-max", limits.listElementsMax),
      listWaitMs: number("list-wait-ms", limits.listWaitMs),
      auth,
      authAudience: text("auth-audience"),
      authScope: text("auth-scope"),
      authTokenLifeMaxSeconds: number("auth-token-life-max", limits.tokenLifeMaxSeconds),
      authLeewaySeconds: number("auth-leeway", limits.tokenLeewaySeconds),
      tokenRegistries: (values["token-registry"] as string[] | undefined) ?? [],
      selfAllocatedPartiesMax: number("self-allocated-parties-max", limits.selfAllocatedPartiesMax),
      verboseHashing: values["verbose-hashing"] === true || text("localnet") !== undefined,
      staticTime: values["static-time"] === true,
      splice: text("splice"),
      localnet: text("localnet"),
      portShift: number("port-shift", 0),
      noAutomation: (values["no-automation"] as string[] | undefined) ?? [],
      clockBehindMaxSeconds: number("clock-behind-max", limits.clockBehindMaxSeconds),
      deduplicationMaxSeconds: number("deduplication-max", limits.deduplicationDurationMaxSeconds),
      console: values["no-console"] !== true,
      insecure: values.insecure === true,
      allowedOrigins,
      allowedHosts,
      metricsToken: text("metrics-token"),
      shownSecrets: shownSecrets(given),
      unknownVariables,
      traces: text("traces"),
      tracesOneIn: number("traces-one-in", 1),
      logLevel: (text("log-level") ?? "info") as StartOptions["logLevel"],
    },
  });
}

const pathPrefixPattern = /^[A-Za-z0-9._~-]+(\/[A-Za-z0-9._~-]+)*$/;
const participantPattern = /^(.*)=([0-9]{1,5})(?:@(.+))?$/s,
  portMax = 65_535;

function readParticipants(given: readonly string[], first: string): Result<readonly ParticipantOption[], string> {
  const participants: ParticipantOption[] = [],
    names = new Set([first]);
  for (const text of given) {
    const [, name, port, on] = participantPattern.exec(text) ?? [];
    if (name === undefined || !participantNamePattern.test(name))
      return fail(
        `--participant ${text}: must be a name of 1 to ${limits.participantNameCharsMax} letters, digits, - or _, then = and a port, and perhaps @ and names of synchronizers.`,
      );
    if (Number(port) > portMax) return fail(`--participant ${text}: the port must be at most ${portMax}.`);
    if (names.has(name)) return fail(`--participant ${text}: there is another participant of this name.`);
    names.add(name);
    const synchronizers = on?.split(","),
      noSynchronizers = synchronizers && synchronizersProblem(synchronizers);
    if (noSynchronizers !== undefined) return fail(`--participant ${text}: ${noSynchronizers}`);
    participants.push({ name, port: Number(port), synchronizers });
  }
  if (names.size > limits.participantsMax) return fail(`--participant: a process has at most ${limits.participantsMax} participants.`);
  return ok(participants);
}

function synchronizersProblem(names: readonly string[]): string | undefined {
  const malformed = names.find((name) => !synchronizerNamePattern.test(name)),
    repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (malformed !== undefined)
    return `"${malformed}" cannot be the name of a synchronizer: letters, digits, - and _, at most ${limits.synchronizerNameCharsMax}.`;
  return repeated === undefined ? undefined : `synchronizer ${repeated} is named twice.`;
}

/** Of those that go with a network, or do not go with another. */
function misplacedFlag({ splice, localnet, port, "port-shift": portShift, "no-automation": noAutomation }: FlagValues): string | undefined {
  if (splice !== undefined && localnet !== undefined) return "--splice and --localnet exclude each other.";
  if (localnet !== undefined && port !== undefined)
    return "--localnet has ports of its own: move them with --port-shift instead of --port.";
  if (localnet === undefined && portShift !== undefined) return "--port-shift needs --localnet.";
  if (Number(portShift ?? 0) > portShiftMax) return `--port-shift ${String(portShift)}: must be at most ${portShiftMax}.`;
  return noAutomation !== undefined && splice === undefined && localnet === undefined
    ? "--no-automation needs --splice or --localnet."
    : undefined;
}

/** The address is not told again: it may have a secret in it. */
function collectorProblem(address: string): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    return "must be the address of a collector, for instance http://127.0.0.1:4318.";
  return url.username === "" && url.password === "" ? undefined : "must be an address without user and password.";
}

/** The highest of LocalNet's ports stays below 65536. */
const portShiftMax = 60_000;
const originPattern = /^(?:null|[a-z][a-z0-9+.-]*:\/\/[^\s/?#@]+)$/i;
const hostPattern = /^[^\s:/?#@[\]]+$/;

function shownSecrets({ auth = [], "metrics-token": metricsToken }: FlagValues): string[] {
  const isShown = {
    auth: (auth as string[]).some((service) => /^hs256:(?!file:)/.test(service)),
    "metrics-token": typeof metricsToken === "string" && !metricsToken.startsWith("file:"),
  };
  return Object.entries(isShown)
    .filter(([, shown]) => shown)
    .map(([name]) => `--${name}`);
}

export function helpText(): string {
  const rows = Object.entries(flags).map(
    ([name, flag]: [string, Flag]) => `  ${`--${name}${flag.argument ? ` ${flag.argument}` : ""}`.padEnd(31)}${flag.help}`,
  );
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
    ...rows,
    "",
    "Flags of test:",
    ...flagRows(testFlags),
    "",
    "Flags of script:",
    ...flagRows(scriptFlags),
    "",
  ].join("\n");
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
