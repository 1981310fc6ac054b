#!/usr/bin/env node
/** Flags, signals and exit codes; everything else begins in `node.ts`. */
import { constants } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { type Ending, Unwritable } from "./base/damage.js";
import { stackOf } from "./base/error-text.js";
import { isNoRoom } from "./base/no-room.js";
import { fail, isFailure, ok, type Result } from "./base/result.js";
import { shellWord } from "./base/shell-word.js";
import { outliveStderr } from "./base/stderr.js";
import { writeWhole } from "./base/whole-file.js";
import { type CommandLine, helpText, parseCommandLine } from "./command-line.js";
import { limits } from "./config.js";
import { backUpData, pruneData, verifyData } from "./data-at-rest.js";
import { licences } from "./licences.js";
import { type RunningNode, startNode } from "./node.js";
import { startSandbox } from "./sandbox.js";
import { listScripts, scriptCommand, testCommand } from "./script/index.js";
import { LedgerDamaged, runtimeFailure, StartFailure } from "./start-failure.js";
import { addressAt, type StartOptions } from "./start-options.js";
import { version } from "./version.js";

/** The last two are those of a node that had to stop while it ran. */
const exitCodes = { ok: 0, failure: 1, usage: 2, damaged: 3, damagedWhileRunning: 70, unwritable: 71 } as const;

/** Any other process ends by a signal that it does not ask for; the first one of a container does not get it at all. */
const asFirstProcess = process.pid === 1,
  endAtOnce = (signal: NodeJS.Signals): never => process.exit(128 + constants.signals[signal]);

function endBySignals(): void {
  if (asFirstProcess) process.on("SIGINT", endAtOnce).on("SIGTERM", endAtOnce);
}
function endBySignalsNoMore(): void {
  process.off("SIGINT", endAtOnce).off("SIGTERM", endAtOnce);
}

async function main(): Promise<number | undefined> {
  endBySignals();
  outliveStderr();
  const unfit = runtimeFailure();
  if (unfit !== undefined) throw unfit;
  const parsed = parseCommandLine(process.argv.slice(2), process.env);
  if (isFailure(parsed)) {
    tell(`${parsed.error}\n`);
    return exitCodes.usage;
  }
  const { command } = parsed.ok;
  process.stdout.on("error", ({ message, code }: NodeJS.ErrnoException) => {
    // Who read it has enough; how it went the exit code still tells.
    if (command !== "start" && code === "EPIPE") return;
    // A node is there without its ready line, too.
    if (command === "start") tell(`The ready line cannot be written: ${message}\n`);
    else failWith(new StartFailure(`What was asked for cannot be written: ${message}`));
  });
  switch (parsed.ok.command) {
    case "help":
      process.stdout.write(helpText());
      return exitCodes.ok;
    case "version":
      process.stdout.write(`ledgerline ${version}\n`);
      return exitCodes.ok;
    case "licenses":
      return tellLicences();
    case "verify":
      return verify(parsed.ok.data);
    case "backup":
      return backup(parsed.ok.data, parsed.ok.target);
    case "restore":
      return restore(parsed.ok.backup, parsed.ok.data);
    case "doctor":
      return doctor(parsed.ok);
    case "prune":
      return prune(parsed.ok);
    case "test":
      return (await testCommand(parsed.ok.options, output, parsed.ok.options.watch ? untilSignal() : undefined))
        ? exitCodes.ok
        : exitCodes.failure;
    case "list-scripts":
      return listScripts(parsed.ok.options, output) ? exitCodes.ok : exitCodes.failure;
    case "script":
      return (await scriptCommand(parsed.ok.options, output, startSandbox)) ? exitCodes.ok : exitCodes.failure;
    case "start":
      return start(parsed.ok.options);
  }
}

/** On stderr. */
function tell(text: string): void {
  process.stderr.write(text);
}

function tellLicences(): number {
  const text = licences();
  if (text === undefined) tell("The licences have not been gathered: npm run bundle does that.\n");
  else process.stdout.write(text);
  return text === undefined ? exitCodes.failure : exitCodes.ok;
}

const output = {
  out: (text: string): void => {
    process.stdout.write(text);
  },
  err: tell,
};

/** The first signal ends the watching, the second the process. */
function untilSignal(): AbortSignal {
  const stop = new AbortController();
  const end = (): void => {
    stop.abort();
    endBySignals();
  };
  endBySignalsNoMore();
  process.once("SIGINT", end).once("SIGTERM", end);
  return stop.signal;
}

async function start(options: StartOptions): Promise<number | undefined> {
  const isInTerminal = process.stdout.isTTY;
  const starting = Promise.resolve().then(() => startNode(options)); // after what follows
  // Without this the signal would end a node that is not ready yet. What it is sent for may have been read before it came.
  const reload = (): void => void starting.then((node) => node.reload(startOptionsAgain())).catch(() => undefined);
  if (!isInTerminal) process.on("SIGHUP", reload);
  const node = await starting;
  let stoppingSince: number | undefined,
    endsWith: number = exitCodes.ok;
  const stop = (signal: NodeJS.Signals): void => {
    if (stoppingSince === undefined) {
      stoppingSince = performance.now();
      node.close(limits.drainMs, signal).then(
        () => process.exit(endsWith),
        (error) => failWith(error),
      );
    } else if (performance.now() - stoppingSince > limits.sameSignalMs) {
      tell("Asked to stop once more, the node ends before what runs has ended.\n"); // somebody does not want to wait for the drain
      process.exit(exitCodes.failure);
    }
  };
  endBySignalsNoMore();
  process.on("SIGINT", stop).on("SIGTERM", stop);
  if (isInTerminal) process.on("SIGHUP", stop); // it was closed
  void node.ending.then((ending) => {
    endsWith = ending instanceof Unwritable ? exitCodes.unwritable : exitCodes.damagedWhileRunning; // also when it was being stopped
    return stopAtOnce(node, options, ending, endsWith);
  });
  try {
    if (options.portFile !== undefined) writePorts(options.portFile, node);
  } catch (error) {
    await node.close(0, "the port file cannot be written"); // engine threads that are still loading must not be torn down with the process
    throw error;
  }
  if (node.impediment !== undefined) tell(`${node.impediment}\n`);
  const at = (port: number): string => addressAt(options, port);
  process.stdout.write(
    [`Ledgerline is ready. ${at(node.port)}\n`, ...node.doors.map(({ name, port }) => `Participant ${name}: ${at(port)}\n`)].join(""),
  );
  return undefined; // runs until a signal
}

/** A file of flags may say something else by now. */
function startOptionsAgain(): Result<StartOptions, string> {
  const parsed = parseCommandLine(process.argv.slice(2), process.env);
  if (isFailure(parsed)) return parsed;
  return parsed.ok.command === "start" ? ok(parsed.ok.options) : fail("the command line is no start any more");
}

/** Nothing more may be answered or written; who waits for an answer sees the connection close. */
async function stopAtOnce(node: RunningNode, { data, memory }: StartOptions, ending: Ending, exitCode: number): Promise<never> {
  const ledger = memory ? "The ledger" : `The ledger in ${data}`;
  tell(`${ledger} ${ending.verdict}: ${ending.message}. The node stops; ${ending.advice}.\n`);
  await Promise.race([node.close(0, `the ledger ${ending.verdict}`).catch(() => undefined), sleep(limits.stopAtOnceMs)]);
  process.exit(exitCode);
}

/** The node's own alone in the first line. */
function writePorts(file: string, { port, doors }: RunningNode): void {
  try {
    writeWhole(file, [`${port}\n`, ...doors.map((door) => `${door.name}=${door.port}\n`)].join(""));
  } catch (error) {
    const text = `Cannot write ${file}: ${(error as Error).message}`;
    if (!isNoRoom(error)) throw new StartFailure(text);
    tell(`${text}\n`); // a full disk keeps nobody from reading the ledger, and the port is told below
  }
}

async function verify(folder: string): Promise<number> {
  let told = performance.now();
  const report = await verifyData(folder, (step, done, total) => {
    if (performance.now() < told + limits.verifyProgressMs) return;
    told = performance.now();
    tell(`${step}: ${done.toLocaleString("en-US")} of ${total.toLocaleString("en-US")} offsets\n`);
  });
  process.stdout.write(`${report.text}\n`);
  return report.sound ? exitCodes.ok : exitCodes.damaged;
}

async function backup(data: string, target: string): Promise<number> {
  const { folder, ledgerEnd, bytes } = await backUpData(data, target);
  process.stdout.write(
    `The ledger up to offset ${ledgerEnd} is in ${folder}, ${bytes} bytes. To prove it: ledgerline verify --data ${shellWord(folder)}\n`,
  );
  return exitCodes.ok;
}

async function restore(copy: string, data: string): Promise<number> {
  const proved = await verifyData(copy);
  if (!proved.sound) {
    process.stdout.write(`${proved.text}\n`);
    return exitCodes.damaged;
  }
  const { folder, ledgerEnd } = await backUpData(copy, data);
  process.stdout.write(
    `The ledger up to offset ${ledgerEnd} is in ${folder}. Start it with: ledgerline start --data ${shellWord(folder)}\n`,
  );
  return exitCodes.ok;
}

async function doctor(asked: Extract<CommandLine, { command: "doctor" }>): Promise<number> {
  const { examineNode, examineStart } = await import("./packaging/doctor.js");
  const findings = "url" in asked ? await examineNode(asked.url) : await examineStart(asked.options);
  for (const { grade, text } of findings) process.stdout.write(`${grade.padEnd(8)}${text}\n`);
  return findings.some(({ grade }) => grade === "problem") ? exitCodes.failure : exitCodes.ok;
}

async function prune({ options }: Extract<CommandLine, { command: "prune" }>): Promise<number> {
  await pruneData(options);
  process.stdout.write(`Pruned up to offset ${options.upToInclusive}.\n`);
  return exitCodes.ok;
}

function failWith(error: unknown): never {
  tell(`${error instanceof StartFailure ? error.message : stackOf(error)}\n`);
  process.exit(error instanceof LedgerDamaged ? exitCodes.damaged : exitCodes.failure);
}

main().then((code) => {
  if (code !== undefined) process.exitCode = code;
}, failWith);
