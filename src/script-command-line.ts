/** Flags of the commands that run scripts. */
import { availableParallelism } from "node:os";
import { fail, isFailure, ok, type Result } from "./base/result.js";
import { limits } from "./config.js";
import { FlagReader, type Flags, type Manner, parseFlags, unexpectedArgument } from "./flags.js";
import type { ScriptOptions, TestOptions } from "./script/index.js";

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

export function parseTest(args: readonly string[]): Result<TestOptions, string> {
  const given = parseFlags(args, testFlags, manner("test"));
  if (isFailure(given)) return given;
  const said = new FlagReader(given.ok.values),
    dars = given.ok.words;
  if (dars.length === 0) return fail("test needs a DAR: ledgerline test FILE.dar...");
  const threads = said.number("threads", Math.min(availableParallelism(), limits.scriptThreadsMax)),
    timeLimitSeconds = said.number("time-limit", limits.scriptTimeMs / 1000);
  if (threads < 1 || threads > limits.scriptThreadsMax)
    return fail(`--threads ${threads}: must be at least 1 and at most ${limits.scriptThreadsMax}.`);
  const coverageOutputs = said.list("coverage-output");
  const other = coverageOutputs.find((file) => !/\.(json|html)$/.test(file));
  if (other !== undefined) return fail(`--coverage-output ${other}: must end with .json or .html.`);
  return ok({
    dars,
    files: said.list("files"),
    pattern: said.text("test-pattern"),
    seed: said.text("seed") ?? "0",
    threads,
    timeLimitMs: timeLimitSeconds * 1000,
    mode: contractMode(said.text("contract-mode")),
    watch: said.isOn("watch"),
    reports: {
      junit: said.text("junit"),
      coverage: said.isOn("show-coverage"),
      coverageOutputs,
      transactions: said.isOn("transactions"),
      transactionsOutput: said.text("transactions-output"),
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

export function parseScript(args: readonly string[]): Result<ScriptOptions, string> {
  const given = parseFlags(args, scriptFlags, manner("script"));
  if (isFailure(given)) return given;
  const said = new FlagReader(given.ok.values),
    [unexpected] = given.ok.words;
  if (unexpected !== undefined) return fail(unexpectedArgument(unexpected));
  const dar = said.text("dar"),
    scripts = said.list("script"),
    ledger = ledgerOf(said);
  if (dar === undefined) return fail("script needs --dar FILE.");
  if (scripts.length > 0 === said.isOn("all")) return fail("script needs either --script Module:name or --all.");
  if (isFailure(ledger)) return ledger;
  const onlyOne = ["input-file", "output-file"] as const;
  const other = onlyOne.find((name) => said.has(name) && scripts.length !== 1);
  if (other !== undefined) return fail(`--${other} goes with one --script.`);
  return ok({
    dar,
    scripts,
    inputFile: said.text("input-file"),
    outputFile: said.text("output-file"),
    ledger: ledger.ok,
    staticTime: said.isOn("static-time"),
    uploadDar: said.isOn("upload-dar"),
    summaryFile: said.text("json-test-summary"),
    timeLimitMs: said.has("time-limit") ? said.number("time-limit", 0) * 1000 : undefined,
  });
}

const ledgerFlags = ["json-api", "participant-config", "memory", "sandbox"] as const;

function ledgerOf(said: FlagReader<keyof typeof scriptFlags>): Result<ScriptOptions["ledger"], string> {
  const url = said.text("json-api"),
    file = said.text("participant-config"),
    caller = { tokenFile: said.text("token-file"), userId: said.text("user-id") };
  if (ledgerFlags.filter((name) => said.has(name)).length !== 1)
    return fail("script needs one of --json-api URL, --participant-config FILE, --memory and --sandbox.");
  if (said.isOn("sandbox")) return ok({ kind: "sandbox" });
  if (url !== undefined) {
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return fail(`--json-api ${url}: must be an http or https URL.`);
    return ok({ kind: "node", url, ...caller });
  }
  if (file !== undefined) return ok({ kind: "participants", file, ...caller });
  return ok({ kind: "memory", mode: contractMode(said.text("contract-mode")), seed: said.text("seed") ?? "0" });
}

const contractMode = (given: string | undefined): "NoKey" | "NUCK" | undefined =>
  given === undefined ? undefined : given === "keyless" ? "NoKey" : "NUCK";

/** Neither environment nor file says anything to these commands. */
const manner = (command: string): Manner => ({
  takesWords: true,
  isOnlySource: true,
  unknownFlag: (argument) => `Unknown flag ${argument} of ${command}. See ledgerline --help.`,
});
