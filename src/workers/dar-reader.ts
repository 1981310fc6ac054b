/**
 * DARs are read elsewhere, by a thread that gives way to all others: a large one must not hold up commands, and its memory goes with the
 * idle thread. Before there are commands a small one does not wait for a thread of its own.
 */
import { limits } from "../config.js";
import type { EngineThreads, JobQueue } from "./job-queue.js";
import type { WorkerReplies, WorkerTask } from "./messages.js";

/** What is asked about packages: no command waits for it. Bytes in it are given away where that can be. */
type PackageTask = Extract<WorkerTask, { kind: "readDar" | "listDar" | "checkUpgrades" | "describePackage" }>;

export class DeadlinePassed extends Error {}

export class DarReader {
  readonly #reader: EngineThreads;
  readonly #threads: EngineThreads;
  readonly #queue: JobQueue;

  /** `reader`: the one thread of its own; `threads`: those of the queue. */
  constructor(reader: EngineThreads, threads: EngineThreads, queue: JobQueue) {
    this.#reader = reader;
    this.#threads = threads;
    this.#queue = queue;
  }

  get waiting(): number {
    return this.#reader.queueSize;
  }

  async ask<K extends PackageTask["kind"]>(task: Extract<PackageTask, { kind: K }>): Promise<WorkerReplies[K]> {
    const asked: PackageTask = task,
      threads = asked.kind === "readDar" ? this.#threadsFor(asked.bytes) : this.#reader;
    const controller = new AbortController(),
      deadline = setTimeout(() => controller.abort(new DeadlinePassed()), limits.darDeadlineMs).unref();
    try {
      return (await threads.ask(asked, controller, "bytes" in asked ? wholeMemory(asked.bytes) : [])) as WorkerReplies[K];
    } finally {
      clearTimeout(deadline);
    }
  }

  /** A warm engine has been asked for commands; and who read other DARs knows most of this one. */
  #threadsFor({ byteLength }: Uint8Array): EngineThreads {
    const isForReader = this.#queue.keepsWarm || byteLength > limits.darBytesBeforeReadyMax || this.#reader.threads.length > 0;
    return isForReader ? this.#reader : this.#threads;
  }
}

/**
 * Memory that holds nothing else is given away, as a copy of a large DAR takes long; then nobody can read it here any more. No
 * bytes are not: all requests without a body share them.
 */
const wholeMemory = ({ buffer, byteLength }: Uint8Array): ArrayBuffer[] =>
  buffer instanceof ArrayBuffer && byteLength > 0 && buffer.byteLength === byteLength ? [buffer] : [];
