/** Threads for work that is not a ledger's: each task alone on a thread, which is stopped when the task takes too long. */
import { fileURLToPath } from "node:url";
import { timerMsMax } from "../base/clock.js";
import { fail, ok, type Result } from "../base/result.js";
import { hadTooLittleMemory, Threads } from "./threads.js";

export interface ThreadPoolOptions<Task> {
  /** The module whose default export is called with each task. */
  readonly entry: URL;
  readonly threads: number;
  /** A task that is answered at once: who answers has loaded. */
  readonly ping: Task;
}

/** Why a task has no result: it took too long, or too much memory, or its thread was lost in another way. */
export type TaskFailure = { readonly kind: "deadline" | "memory" } | { readonly kind: "lost"; readonly error: Error };

export class ThreadPool<Task, Reply> {
  readonly #threads: Threads<Task, Reply>;
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor({ entry, threads, ping }: ThreadPoolOptions<Task>) {
    this.#free = threads;
    this.#threads = new Threads<Task, Reply>({ filename: fileURLToPath(entry), minThreads: threads, maxThreads: threads }, ping);
    this.#threads.on("error", () => undefined); // told by the task that was lost
  }

  /** Waits for a free thread; the deadline, if there is one, counts from then. */
  async run(task: Task, deadlineMs: number | undefined): Promise<Result<Reply, TaskFailure>> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    const controller = new AbortController();
    let isOverdue = false;
    const timer =
      deadlineMs === undefined
        ? undefined
        : setTimeout(
            () => {
              isOverdue = true;
              controller.abort();
            },
            Math.min(deadlineMs, timerMsMax),
          );
    try {
      return ok(await this.#threads.ask(task, controller));
    } catch (error) {
      if (isOverdue) return fail({ kind: "deadline" });
      return fail(hadTooLittleMemory(error) ? { kind: "memory" } : { kind: "lost", error: error as Error });
    } finally {
      clearTimeout(timer);
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next();
    }
  }

  async close(): Promise<void> {
    await this.#threads.destroy();
  }
}
