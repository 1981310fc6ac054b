/** Runs all scripts of some DARs, each on a ledger of its own, on as many threads as are given. */
import { stackOf } from "../base/error-text.js";
import { heardLater } from "../base/heard-later.js";
import { isFailure } from "../base/result.js";
import { limits } from "../config.js";
import { type TaskFailure, ThreadPool } from "../workers/index.js";
import { plainFailure, type ScriptOutcome } from "./outcome.js";
import type { MemoryRunOptions } from "./run-in-memory.js";
import { timedOut } from "./runner.js";
import type { ScriptReply, ScriptTask, ScriptToRun } from "./thread.js";

/** Of a dependency, `dar` is what that consists of. */
export type ScriptOfDar = Pick<ScriptToRun, "dar" | "script">;

export type Threads = ThreadPool<ScriptTask, ScriptReply>;

export const scriptThreads = (threads: number): Threads =>
  new ThreadPool({ entry: new URL("./thread.js", import.meta.url), threads, ping: { kind: "ping" } });

/** In the order of the scripts given, each as soon as it and those before it have ended. */
export async function* runScripts(
  threads: Threads,
  scripts: readonly ScriptOfDar[],
  options: MemoryRunOptions,
): AsyncGenerator<ScriptOutcome> {
  const running = scripts.map((script) => heardLater(runScript(threads, { ...script, options })));
  for (const outcome of running) yield await outcome;
}

async function runScript(threads: Threads, task: ScriptToRun): Promise<ScriptOutcome> {
  const begun = performance.now();
  const reply = await threads.run({ kind: "script", run: task }, task.options.timeLimitMs + limits.scriptGraceMs);
  return isFailure(reply) ? lost(task, reply.error, performance.now() - begun) : (reply.ok as ScriptOutcome);
}

/** Its thread is gone, and with it all that it knew. */
function lost({ script: { script }, options: { timeLimitMs } }: ScriptToRun, reason: TaskFailure, elapsedMs: number): ScriptOutcome {
  return {
    script,
    failure: plainFailure(reason.kind === "lost" ? "crash" : "limit", lostText(reason, timeLimitMs)),
    elapsedMs,
    questions: 0,
    transactions: 0,
    activeContracts: 0,
    coverage: { created: [], exercised: [] },
    result: undefined,
    trace: [],
    ledger: undefined,
  };
}

function lostText(reason: TaskFailure, timeLimitMs: number): string {
  switch (reason.kind) {
    case "deadline":
      return timedOut(timeLimitMs);
    case "memory":
      return `The script needed more than ${limits.workerOldGenerationMb} MB and was stopped.`;
    case "lost":
      return `The thread of the script was lost: ${stackOf(reason.error)}`;
  }
}
