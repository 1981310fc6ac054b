/** Flags of the commands that run scripts. */
import { availableParallelism } from "node:os";
import { fail, isFailure, ok, type Result } from "./base/result.js";
import { httpAddress } from "./base/http-address.js";
import { limits } from "./config.js";
import { FlagReader, type Flags, type Manner, parseFlags, unexpectedArgument } from "./flags.js";
import type { ScriptList, ScriptOptions, TestOptions } from "./script/index.js";

export const testFlags = {
  files: { kind: "list", argument: "FILE...", help: "only scripts of these files or modules" },
  "test-pattern": {
    kind: "text",
    argument: "TEXT",
    help: "only scripts with this in their name, or where it has a colon in Module:name",
    also: ["-p"],
  },
  all: { kind: "switch", help: "also the scripts of the packages that a DAR uses" },
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
  "show-coverage": { kind: "switch", help: "name the templates and choices that were never used, which are only counted otherwise" },
  "coverage-output": { kind: "list", argument: "FILE...", help: "write which were used to files that end with .json or .html" },
  "coverage-ignore-choice": {
    kind: "list",
    argument: "PATTERN...",
    help: "leave choices out of the coverage whose Module:Template:Choice, behind package-name: in dependencies, fits a regular expression",
  },
  "save-coverage": { kind: "text", argument: "FILE", help: "write the coverage for --load-coverage, in the reference's format" },
  "load-coverage": { kind: "list", argument: "FILE...", help: "count the coverage of earlier runs too" },
  "load-coverage-only": { kind: "switch", help: "run nothing: only put those together" },
  transactions: { kind: "switch", help: "print the transactions of each script" },
  "transactions-output": { kind: "text", argument: "DIR", help: "write them as a page for each DAR" },
  "table-output": { kind: "text", argument: "DIR", help: "write the active contracts of each script as a page" },
  color: { kind: "switch", help: "colour results" },
} as const satisfies Flags;

const compilersOwn = "it is the compiler's: build the DAR with it, and give that to ledgerline test.",
  darInstead = "name the DAR of the package instead: ledgerline test .daml/dist/NAME-VERSION.dar.";

/** Flags of the reference that mean nothing here, and what to do instead. */
const refusedByTest: Refusals = {
  "package-root": darInstead,
  "project-root": darInstead,
  target: compilersOwn,
  "ghc-option": compilersOwn,
  "package-name": compilersOwn,
};

export function parseTest(args: readonly string[]): Result<TestOptions, string> {
  const given = parseFlags(args, testFlags, manner("test", refusedByTest));
  if (isFailure(given)) return given;
  const said = new FlagReader(given.ok.values),
    dars = given.ok.words;
  const loadsOnly = said.isOn("load-coverage-only");
  if (loadsOnly && (dars.length > 0 || said.isOn("all") || said.has("files")))
    return fail("--load-coverage-only goes with no DAR, --all or --files.");
  if (dars.length === 0 && !loadsOnly) return fail("test needs a DAR: ledgerline test FILE.dar...");
  const threads = said.number("threads", Math.min(availableParallelism(), limits.scriptThreadsMax)),
    timeLimitSeconds = said.number("time-limit", limits.scriptTimeMs / 1000);
  if (threads < 1 || threads > limits.scriptThreadsMax)
    return fail(`--threads ${threads}: must be at least 1 and at most ${limits.scriptThreadsMax}.`);
  const coverageOutputs = said.list("coverage-output");
  const other = coverageOutputs.find((file) => !/\.(json|html)$/.test(file));
  const ignoredChoices = patterns("coverage-ignore-choice", said.list("coverage-ignore-choice"));
  if (isFailure(ignoredChoices)) return ignoredChoices;
  if (other !== undefined) return fail(`--coverage-output ${other}: must end with .json or .html.`);
  return ok({
    dars,
    files: said.list("files"),
    pattern: said.text("test-pattern"),
    all: said.isOn("all"),
    isColoured: said.isOn("color"),
    loadCoverage: said.list("load-coverage"),
    seed: said.text("seed") ?? "0",
    threads,
    timeLimitMs: timeLimitSeconds * 1000,
    mode: contractMode(said.text("contract-mode")),
    watch: said.isOn("watch"),
    reports: {
      junit: said.text("junit"),
      coverage: said.isOn("show-coverage"),
      coverageOutputs,
      ignoredChoices: ignoredChoices.ok,
      saveCoverage: said.text("save-coverage"),
      transactions: said.isOn("transactions"),
      transactionsOutput: said.text("transactions-output"),
      tableOutput: said.text("table-output"),
    },
  });
}

function patterns(flag: keyof typeof testFlags, texts: readonly string[]): Result<readonly RegExp[], string> {
  try {
    return ok(texts.map((text) => new RegExp(text)));
  } catch (error) {
    return fail(`--${flag}: ${(error as Error).message}.`);
  }
}

/** Each by the reference's name too, where that means the same; what of its flags cannot be meant is `refusedByScript`. */
export const scriptFlags = {
  dar: { kind: "text", argument: "FILE", help: "the DAR with the scripts" },
  script: {
    kind: "list",
    argument: "Module:name...",
    help: "scripts to run, one after the other on one ledger, in order of their names",
    also: ["--script-name"],
  },
  "skip-script-name": { kind: "list", argument: "Module:name...", help: "scripts that do not run" },
  all: { kind: "switch", help: "all scripts that take no argument" },
  "list-scripts-json": { kind: "text", argument: "FILE", help: "run nothing: write the names of those scripts as JSON" },
  "input-file": { kind: "text", argument: "FILE", help: "JSON of the argument of the script" },
  "output-file": { kind: "text", argument: "FILE", help: "write what the script returns, as JSON" },
  "json-api": { kind: "text", argument: "URL", help: "run on the node with this JSON API" },
  "ledger-host": { kind: "text", argument: "HOST", help: "the same by its host: that of the JSON API, not of gRPC" },
  "ledger-port": { kind: "number", argument: "N", help: "with --ledger-host: the port of the JSON API, not of gRPC" },
  tls: { kind: "switch", help: "with --ledger-host: by https" },
  "token-file": {
    kind: "text",
    argument: "FILE",
    help: "a token for it, or for participants whose entry has none",
    also: ["--access-token-file"],
  },
  "user-id": { kind: "text", argument: "NAME", help: "the user who submits (default daml-script, or that of the token)" },
  "participant-config": { kind: "text", argument: "FILE", help: "run on several nodes that this JSON file names" },
  memory: { kind: "switch", help: "run on a ledger in memory", also: ["--ide-ledger"] },
  sandbox: { kind: "switch", help: "run on a fresh node in this process, which has the DAR" },
  "static-time": {
    kind: "switch",
    help: "the node runs with --static-time: scripts may set its time (--sandbox: from 1970 on; --memory: always so)",
    also: ["-s"],
  },
  "wall-clock-time": {
    kind: "switch",
    help: "scripts read the system's clock and set none (the default, but for --memory)",
    also: ["-w"],
  },
  "upload-dar": { kind: "switch", help: "upload the DAR first; true or false may follow", mayBeDenied: true },
  "json-test-summary": { kind: "text", argument: "FILE", help: "write results and errors of all scripts as JSON" },
  seed: { kind: "text", argument: "TEXT", help: "with --memory: another seed gives other contract ids (default 0)" },
  "time-limit": { kind: "number", argument: "SECONDS", help: "longest time of one script (default: none)" },
  "contract-mode": testFlags["contract-mode"],
  "ide-ledger-protocol-version": {
    kind: "text",
    argument: "VERSION",
    help: "with --memory: V34 is --contract-mode keyless, V35, VDev and latest are --contract-mode keys",
  },
} as const satisfies Flags;

const noClientCertificate = "no client certificate is sent to a node: reach it through a proxy that has one.";

/** Flags of the reference that mean nothing here, and what to do instead. */
const refusedByScript: Refusals = {
  pem: noClientCertificate,
  crt: noClientCertificate,
  cacrt: "name the file in the environment, NODE_EXTRA_CA_CERTS=FILE, and give an https URL to --json-api.",
  "max-inbound-message-size": "leave it out: answers of the JSON API may have any size.",
  "admin-port": "leave it out: the JSON API vets packages too.",
};

export function parseScript(args: readonly string[]): Result<ScriptOptions | ScriptList, string> {
  const given = parseFlags(args, scriptFlags, manner("script", refusedByScript));
  if (isFailure(given)) return given;
  const said = new FlagReader(given.ok.values),
    [unexpected] = given.ok.words;
  if (unexpected !== undefined) return fail(unexpectedArgument(unexpected));
  const dar = said.text("dar"),
    listFile = said.text("list-scripts-json");
  if (dar === undefined) return fail("script needs --dar FILE.");
  if (listFile === undefined) return parseRun(dar, said);
  if (Object.keys(given.ok.values).length > 2) return fail("--list-scripts-json goes with --dar and no other flag.");
  return ok({ dar, listFile });
}

function parseRun(dar: string, said: ScriptFlagReader): Result<ScriptOptions, string> {
  const named = said.list("script"),
    skipped = said.list("skip-script-name"),
    scripts = named.filter((name) => !skipped.includes(name)),
    ledger = ledgerOf(said);
  if (named.length > 0 === said.isOn("all")) return fail("script needs either --script Module:name or --all.");
  if (named.length > 0 && scripts.length === 0) return fail("--skip-script-name leaves none of the scripts of --script.");
  if (said.isOn("static-time") && said.isOn("wall-clock-time")) return fail("--static-time and --wall-clock-time exclude each other.");
  if (isFailure(ledger)) return ledger;
  const onlyOne = ["input-file", "output-file"] as const;
  const other = onlyOne.find((name) => said.has(name) && scripts.length !== 1);
  if (other !== undefined) return fail(`--${other} goes with one --script.`);
  return ok({
    dar,
    scripts,
    skipped,
    inputFile: said.text("input-file"),
    outputFile: said.text("output-file"),
    ledger: ledger.ok,
    staticTime: said.isOn("static-time"),
    uploadDar: said.isOn("upload-dar"),
    summaryFile: said.text("json-test-summary"),
    timeLimitMs: said.has("time-limit") ? said.number("time-limit", 0) * 1000 : undefined,
  });
}

type ScriptFlagReader = FlagReader<keyof typeof scriptFlags>;

const ledgerFlags = ["json-api", "ledger-host", "participant-config", "memory", "sandbox"] as const;

function ledgerOf(said: ScriptFlagReader): Result<ScriptOptions["ledger"], string> {
  const file = said.text("participant-config"),
    caller = { tokenFile: said.text("token-file"), userId: said.text("user-id") };
  if (said.has("ledger-host") !== said.has("ledger-port")) return fail("--ledger-host and --ledger-port go together.");
  if (said.has("tls") && !said.has("ledger-host")) return fail("--tls goes with --ledger-host: elsewhere an https URL says it.");
  if (ledgerFlags.filter((name) => said.has(name)).length !== 1)
    return fail(
      "script needs one of --json-api URL, --ledger-host HOST with --ledger-port N, --participant-config FILE, --memory and --sandbox.",
    );
  if (said.has("ide-ledger-protocol-version") && !said.isOn("memory")) return fail("--ide-ledger-protocol-version goes with --memory.");
  if (said.isOn("sandbox")) return ok({ kind: "sandbox" });
  if (file !== undefined) return ok({ kind: "participants", file, ...caller });
  if (!said.isOn("memory")) {
    const url = nodeUrl(said);
    return isFailure(url) ? url : ok({ kind: "node", url: url.ok, ...caller });
  }
  const mode = memoryMode(said);
  if (isFailure(mode)) return mode;
  return ok({ kind: "memory", mode: mode.ok, seed: said.text("seed") ?? "0", wallClock: said.isOn("wall-clock-time") });
}

function nodeUrl(said: ScriptFlagReader): Result<string, string> {
  const host = said.text("ledger-host"),
    url =
      host === undefined ? said.text("json-api")! : httpAddress(host, said.number("ledger-port", 0), said.isOn("tls") ? "https" : "http");
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    return fail(host === undefined ? `--json-api ${url}: must be an http or https URL.` : `--ledger-host ${host}: must be a host's name.`);
  return ok(url);
}

/** Protocol versions differ here in what exceptions roll back and in contract keys, as the two modes do. */
const modesOfProtocols: ReadonlyMap<string, ContractModeName> = new Map([
  ["34", "keyless"],
  ["35", "keys"],
  ["dev", "keys"],
  ["latest", "keys"],
]);

function memoryMode(said: ScriptFlagReader): Result<ReturnType<typeof contractMode>, string> {
  const given = said.text("contract-mode"),
    version = said.text("ide-ledger-protocol-version"),
    ofVersion = version && modesOfProtocols.get(version.toLowerCase().replace(/^v/, ""));
  if (version !== undefined && ofVersion === undefined)
    return fail(`--ide-ledger-protocol-version ${version}: must be one of V34, V35, VDev, latest.`);
  if (given !== undefined && ofVersion !== undefined && given !== ofVersion)
    return fail(`--contract-mode ${given} and --ide-ledger-protocol-version ${version!} exclude each other.`);
  return ok(contractMode(given ?? ofVersion));
}

type ContractModeName = (typeof testFlags)["contract-mode"]["choices"][number];

const contractMode = (given: string | undefined): "NoKey" | "NUCK" | undefined =>
  given === undefined ? undefined : given === "keyless" ? "NoKey" : "NUCK";

type Refusals = Readonly<Record<string, string>>;

/** Neither environment nor file says anything to these commands. */
const manner = (command: string, refusals: Refusals): Manner => ({
  takesWords: true,
  isOnlySource: true,
  unknownFlag: (argument, name) =>
    name !== undefined && Object.hasOwn(refusals, name)
      ? `--${name}: ${refusals[name]!}`
      : `Unknown flag ${argument} of ${command}. See ledgerline --help.`,
});
