/** `ledgerline script`: scripts that set a ledger up, or work on one that is there. */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { BroadcastChannel } from "node:worker_threads";
import { fail, isFailure, ok, type Result } from "../base/result.js";
import type { FoundScript } from "./find-scripts.js";
import { DarLoader, type LoadedScripts } from "./load.js";
import { JsonApi } from "./node/index.js";
import { type ScriptFailure, scriptId, showScript } from "./outcome.js";
import { writeOutput } from "./output-file.js";
import type { ContractMode } from "./packages.js";
import { type Nodes, parseParticipants, submitter } from "./participant-config.js";
import { parseExactJson } from "./plain-json/index.js";
import { failureText } from "./report/index.js";
import type { LedgerChoice, SessionOutcome } from "./session.js";
import { QuestionFailed } from "./stop.js";
import type { Output } from "./test-command.js";
import { scriptThreads } from "./test-run.js";
import { traceLine } from "./trace.js";

interface Caller {
  readonly tokenFile: string | undefined;
  readonly userId: string | undefined;
}

export interface ScriptOptions {
  readonly dar: string;
  /** `Module:name`; empty: all that take no argument, but those that are skipped. */
  readonly scripts: readonly string[];
  readonly skipped: readonly string[];
  readonly inputFile: string | undefined;
  readonly outputFile: string | undefined;
  readonly ledger:
    | { readonly kind: "memory"; readonly mode: ContractMode | undefined; readonly seed: string; readonly wallClock: boolean }
    /** A node in this process, for this command. */
    | { readonly kind: "sandbox" }
    | ({ readonly kind: "node"; readonly url: string } & Caller)
    /** The caller is that of participants for which the file names none. */
    | ({ readonly kind: "participants"; readonly file: string } & Caller);
  readonly staticTime: boolean;
  readonly uploadDar: boolean;
  readonly summaryFile: string | undefined;
  /** Undefined: none. */
  readonly timeLimitMs: number | undefined;
}

/** Scripts that are listed instead of run. */
export interface ScriptList {
  readonly dar: string;
  /** For the names of those that take no argument. */
  readonly listFile: string;
}

/** True when they are written. */
export function listScripts({ dar, listFile }: ScriptList, output: Output): boolean {
  const loaded = load(dar);
  const problem = isFailure(loaded)
    ? loaded.error
    : writeOutput(
        listFile,
        `${JSON.stringify(
          withoutArgument(loaded.ok.loaded).map(({ script }) => scriptId(script)),
          undefined,
          2,
        )}\n`,
      );
  if (problem !== undefined) output.err(`${problem}\n`);
  return problem === undefined;
}

/** Starts a node that has the DAR; whoever calls the commands knows how. */
export type StartSandbox = (needs: {
  readonly dar: string;
  readonly staticTime: boolean;
}) => Promise<Result<{ readonly url: string; close(): Promise<void> }, string>>;

/** True when all scripts ran well. */
export async function scriptCommand(options: ScriptOptions, output: Output, startSandbox: StartSandbox): Promise<boolean> {
  const { ledger } = options;
  if (ledger.kind !== "sandbox") return runScripts(options, ledger, output);
  const sandbox = await startSandbox(options);
  if (isFailure(sandbox)) {
    output.err(`${sandbox.error}\n`);
    return false;
  }
  try {
    return await runScripts(options, { kind: "node", url: sandbox.ok.url, tokenFile: undefined, userId: undefined }, output);
  } finally {
    await sandbox.ok.close();
  }
}

/** A ledger that is there, or needs no node. */
type OpenLedger = Exclude<ScriptOptions["ledger"], { readonly kind: "sandbox" }>;

async function runScripts(options: ScriptOptions, given: OpenLedger, output: Output): Promise<boolean> {
  const prepared = await prepare(options, given);
  if (isFailure(prepared)) {
    output.err(`${prepared.error}\n`);
    return false;
  }
  const { loaded, scripts, ledger, input } = prepared.ok,
    threads = scriptThreads(1),
    trace = new TraceOutput(output);
  if (scripts.length === 0) output.err(`${options.dar} has no scripts to run.\n`);
  try {
    const timeLimitMs = options.timeLimitMs ?? Infinity,
      { traceChannel } = trace;
    const reply = await threads.run(
      { kind: "session", session: { dar: loaded.dar, scripts, ledger, input, timeLimitMs, traceChannel } },
      undefined,
    );
    if (isFailure(reply)) {
      output.err(
        `${reply.error.kind === "lost" ? `The thread of the scripts was lost: ${reply.error.error.message}` : "The scripts needed more memory than there is."}\n`,
      );
      return false;
    }
    const outcomes = reply.ok as readonly SessionOutcome[];
    trace.tellRest(outcomes.flatMap((outcome) => outcome.trace));
    return report(options, loaded, outcomes, output);
  } finally {
    trace.close();
    await threads.close();
  }
}

/** Prints what scripts say as they say it, on another thread; a channel may be behind the answer of that. */
class TraceOutput {
  readonly traceChannel: string = randomUUID();
  readonly #channel: BroadcastChannel;
  #told = 0;

  constructor(readonly output: Output) {
    this.#channel = new BroadcastChannel(this.traceChannel);
    this.#channel.onmessage = ({ data }) => this.#tell(data as string);
  }

  /** `all`: that they said. */
  tellRest(all: readonly string[]): void {
    this.#channel.onmessage = () => undefined;
    all.slice(this.#told).forEach((line) => this.#tell(line));
  }

  close(): void {
    this.#channel.close();
  }

  #tell(line: string): void {
    this.#told++;
    this.output.out(`${traceLine(line)}\n`);
  }
}

interface Prepared {
  readonly loaded: LoadedScripts;
  readonly scripts: readonly FoundScript[];
  readonly ledger: LedgerChoice;
  readonly input: string | undefined;
}

async function prepare(options: ScriptOptions, given: OpenLedger): Promise<Result<Prepared, string>> {
  const read = load(options.dar);
  if (isFailure(read)) return read;
  const { loaded, bytes } = read.ok,
    scripts = chosenScripts(options, loaded),
    ledger = chosenLedger(given, options.staticTime),
    input = readInput(options.inputFile);
  if (isFailure(scripts)) return scripts;
  if (isFailure(ledger)) return ledger;
  if (isFailure(input)) return input;
  if (options.uploadDar && ledger.ok.kind === "nodes") {
    const problem = await upload(ledger.ok, bytes);
    if (problem !== undefined) return fail(problem);
  }
  return ok({ loaded, scripts: scripts.ok, ledger: ledger.ok, input: input.ok });
}

function load(dar: string): Result<{ readonly loaded: LoadedScripts; readonly bytes: Buffer }, string> {
  const bytes = readBytes(dar);
  if (isFailure(bytes)) return bytes;
  const loaded = new DarLoader().load(dar, bytes.ok);
  return isFailure(loaded) ? loaded : ok({ loaded: loaded.ok, bytes: bytes.ok });
}

function readBytes(file: string): Result<Buffer, string> {
  try {
    return ok(readFileSync(file));
  } catch (error) {
    return fail(`${file} cannot be read: ${(error as Error).message}`);
  }
}

function readInput(file: string | undefined): Result<Prepared["input"], string> {
  if (file === undefined) return ok(undefined);
  const bytes = readBytes(file);
  if (isFailure(bytes)) return bytes;
  const text = bytes.ok.toString("utf8"),
    json = parseExactJson(text); // the scripts' thread reads it again: this is to know before anything was done
  return isFailure(json) ? fail(`${file} ${json.error}`) : ok(text);
}

const withoutArgument = ({ scripts }: LoadedScripts): readonly FoundScript[] => scripts.filter(({ parameter }) => parameter === undefined);
const nameOf = ({ script }: FoundScript): string => showScript(script);
const isCalled = ({ script }: FoundScript, name: string): boolean => name === showScript(script) || name === scriptId(script);

function chosenScripts({ dar, scripts: names, skipped }: ScriptOptions, loaded: LoadedScripts): Result<readonly FoundScript[], string> {
  if (names.length === 0) return ok(withoutArgument(loaded).filter((each) => !skipped.some((name) => isCalled(each, name))));
  const { scripts } = loaded,
    chosen: FoundScript[] = [];
  for (const name of names) {
    const found = scripts.find((each) => isCalled(each, name));
    if (found === undefined)
      return fail(
        `${dar} has no script ${name}. It has: ${
          scripts.map(nameOf).slice(0, 20).join(", ") || "none"
        }${scripts.length > 20 ? ", ..." : ""}.`,
      );
    chosen.push(found);
  }
  // As in the reference the order is that of names, however they were given; it is the one that a package's scripts are found in.
  return ok(chosen.sort((left, right) => scripts.indexOf(left) - scripts.indexOf(right)));
}

function chosenLedger(ledger: OpenLedger, staticTime: boolean): Result<LedgerChoice, string> {
  if (ledger.kind === "memory") return ok(ledger);
  const nodes = chosenNodes(ledger);
  return isFailure(nodes) ? nodes : ok({ kind: "nodes", ...nodes.ok, staticTime });
}

function chosenNodes(ledger: Exclude<OpenLedger, { readonly kind: "memory" }>): Result<Nodes, string> {
  const { tokenFile, userId } = ledger;
  const read: Result<Buffer | undefined, string> = tokenFile === undefined ? ok(undefined) : readBytes(tokenFile);
  if (isFailure(read)) return read;
  const token = read.ok?.toString("utf8").trim();
  if (ledger.kind === "node")
    return ok({ default: { url: ledger.url.replace(/\/+$/, ""), token, userId: submitter(token, userId) }, named: [], parties: [] });
  const file = readBytes(ledger.file);
  if (isFailure(file)) return file;
  const nodes = parseParticipants(file.ok.toString("utf8"), { token, userId });
  return isFailure(nodes) ? fail(`${ledger.file} ${nodes.error}.`) : nodes;
}

async function upload({ default: first, named }: Extract<LedgerChoice, { kind: "nodes" }>, bytes: Uint8Array): Promise<string | undefined> {
  const nodes = new Map([...named.map(([, node]) => node), ...(first === undefined ? [] : [first])].map((node) => [node.url, node]));
  for (const node of nodes.values()) {
    try {
      await new JsonApi(node).post("/v2/dars", bytes);
    } catch (error) {
      if (error instanceof QuestionFailed) return `The DAR was not uploaded: ${error.message}`;
      throw error;
    }
  }
  return undefined;
}

function report(
  { outputFile, summaryFile }: ScriptOptions,
  { sources }: LoadedScripts,
  outcomes: readonly SessionOutcome[],
  output: Output,
): boolean {
  for (const { script, failure, referenceText } of outcomes) {
    output.out(`${showScript(script)} ${failure === undefined ? "SUCCESS" : `FAILURE (${referenceText ?? failure.message})`}\n`);
    if (failure !== undefined)
      output.err(`${failureText({ script, failure: failure satisfies ScriptFailure, trace: [], ledger: undefined }, sources)}\n`);
  }
  const unwritten = [
    outputFile === undefined ? undefined : writeResult(outputFile, outcomes[0]!),
    summaryFile === undefined ? undefined : writeOutput(summaryFile, summaryOf(outcomes)),
  ].filter((problem) => problem !== undefined);
  for (const problem of unwritten) output.err(`${problem}\n`);
  return unwritten.length === 0 && outcomes.every(({ failure }) => failure === undefined);
}

/** A script that failed has none. */
function writeResult(file: string, { failure, result }: SessionOutcome): string | undefined {
  if (failure !== undefined) return undefined;
  if (result === undefined) return `${file} is not written: the type of what the script returns has no JSON.`;
  return writeOutput(file, `${result}\n`);
}

/** Put together as text: results have numbers that `JSON.parse` would round. */
function summaryOf(outcomes: readonly SessionOutcome[]): string {
  const members = new Map(
    outcomes.map(({ script, failure, referenceText, result = "null" }) => [
      scriptId(script),
      failure === undefined
        ? `"result": ${result.replaceAll("\n", "\n    ")}`
        : `"error": ${JSON.stringify(referenceText ?? failure.message)}`,
    ]),
  );
  return `{\n${[...members].map(([name, member]) => `  ${JSON.stringify(name)}: {\n    ${member}\n  }`).join(",\n")}\n}\n`;
}
