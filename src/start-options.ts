/** What a start can be told: its flags, what is wrong with what they say, and the record of options that comes of it. */
import { isIP } from "node:net";
import { parseServiceOption } from "./auth/index.js";
import { httpAddress } from "./base/http-address.js";
import { isLoopback } from "./base/loopback.js";
import { fail, ok, type Result } from "./base/result.js";
import { limits, localnetParticipantNameDefault, participantNameDefault, synchronizerNameDefault } from "./config.js";
import { FlagReader, type Flags, type FlagValue, type FlagValues as ValuesOf, valueProblem } from "./flags.js";

export interface ParticipantOption {
  readonly name: string;
  readonly port: number;
  /** Names of the synchronizers that it is connected to; undefined: all. */
  readonly synchronizers: readonly string[] | undefined;
}

/** Paths, of files in PEM. */
/** Where the gRPC Ledger API of a participant is served; undefined: of the first. */
export interface GrpcPortOption {
  readonly participant: string | undefined;
  readonly port: number;
}

export interface TlsFiles {
  readonly certChain: string;
  readonly privateKey: string;
  /** Undefined: clients show no certificates. */
  readonly trustCollection: string | undefined;
}

const portMax = 65_535,
  portDefault = 7575;

const durabilities = ["sync", "none"] as const;
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
  readonly grpcPorts: readonly GrpcPortOption[];
  readonly portFile: string | undefined;
  readonly transport: "auto" | "uws" | "node";
  /** Undefined: HTTP without TLS. */
  readonly tls: TlsFiles | undefined;
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
  /** `trace`: as `debug`. */
  readonly logLevel: "trace" | "debug" | "info" | "warn" | "error" | "silent";
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
  port: { kind: "number", argument: "N", range: [0, portMax], help: "port to listen on, 0 = any free (default 7575)" },
  "grpc-port": {
    kind: "list",
    argument: "[NAME=]N",
    help: "port of the gRPC Ledger API, 0 = any free; NAME=N that of another participant of this process; may be repeated (default: none)",
  },
  "path-prefix": { kind: "text", argument: "PATH", help: "the Ledger API is served below this path too, for instance /api/json-api" },
  "port-file": { kind: "text", argument: "FILE", help: "write the port here once ready; removed at the start and at the end" },
  transport: {
    kind: "text",
    argument: "uws|node",
    choices: ["auto", "uws", "node"],
    help: "force a transport (default: uWebSockets.js where it loads)",
  },
  "tls-cert-chain": {
    kind: "text",
    argument: "FILE",
    help: "serve by TLS 1.2 or 1.3 with this certificate and those behind it, in PEM, by node:http",
  },
  "tls-private-key": { kind: "text", argument: "FILE", help: "its private key, in PEM" },
  "tls-trust-collection": {
    kind: "text",
    argument: "FILE",
    help: "clients need certificates that these sign, in PEM (default: they need none)",
  },
  dar: { kind: "list", argument: "FILE", help: "upload this DAR before getting ready; may be repeated" },
  workers: {
    kind: "number",
    argument: "N",
    range: [1, limits.workersMax],
    help: `engine threads, at most ${limits.workersMax} (default: cores - 1, at least 1)`,
  },
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
    help: `longest life of a token that is accepted (default ${limits.tokenLifeMaxSeconds}, on a LocalNet none); none = any, also tokens that never expire`,
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
    help: "JSON lines on stderr (default info); trace, a level of Canton's, is a spelling of debug",
  },
  config: { kind: "text", argument: "FILE", help: "file with the names of these flags as keys: JSON, or TOML or YAML by its name" },
} as const satisfies Flags;

export type FlagName = keyof typeof flags;
export type FlagValues = ValuesOf<FlagName>;

/**
 * The part of a participant id before its fingerprint. Parties may have spaces and colons in it; what stands in paths and tokens has
 * neither.
 */
const participantNamePattern = new RegExp(`^[A-Za-z0-9_-]{1,${limits.participantNameCharsMax}}$`);

const synchronizerNamePattern = new RegExp(`^[A-Za-z0-9_-]{1,${limits.synchronizerNameCharsMax}}$`);

export const dataDefault = "ledgerline-data";

/** By their flags alone. */
export function badValueIn({ values, naming }: Said): string | undefined {
  for (const [name, value] of Object.entries(values) as [FlagName, FlagValue][]) {
    const problem = valueProblem(name, flags[name], value, naming);
    if (problem !== undefined) return problem;
  }
  return Number(values["deduplication-max"] ?? 1) < 1 ? `${naming("deduplication-max")} must be at least 1.` : undefined;
}

/** `given`: the flags among the arguments; `unknownVariables`: see their option. */
export function startOptions(said: Said, given: FlagValues, unknownVariables: readonly string[]): Result<StartOptions, string> {
  const problem = badValueIn(said) ?? startProblem(said);
  return problem === undefined ? ok({ ...optionsOf(said), shownSecrets: shownSecrets(given), unknownVariables }) : fail(problem);
}

export type Said = FlagReader<FlagName>;

/** The first of those that there are, in the order in which they are told. */
const startProblem = (said: Said): string | undefined =>
  memoryProblem(said)
  ?? misplacedFlag(said)
  ?? loneFlag(said)
  ?? portProblem(said)
  ?? workersProblem(said)
  ?? participantNameProblem(said)
  ?? pathPrefixProblem(said)
  ?? participantsProblem(said)
  ?? grpcPortsProblem(said)
  ?? synchronizersProblem(said)
  ?? authProblem(said)
  ?? hostProblem(said)
  ?? allowedOriginsProblem(said)
  ?? tracesProblem(said)
  ?? allowedHostsProblem(said);

/** Of flags without problems. */
const optionsOf = (said: Said): Omit<StartOptions, "shownSecrets" | "unknownVariables"> => ({
  data: said.text("data") ?? dataDefault,
  memory: said.isOn("memory"),
  durability: said.isOn("memory") ? "none" : ((said.text("durability") ?? durabilities[0]) as Durability),
  participantName: said.text("participant-name"),
  participants: said.list("participant").flatMap((text) => participantIn(text) ?? []),
  synchronizers: said.text("synchronizers")?.split(","),
  host: hostOf(said),
  port: said.number("port", portDefault),
  pathPrefix: said.has("path-prefix") ? `/${pathPrefixOf(said)}` : undefined,
  grpcPorts: said.list("grpc-port").flatMap((text) => grpcPortIn(text) ?? []),
  portFile: said.text("port-file"),
  transport: (said.text("transport") ?? "auto") as StartOptions["transport"],
  tls: tlsOf(said),
  dars: said.list("dar"),
  workers: said.has("workers") ? said.number("workers", 1) : undefined,
  listElementsMax: said.number("list-elements-max", limits.listElementsMax),
  listWaitMs: said.number("list-wait-ms", limits.listWaitMs),
  auth: said.list("auth"),
  authAudience: said.text("auth-audience"),
  authScope: said.text("auth-scope"),
  // LocalNet's clients sign their own, for as long as they like.
  authTokenLifeMaxSeconds: said.number("auth-token-life-max", said.text("localnet") === undefined ? limits.tokenLifeMaxSeconds : Infinity),
  authLeewaySeconds: said.number("auth-leeway", limits.tokenLeewaySeconds),
  tokenRegistries: said.list("token-registry"),
  selfAllocatedPartiesMax: said.number("self-allocated-parties-max", limits.selfAllocatedPartiesMax),
  verboseHashing: said.isOn("verbose-hashing") || said.has("localnet"),
  staticTime: said.isOn("static-time"),
  splice: said.text("splice"),
  localnet: said.text("localnet"),
  portShift: said.number("port-shift", 0),
  noAutomation: said.list("no-automation"),
  clockBehindMaxSeconds: said.number("clock-behind-max", limits.clockBehindMaxSeconds),
  deduplicationMaxSeconds: said.number("deduplication-max", limits.deduplicationDurationMaxSeconds),
  console: !said.isOn("no-console"),
  insecure: said.isOn("insecure"),
  allowedOrigins: said.list("allow-origin"),
  allowedHosts: said.list("allow-host"),
  metricsToken: said.text("metrics-token"),
  traces: said.text("traces"),
  tracesOneIn: said.number("traces-one-in", 1),
  logLevel: (said.text("log-level") ?? "info") as StartOptions["logLevel"],
});

/** What gives the node another port, or the participant of this name beside it. */
export function portFlag({ localnet }: Pick<StartOptions, "localnet">, participant?: string): string {
  if (participant !== undefined) return `--participant ${participant}=PORT`;
  return localnet === undefined ? "--port" : "--port-shift";
}

const memoryProblem = (said: Said): string | undefined =>
  (["data", "durability"] as const)
    .filter((other) => said.isOn("memory") && said.has(other))
    .map((other) => `${said.naming("memory")} and ${said.naming(other)} exclude each other.`)[0];

/** What means something only beside one of others. A LocalNet has authentication of its own. */
const companions: Partial<Record<FlagName, readonly FlagName[]>> = {
  "port-shift": ["localnet"],
  "no-automation": ["splice", "localnet"],
  "auth-audience": ["auth", "localnet"],
  "auth-scope": ["auth", "localnet"],
  "auth-token-life-max": ["auth", "localnet"],
  "auth-leeway": ["auth", "localnet"],
  "traces-one-in": ["traces"],
  "tls-cert-chain": ["tls-private-key"],
  "tls-private-key": ["tls-cert-chain"],
  "tls-trust-collection": ["tls-cert-chain"],
};

function loneFlag(said: Said): string | undefined {
  for (const [name, others] of Object.entries(companions) as [FlagName, readonly FlagName[]][]) {
    if (said.has(name) && !others.some((other) => said.has(other)))
      return `${said.naming(name)} needs ${others.map((other) => `--${other}`).join(" or ")}.`;
  }
  return undefined;
}

/** Of those that do not go with another. */
function misplacedFlag({ values, naming }: Said): string | undefined {
  const { splice, localnet, port, "port-shift": portShift, transport, "tls-cert-chain": certChain } = values;
  if (certChain !== undefined && localnet !== undefined)
    return `${naming("tls-cert-chain")} and ${naming("localnet")} exclude each other: what a LocalNet's clients know are addresses without TLS.`;
  if (certChain !== undefined && transport === "uws")
    return `${naming("tls-cert-chain")} and ${naming("transport", "uws")} exclude each other: TLS is served by node:http.`;
  if (splice !== undefined && localnet !== undefined) return `${naming("splice")} and ${naming("localnet")} exclude each other.`;
  if (localnet !== undefined && port !== undefined)
    return `--localnet has ports of its own: move them with --port-shift instead of ${naming("port")}.`;
  return Number(portShift ?? 0) > portShiftMax ? `${naming("port-shift", String(portShift))}: must be at most ${portShiftMax}.` : undefined;
}

/** The highest of LocalNet's ports stays below 65536. */
const portShiftMax = 60_000;

function tlsOf(said: Said): TlsFiles | undefined {
  const certChain = said.text("tls-cert-chain"),
    privateKey = said.text("tls-private-key");
  if (certChain === undefined || privateKey === undefined) return undefined;
  return { certChain, privateKey, trustCollection: said.text("tls-trust-collection") };
}

/** At which the node is reached. */
export const addressAt = ({ host, tls }: Pick<StartOptions, "host" | "tls">, port: number): string =>
  httpAddress(host, port, tls === undefined ? "http" : "https");

const portProblem = (said: Said): string | undefined =>
  said.number("port", 0) > portMax ? `${said.naming("port", said.text("port"))}: must be at most ${portMax}.` : undefined;

function workersProblem(said: Said): string | undefined {
  const workers = said.number("workers", 1);
  return workers < 1 || workers > limits.workersMax
    ? `${said.naming("workers", said.text("workers"))}: must be at least 1 and at most ${limits.workersMax}.`
    : undefined;
}

/** Of the participant, which is the first where it is not named. */
export const grpcPortOf = ({ grpcPorts }: Pick<StartOptions, "grpcPorts">, isFirst: boolean, name: string): number | undefined =>
  grpcPorts.find(({ participant }) => participant === name || (isFirst && participant === undefined))?.port;

const participantNameProblem = (said: Said): string | undefined =>
  participantNamePattern.test(said.text("participant-name") ?? participantNameDefault)
    ? undefined
    : `${said.naming("participant-name", said.text("participant-name"))}: must be 1 to ${limits.participantNameCharsMax} letters, digits, - or _.`;

const pathPrefixOf = (said: Said): string | undefined => said.text("path-prefix")?.replace(/^\/+|\/+$/g, "");

const pathPrefixProblem = (said: Said): string | undefined =>
  pathPrefixPattern.test(pathPrefixOf(said) ?? "none")
    ? undefined
    : `${said.naming("path-prefix", said.text("path-prefix"))}: must be segments of letters, digits, - . _ or ~, with / between them.`;

const pathPrefixPattern = /^[A-Za-z0-9._~-]+(\/[A-Za-z0-9._~-]+)*$/;
const participantPattern = /^(.*)=([0-9]{1,5})(?:@(.+))?$/s;

function participantIn(text: string): ParticipantOption | undefined {
  const [, name, port, on] = participantPattern.exec(text) ?? [];
  return name === undefined || !participantNamePattern.test(name) ? undefined : { name, port: Number(port), synchronizers: on?.split(",") };
}

const ownName = (said: Said): string =>
  said.text("participant-name") ?? (said.has("localnet") ? localnetParticipantNameDefault : participantNameDefault);

/** By whom each is taken. */
const ownPort = (said: Said): Map<number, string> =>
  new Map(said.has("localnet") ? [] : [[said.number("port", portDefault), `the node itself (${said.naming("port")})`]]);

function participantsProblem(said: Said): string | undefined {
  const names = new Set([ownName(said)]),
    ports = ownPort(said);
  for (const text of said.list("participant")) {
    const participant = participantIn(text),
      problem = participantProblem(participant, names) ?? takenPortProblem(participant!.port, ports);
    if (problem !== undefined) return `${said.naming("participant", text)}: ${problem}`;
    names.add(participant!.name);
    ports.set(participant!.port, `participant ${participant!.name}`);
  }
  return names.size > limits.participantsMax
    ? `${said.naming("participant")}: a process has at most ${limits.participantsMax} participants.`
    : undefined;
}

function participantProblem(participant: ParticipantOption | undefined, others: ReadonlySet<string>): string | undefined {
  if (participant === undefined)
    return `must be a name of 1 to ${limits.participantNameCharsMax} letters, digits, - or _, then = and a port, and perhaps @ and names of synchronizers.`;
  if (participant.port > portMax) return `the port must be at most ${portMax}.`;
  if (others.has(participant.name)) return "there is another participant of this name.";
  return synchronizerNamesProblem(participant.synchronizers ?? []);
}

const grpcPortPattern = /^(?:(.*)=)?([0-9]{1,5})$/s;

function grpcPortIn(text: string): GrpcPortOption | undefined {
  const [, participant, port] = grpcPortPattern.exec(text) ?? [];
  return port === undefined ? undefined : { participant, port: Number(port) };
}

function grpcPortsProblem(said: Said): string | undefined {
  const others = said.list("participant").flatMap((text) => participantIn(text) ?? []),
    names = new Set([ownName(said), ...others.map(({ name }) => name)]),
    served = new Set<string>(),
    ports = ownPort(said);
  for (const { name, port } of others) ports.set(port, `participant ${name}`);
  for (const text of said.list("grpc-port")) {
    const asked = grpcPortIn(text),
      problem = grpcPortProblem(asked, names) ?? takenPortProblem(asked!.port, ports),
      name = asked?.participant ?? ownName(said);
    if (problem !== undefined || served.has(name))
      return `${said.naming("grpc-port", text)}: ${problem ?? `participant ${name} has another port for it.`}`;
    served.add(name);
    ports.set(asked!.port, `the gRPC Ledger API of participant ${name}`);
  }
  return undefined;
}

function grpcPortProblem(asked: GrpcPortOption | undefined, names: ReadonlySet<string>): string | undefined {
  if (asked === undefined) return "must be a port, or the name of a participant, then = and a port.";
  if (asked.port > portMax) return `the port must be at most ${portMax}.`;
  const { participant } = asked;
  return participant === undefined || names.has(participant) ? undefined : `no participant here is called ${participant}.`;
}

/** `ports`: by whom each is taken; 0 is another one each time. */
function takenPortProblem(port: number, ports: ReadonlyMap<number, string>): string | undefined {
  return port === 0 || !ports.has(port) ? undefined : `port ${port} is that of ${ports.get(port)}.`;
}

function synchronizersProblem(said: Said): string | undefined {
  const problem = synchronizerNamesProblem(said.text("synchronizers")?.split(",") ?? []);
  return problem === undefined ? undefined : `${said.naming("synchronizers", said.text("synchronizers"))}: ${problem}`;
}

function synchronizerNamesProblem(names: readonly string[]): string | undefined {
  const malformed = names.find((name) => !synchronizerNamePattern.test(name)),
    repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (malformed !== undefined)
    return `"${malformed}" cannot be the name of a synchronizer: letters, digits, - and _, at most ${limits.synchronizerNameCharsMax}.`;
  return repeated === undefined ? undefined : `synchronizer ${repeated} is named twice.`;
}

/** Without their texts, which may be secrets. */
function authProblem(said: Said): string | undefined {
  const noService = said
    .list("auth")
    .map((service) => parseServiceOption(service).error)
    .find((problem) => problem !== undefined);
  if (noService !== undefined) return `${said.naming("auth")}: ${noService}`;
  return ["", "file:"].includes(said.text("metrics-token") ?? "none") ? `${said.naming("metrics-token")}: the secret is empty` : undefined;
}

/** An address of IPv6 may stand in the brackets that it has in a URL. */
const hostOf = (said: Said): string => (said.text("host") ?? "127.0.0.1").replace(/^\[(.*:.*)\]$/, "$1");

const hostProblem = (said: Said): string | undefined =>
  isIP(hostOf(said)) === 0 && !hostPattern.test(hostOf(said))
    ? `${said.naming("host", said.text("host"))}: must be an address or a name.`
    : openHostProblem(said);

const openHostProblem = (said: Said): string | undefined =>
  said.list("auth").every((service) => service === "none") && !isLoopback(hostOf(said)) && !said.isOn("insecure")
    ? `${said.naming("host", hostOf(said))} is reachable from outside and there is no auth: add --insecure if that is meant.`
    : undefined;

const originPattern = /^(?:null|[a-z][a-z0-9+.-]*:\/\/[^\s/?#@]+)$/i;

const allowedOriginsProblem = (said: Said): string | undefined =>
  said
    .list("allow-origin")
    .filter((origin) => !originPattern.test(origin))
    .map(
      (origin) =>
        `${said.naming("allow-origin", origin)}: must be an origin as browsers send it, for instance https://app.example.com:8443, or null.`,
    )[0];

/** The address is not told again: it may have a secret in it. */
function tracesProblem(said: Said): string | undefined {
  const noCollector = said.has("traces") ? collectorProblem(said.text("traces")!) : undefined;
  if (noCollector !== undefined) return `${said.naming("traces")} ${noCollector}`;
  return said.number("traces-one-in", 1) < 1 ? `${said.naming("traces-one-in")} must be at least 1.` : undefined;
}

function collectorProblem(address: string): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    return "must be the address of a collector, for instance http://127.0.0.1:4318.";
  return url.username === "" && url.password === "" ? undefined : "must be an address without user and password.";
}

const hostPattern = /^[^\s:/?#@[\]]+$/;

const allowedHostsProblem = (said: Said): string | undefined =>
  said
    .list("allow-host")
    .filter((name) => !hostPattern.test(name))
    .map((name) => `${said.naming("allow-host", name)}: must be a name or an address without port.`)[0];

function shownSecrets({ auth = [], "metrics-token": metricsToken }: FlagValues): string[] {
  const isShown = {
    auth: (auth as string[]).some((service) => /^hs256:(?!file:)/.test(service)),
    "metrics-token": typeof metricsToken === "string" && !metricsToken.startsWith("file:"),
  };
  return Object.entries(isShown)
    .filter(([, shown]) => shown)
    .map(([name]) => `--${name}`);
}
