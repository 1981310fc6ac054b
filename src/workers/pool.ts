/**
 * The engine pool, main side. Submissions that are waiting go to a free worker together, because sending a message costs
 * more than running a small command. A watchdog stands outside: a worker that does not answer in time is terminated and
 * replaced; it holds no lock and writes nothing, so nothing else notices.
 */
import { availableParallelism } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Piscina } from "piscina";
import { assert } from "../base/assert.js";
import type { Log } from "../base/log.js";
import { fail } from "../base/result.js";
import { limits } from "../config.js";
import type { InterfaceViewReply, InterfaceViewRequest, InterpretRequest, Interpreter, PrepareRequest, ReplayRequest } from "../ledger/interpreter.js";
import { interpretationError, type EngineError } from "../lf/errors.js";
import { failedView } from "./failed-view.js";
import { begunAnew, newProgress, runningIndex, runningMs, type SharedProgress } from "./batch-progress.js";
import type { DarOutcome, InterpretOutcome, PrepareOutcome, ReplayOutcome, UpgradeOutcome, WorkerReplies, WorkerSettings, WorkerTask } from "./messages.js";

export interface EnginePoolOptions extends WorkerSettings {
  readonly workers: number | undefined;
  readonly log: Log;
}

/** What is interpreted, and waits for a free worker. */
type Interpretation = Extract<WorkerTask, { kind: "prepare" | "replay" }> | { readonly kind: "interpret"; readonly request: InterpretRequest };

interface Waiting {
  readonly task: Interpretation;
  /** Only plain interpretations go in batches; and after its batch failed each runs alone, so that only the culprit is blamed. */
  readonly alone: boolean;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

type Outcome = InterpretOutcome | PrepareOutcome | ReplayOutcome;

class DeadlinePassed extends Error {}

export class EnginePool implements Interpreter {
  readonly #piscina: Piscina;
  /** DARs are read elsewhere: a large one must not hold up commands, and its memory goes with the idle thread. */
  readonly #darReader: Piscina;
  readonly #log: Log;
  readonly #watchdogs: Watchdog[] = [];
  #waiting: Waiting[] = [];
  #idle: number;
  #scheduled = false;

  constructor(options: EnginePoolOptions) {
    const workers = options.workers ?? Math.max(1, availableParallelism() - 1);
    this.#log = options.log;
    this.#idle = workers;
    const { dataFolder, contractMode } = options;
    const workerData: WorkerSettings = { dataFolder, contractMode };
    const common = {
      filename: fileURLToPath(new URL("./worker.js", import.meta.url)),
      workerData,
      concurrentTasksPerWorker: 1,
      recordTiming: false,
      resourceLimits: {
        stackSizeMb: limits.workerStackMb,
        maxOldGenerationSizeMb: limits.workerOldGenerationMb,
        maxYoungGenerationSizeMb: limits.workerYoungGenerationMb,
      },
    };
    this.#piscina = new Piscina({ ...common, minThreads: workers, maxThreads: workers, atomics: "sync" });
    this.#darReader = new Piscina({ ...common, minThreads: 0, maxThreads: 1, idleTimeout: limits.darReaderIdleMs });
    for (const pool of [this.#piscina, this.#darReader]) pool.on("error", (error: Error) => options.log.warn("an engine worker was replaced", { reason: error.message }));
  }

  interpret(request: InterpretRequest): Promise<InterpretOutcome> { return this.#interpretation({ kind: "interpret", request }, false); }
  prepare(request: PrepareRequest): Promise<PrepareOutcome> { return this.#interpretation({ kind: "prepare", request }, true); }
  replay(request: ReplayRequest): Promise<ReplayOutcome> { return this.#interpretation({ kind: "replay", request }, true); }

  #interpretation<O extends Outcome>(task: Interpretation, alone: boolean): Promise<O> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ task, alone, resolve: resolve as (outcome: Outcome) => void, reject });
      this.#schedule();
    });
  }

  async readDar(bytes: Uint8Array): Promise<DarOutcome> {
    try {
      return await this.#run(this.#darReader, { kind: "readDar", bytes }, limits.darDeadlineMs);
    } catch (error) {
      const message = error instanceof DeadlinePassed ? `reading the DAR took more than ${limits.darDeadlineMs} ms` : `reading the DAR failed: ${(error as Error).message}`;
      this.#log.warn("a DAR could not be read", { reason: message });
      return fail({ phase: "archive", code: "DAR_PARSE_ERROR", class: "LimitExceeded", message });
    }
  }

  /** `added`: new packages of a DAR; `vetted`: the ids that are vetted beside them. */
  checkUpgrades(added: readonly { readonly packageId: string; readonly payload: Uint8Array }[], vetted: readonly string[]): Promise<UpgradeOutcome> {
    return this.#run(this.#darReader, { kind: "checkUpgrades", added, vetted }, limits.darDeadlineMs);
  }

  /** A view that takes too long has failed; the others are computed without it. */
  async computeViews(requests: readonly InterfaceViewRequest[]): Promise<readonly InterfaceViewReply[]> {
    const replies = new Map<InterfaceViewRequest, InterfaceViewReply>();
    for (;;) {
      const open = requests.filter((request) => !replies.has(request)), watchdog = new Watchdog(), { progress } = watchdog;
      try {
        const computed = await this.#run(this.#piscina, { kind: "computeViews", requests: open, progress }, limits.viewDeadlineMs, watchdog);
        open.forEach((request, index) => replies.set(request, computed[index]!));
        return requests.map((request) => replies.get(request)!);
      } catch (error) {
        const exceeded = limitExceededBy(error as Error, limits.viewDeadlineMs);
        if (exceeded === undefined) throw error;
        replies.set(open[runningIndex(progress)]!, failedView(exceeded.error));
      }
    }
  }

  /** Loads and compiles what is vetted, so that the first command does not pay for it. */
  async warm(): Promise<void> {
    await this.#run(this.#piscina, { kind: "warm" }, limits.darDeadlineMs);
  }

  async close(): Promise<void> {
    const pools = [this.#piscina, this.#darReader];
    await Promise.race([Promise.all(pools.map(allLoaded)), sleep(limits.workerLoadMaxMs, undefined, { ref: false })]);
    await Promise.all(pools.map((pool) => pool.destroy()));
  }

  /** Waits for the end of the event turn, so that the requests of one turn travel together. */
  #schedule(): void {
    if (this.#scheduled || this.#idle === 0) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      while (this.#idle > 0 && this.#waiting.length > 0) void this.#runBatch(this.#takeBatch());
    });
  }

  #takeBatch(): Waiting[] {
    const fairShare = Math.ceil(this.#waiting.length / Math.max(1, this.#idle));
    const untilAlone = this.#waiting.findIndex(({ alone }) => alone);
    const size = untilAlone === 0 ? 1 : Math.min(limits.interpretBatchMax, fairShare, untilAlone < 0 ? Infinity : untilAlone);
    return this.#waiting.splice(0, size);
  }

  async #runBatch(batch: readonly Waiting[]): Promise<void> {
    this.#idle--;
    const watchdog = this.#watchdogs.pop() ?? new Watchdog();
    try {
      const outcomes = await this.#runTogether(batch.map(({ task }) => task), watchdog);
      batch.forEach((waiting, index) => waiting.resolve(outcomes[index]!));
    } catch (error) {
      if (error instanceof DeadlinePassed) this.#onStuckBatch(batch, runningIndex(watchdog.progress));
      else this.#onBatchFailure(batch, error as Error);
    } finally {
      if (!watchdog.signal.aborted) this.#watchdogs.push(watchdog);
      this.#idle++;
      this.#schedule();
    }
  }

  async #runTogether(tasks: readonly Interpretation[], watchdog: Watchdog): Promise<readonly Outcome[]> {
    const requests = tasks.flatMap((task) => (task.kind === "interpret" ? [task.request] : []));
    if (requests.length === tasks.length) return this.#run<"interpret">(this.#piscina, { kind: "interpret", requests, progress: watchdog.restart() }, limits.interpretDeadlineMs, watchdog);
    const [task] = tasks;
    assert(task && task.kind !== "interpret" && tasks.length === 1, "signed transactions are interpreted one by one");
    return [await this.#run<"prepare" | "replay">(this.#piscina, task, limits.interpretDeadlineMs)];
  }

  /** The one that ran is the culprit; results of those before it are lost with the worker. */
  #onStuckBatch(batch: readonly Waiting[], culprit: number): void {
    batch[culprit]!.resolve(deadlineExceeded(limits.interpretDeadlineMs));
    this.#waiting.unshift(...batch.filter((_, index) => index !== culprit));
  }

  #onBatchFailure(batch: readonly Waiting[], error: Error & { code?: string }): void {
    if (batch.length > 1) {
      this.#waiting.unshift(...batch.map((waiting) => ({ ...waiting, alone: true })));
      return;
    }
    const [culprit] = batch;
    const exceeded = limitExceededBy(error, limits.interpretDeadlineMs);
    if (exceeded === undefined) culprit!.reject(error);
    else culprit!.resolve(exceeded);
  }

  async #run<K extends WorkerTask["kind"]>(pool: Piscina, task: Extract<WorkerTask, { kind: K }>, deadlineMs: number, watchdog = new Watchdog()): Promise<WorkerReplies[K]> {
    watchdog.watch(deadlineMs, "progress" in task);
    try {
      return (await pool.run(task, { signal: watchdog.signal })) as WorkerReplies[K];
    } catch (error) {
      if (watchdog.signal.aborted) throw new DeadlinePassed();
      throw error;
    } finally {
      watchdog.rest();
    }
  }
}

/** Aborts what takes too long. Good for many tasks, one after the other, until it has barked. */
class Watchdog {
  readonly #controller = new AbortController();
  #progress = newProgress();
  #timer: NodeJS.Timeout | undefined;

  get signal(): AbortSignal { return this.#controller.signal; }
  get progress(): SharedProgress { return this.#progress; }

  /** For the next batch. */
  restart(): SharedProgress { return (this.#progress = begunAnew(this.#progress)); }

  /** With progress each submission of a batch has its time; without, the task has it once. */
  watch(deadlineMs: number, withProgress: boolean): void {
    const look = (): void => {
      const leftMs = withProgress ? deadlineMs - runningMs(this.#progress) : 0;
      if (leftMs > 0) this.#timer = setTimeout(look, leftMs);
      else this.#controller.abort();
    };
    this.#timer = setTimeout(look, deadlineMs);
  }

  rest(): void { clearTimeout(this.#timer); }
}

/**
 * A thread that is stopped while it loads its modules takes the process with it (Node.js 20: a fatal error in the module
 * loader), so before they are stopped all are let finish. At the start Piscina counts them as ready before they are.
 */
async function allLoaded(pool: Piscina): Promise<void> {
  const ping: WorkerTask = { kind: "ping" };
  await Promise.allSettled(pool.threads.map(() => pool.run(ping)));
  while (pool.idleThreads < pool.threads.length) await sleep(5);
}

const deadlineExceeded = (deadlineMs: number): { readonly error: EngineError } =>
  fail(interpretationError("LimitExceeded", `Interpretation took more than ${deadlineMs} ms and was stopped.`, { limit: "interpretDeadlineMs" }));

/** The outcome of a task that was stopped; undefined when it failed in another way. */
function limitExceededBy(error: Error & { code?: string }, deadlineMs: number): { readonly error: EngineError } | undefined {
  if (error instanceof DeadlinePassed) return deadlineExceeded(deadlineMs);
  if (error.code === "ERR_WORKER_OUT_OF_MEMORY") return fail(interpretationError("LimitExceeded", `Interpretation needed more than ${limits.workerOldGenerationMb} MB and was stopped.`, { limit: "workerOldGenerationMb" }));
  return undefined;
}
