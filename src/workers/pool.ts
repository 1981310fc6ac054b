/** The engine pool, main side: its threads, and who is asked through it. */
import { fileURLToPath } from "node:url";
import { Damage, found, Unwritable } from "../base/damage.js";
import type { Log } from "../base/log.js";
import type { Spans } from "../base/spans.js";
import { limits } from "../config.js";
import { DarReader } from "./dar-reader.js";
import { engineThreadsDefault } from "./engine-threads-default.js";
import { type EngineThreads, JobQueue } from "./job-queue.js";
import type { WorkerReplies, WorkerSettings, WorkerTask } from "./messages.js";
import { ParticipantEngine } from "./participant-engine.js";
import { Threads } from "./threads.js";
import type { WorkerMessage } from "./warnings.js";

export interface EnginePoolOptions extends Pick<WorkerSettings, "dataFolder" | "contractMode" | "isOwnProcess"> {
  readonly workers: number | undefined;
  readonly log: Log;
  readonly spans?: Spans | undefined;
  /** The module of its threads, where they know forms of submissions (`thread.ts`). */
  readonly threads?: URL;
}

const ping: WorkerTask = { kind: "ping" };

export class EnginePool {
  readonly #threads: EngineThreads;
  readonly #reserve: EngineThreads;
  readonly #darReader: EngineThreads;
  readonly #queue: JobQueue;
  readonly #dars: DarReader;
  readonly #log: Log;

  constructor(options: EnginePoolOptions) {
    const { dataFolder, contractMode, isOwnProcess = false, log, spans } = options,
      workers = options.workers ?? engineThreadsDefault();
    const workerData: WorkerSettings = { dataFolder, contractMode, isOwnProcess };
    const common = {
      filename: fileURLToPath(options.threads ?? new URL("./worker.js", import.meta.url)),
      workerData,
    };
    this.#threads = new Threads({ ...common, minThreads: workers, maxThreads: workers, atomics: "sync" }, ping);
    const spare: WorkerSettings = { ...workerData, isSpare: true },
      behind: WorkerSettings = { ...spare, givesWayBy: limits.darReaderNice };
    this.#reserve = new Threads(
      {
        ...common,
        workerData: spare,
        minThreads: 0,
        maxThreads: limits.reserveThreadsMax,
        idleTimeout: limits.reserveIdleMs,
        atomics: "sync",
      },
      ping,
    );
    this.#darReader = new Threads(
      { ...common, workerData: behind, minThreads: 0, maxThreads: 1, idleTimeout: limits.darReaderIdleMs },
      ping,
    );
    for (const threads of this.#allThreads) {
      threads.on("error", (error: Error) => log.warn("an engine worker was replaced", { reason: error.message }));
      threads.on("message", (message: WorkerMessage) => {
        if ("ending" in message) {
          const { isDamage, place, problem } = message.ending;
          found(isDamage ? new Damage(place, problem) : new Unwritable(place, problem));
        } else if ("warning" in message) log.warn("an engine worker warns", { reason: message.warning });
      });
    }
    this.#log = log;
    this.#queue = new JobQueue({ threads: this.#threads, threadsMax: workers, reserve: this.#reserve, log, spans });
    this.#dars = new DarReader(this.#darReader, this.#threads, this.#queue);
  }

  get #allThreads(): readonly EngineThreads[] {
    return [this.#threads, this.#reserve, this.#darReader];
  }

  get load(): { readonly waiting: number; readonly running: number; readonly runningOnReserve: number; readonly darsWaiting: number } {
    return { ...this.#queue.load, darsWaiting: this.#dars.waiting };
  }

  /** Submissions that threads are at, and no slow ones: most of them ask for a commit in a moment. */
  get submissionsRunning(): number {
    return this.#queue.submissionsRunning;
  }

  /** `participant`: its number. */
  of(participant: number): ParticipantEngine {
    return new ParticipantEngine({ queue: this.#queue, dars: this.#dars, log: this.#log, participant });
  }

  /** Goes through the node's file: what is wrong with it, as a sentence. On a thread that may be held for long. */
  checkFile(): Promise<WorkerReplies["checkFile"]> {
    return this.#reserve.ask({ kind: "checkFile" }, new AbortController()) as Promise<WorkerReplies["checkFile"]>;
  }

  /** Whenever nothing else is to be done, threads get ready for what is vetted: at the start, and those that replace others. */
  keepWarm(): void {
    this.#queue.keepWarm();
  }

  /** What still waits is rejected. */
  async close(): Promise<void> {
    this.#queue.close();
    await Promise.all(this.#allThreads.map((threads) => threads.destroy()));
  }
}
