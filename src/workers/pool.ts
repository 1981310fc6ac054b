/**
 * The engine pool, main side. Submissions that are waiting go to a free worker together, because sending a message costs
 * more than running a small command. A watchdog stands outside: a worker that does not answer in time is terminated and
 * replaced; it holds no lock and writes nothing, so nothing else notices.
 */
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Piscina } from "piscina";
import type { Log } from "../base/log.js";
import { fail } from "../base/result.js";
import { limits } from "../config.js";
import type { InterfaceViewReply, InterfaceViewRequest, InterpretRequest, Interpreter } from "../ledger/interpreter.js";
import { interpretationError } from "../lf/errors.js";
import type { DarOutcome, InterpretOutcome, UpgradeOutcome, WorkerReplies, WorkerSettings, WorkerTask } from "./messages.js";

export interface EnginePoolOptions extends WorkerSettings {
  readonly workers: number | undefined;
  readonly log: Log;
}

interface Waiting {
  readonly request: InterpretRequest;
  /** Set after its batch was killed: it runs alone, so that only the culprit is blamed. */
  readonly alone: boolean;
  readonly resolve: (outcome: InterpretOutcome) => void;
  readonly reject: (error: unknown) => void;
}

class DeadlinePassed extends Error {}

export class EnginePool implements Interpreter {
  readonly #piscina: Piscina;
  /** DARs are read elsewhere: a large one must not hold up commands, and its memory goes with the idle thread. */
  readonly #darReader: Piscina;
  readonly #log: Log;
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

  interpret(request: InterpretRequest): Promise<InterpretOutcome> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ request, alone: false, resolve, reject });
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

  async computeViews(requests: readonly InterfaceViewRequest[]): Promise<readonly InterfaceViewReply[]> {
    return this.#run(this.#piscina, { kind: "computeViews", requests }, limits.interpretDeadlineMs);
  }

  /** Loads and compiles what is vetted, so that the first command does not pay for it. */
  async warm(): Promise<void> {
    await this.#run(this.#piscina, { kind: "warm" }, limits.darDeadlineMs);
  }

  async close(): Promise<void> {
    await Promise.all([this.#piscina.destroy(), this.#darReader.destroy()]);
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
    try {
      const outcomes = await this.#run(this.#piscina, { kind: "interpret", requests: batch.map(({ request }) => request) }, limits.interpretDeadlineMs);
      batch.forEach((waiting, index) => waiting.resolve(outcomes[index]!));
    } catch (error) {
      this.#onBatchFailure(batch, error as Error);
    } finally {
      this.#idle++;
      this.#schedule();
    }
  }

  #onBatchFailure(batch: readonly Waiting[], error: Error & { code?: string }): void {
    if (batch.length > 1) {
      this.#waiting.unshift(...batch.map((waiting) => ({ ...waiting, alone: true })));
      return;
    }
    const [culprit] = batch;
    if (error instanceof DeadlinePassed) culprit!.resolve(fail(interpretationError("LimitExceeded", `Interpretation took more than ${limits.interpretDeadlineMs} ms and was stopped.`, { limit: "interpretDeadlineMs" })));
    else if (error.code === "ERR_WORKER_OUT_OF_MEMORY") culprit!.resolve(fail(interpretationError("LimitExceeded", `Interpretation needed more than ${limits.workerOldGenerationMb} MB and was stopped.`, { limit: "workerOldGenerationMb" })));
    else culprit!.reject(error);
  }

  async #run<K extends WorkerTask["kind"]>(pool: Piscina, task: Extract<WorkerTask, { kind: K }>, deadlineMs: number): Promise<WorkerReplies[K]> {
    const watchdog = new AbortController();
    const timer = setTimeout(() => watchdog.abort(), deadlineMs);
    try {
      return (await pool.run(task, { signal: watchdog.signal })) as WorkerReplies[K];
    } catch (error) {
      if (watchdog.signal.aborted) throw new DeadlinePassed();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }
}
