/**
 * Piscina, but nobody waits for ever. It starts a thread when it is asked for something, and at no other time: who waits is left waiting
 * when that thread cannot start (as Node.js cannot where the working folder was removed), or when the only one is lost to another task.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Piscina } from "piscina";
import { BriefMap } from "../base/brief-map.js";
import { limits } from "../config.js";
import { arrived } from "./thrown.js";
import type { WorkerMessage } from "./warnings.js";

type Given = "filename" | "workerData" | "minThreads" | "maxThreads" | "idleTimeout" | "atomics";
export type ThreadsOptions = Pick<NonNullable<ConstructorParameters<typeof Piscina>[0]>, Given>;

/** A task has its thread to itself, and no more memory than it may take. */
const always = {
  concurrentTasksPerWorker: 1,
  recordTiming: false,
  resourceLimits: {
    stackSizeMb: limits.workerStackMb,
    maxOldGenerationSizeMb: limits.workerOldGenerationMb,
    maxYoungGenerationSizeMb: limits.workerYoungGenerationMb,
  },
};

/** Why nobody can do a task. */
class NoThread extends Error {
  constructor(cause: Error) {
    super(`no thread can be started for it: ${cause.message}`, { cause });
  }
}

/** Why nobody does a task any more. */
export class EngineClosed extends Error {
  constructor() {
    super("the engine is closed");
  }
}

/** Why a task has no answer: its thread did not begin with it, and is gone. */
export class StoodStill extends Error {
  constructor() {
    super("its thread stood still");
  }
}

/** Why a task has no answer: its thread needed more than it may take, and is gone. */
export const hadTooLittleMemory = (error: unknown): boolean => (error as { readonly code?: string }).code === "ERR_WORKER_OUT_OF_MEMORY";

export class Threads<Task, Reply> extends Piscina<Task, Reply> {
  /** Of who waits for an answer. */
  readonly #asked = new BriefMap<AbortController, undefined>(limits.briefEntriesLeftMax);
  readonly #ping: Task;
  /** Ids of threads that told so. */
  #loaded: ReadonlySet<number> = new Set();
  #isStarting = false;
  #isClosed = false;

  /** `ping`: a task that any thread answers at once. */
  constructor(options: ThreadsOptions, ping: Task) {
    super({ ...options, ...always });
    this.#ping = ping;
    this.on("message", (message: WorkerMessage) => {
      if ("loaded" in message)
        this.#loaded = new Set([...this.threads.map(({ threadId }) => threadId).filter(this.#hasLoaded), message.loaded]);
    });
    this.on("error", (error: Error) => {
      if (this.threads.length > 0) return;
      for (const waiting of this.#asked.keys()) waiting.abort(new NoThread(error));
      this.#asked.clear();
    });
  }

  readonly #hasLoaded = (threadId: number): boolean => this.#loaded.has(threadId);

  /** Every task is with a thread that could begin with it. */
  get isSettled(): boolean {
    return this.queueSize === 0 && this.threads.every(({ threadId }) => this.#hasLoaded(threadId));
  }

  /** Rejects with the reason of `controller` once that is aborted, by who asks or for want of threads. */
  async ask(task: Task, controller: AbortController, transferList: ArrayBuffer[] = []): Promise<Reply> {
    if (this.#isClosed) throw new EngineClosed(); // Piscina would start a thread that nobody ends
    const { signal } = controller;
    this.#asked.set(controller, undefined);
    try {
      return await this.run(task, { signal, transferList });
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw this.#isClosed ? new EngineClosed() : arrived(error);
    } finally {
      this.#asked.delete(controller);
      if (this.#asked.size > 0 && this.threads.length === 0) this.#startThread();
    }
  }

  /**
   * A thread that is stopped while it loads its modules takes the process with it (Node.js 20: a fatal error in the module
   * loader), so before they are stopped all are let finish. By a ping their event loop turns, too, which they may owe (`wholeTurn`).
   */
  override async destroy(): Promise<void> {
    await Promise.race([this.#allLoaded(), sleep(limits.workerLoadMaxMs, undefined, { ref: false })]);
    this.#isClosed = true;
    this.#asked.clear(); // all are refused now, and none should have a new thread
    await super.destroy();
  }

  /** Piscina counts those of its start as ready before they are; to ask others would only make it start more. */
  async #allLoaded(): Promise<void> {
    if (this.minThreads > 0) await Promise.allSettled(this.threads.map(() => this.ask(this.#ping, new AbortController())));
    while (this.idleThreads < this.threads.length) await sleep(5);
  }

  /** By asking it something; if it cannot start, who waits is told. */
  #startThread(): void {
    if (this.#isStarting) return;
    this.#isStarting = true;
    this.ask(this.#ping, new AbortController())
      .catch(() => undefined)
      .finally(() => (this.#isStarting = false));
  }
}
