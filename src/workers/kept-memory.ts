/**
 * A package computes its constants once, and a thread keeps them for the commands of all who use the package. There is no bound on what a
 * constant holds but the thread's memory, which is then missing to the commands of everybody else: so of what a thread keeps from one task
 * to the next there is one, and above it the constants are forgotten.
 */
import { getHeapStatistics } from "node:v8";
import { limits } from "../config.js";
import { collectGarbage } from "./garbage.js";

export interface Heap {
  usedBytes(): number;
  collect(): void;
}
const own: Heap = { usedBytes: () => getHeapStatistics().used_heap_size, collect: collectGarbage };

export class KeptMemory {
  readonly #heap: Heap;
  readonly #forget: () => void;
  #bytesMax = limits.workerKeptShareMax * limits.workerOldGenerationMb * 1024 * 1024;

  /** `forget`: lets go of what tasks left and can do without. */
  constructor(forget: () => void, heap = own) {
    this.#forget = forget;
    this.#heap = heap;
  }

  /** After a task that was long enough to leave much. Most of what is used is mostly garbage, so that goes first. */
  look(): void {
    if (this.#heap.usedBytes() <= this.#bytesMax || this.#keptBytes() <= this.#bytesMax) return;
    this.#forget();
    // What is kept all the same, such as the code of many packages, is not looked through again and again.
    this.#bytesMax = Math.max(this.#bytesMax, limits.workerKeptGrowthMin * this.#keptBytes());
  }

  #keptBytes(): number {
    this.#heap.collect();
    return this.#heap.usedBytes();
  }
}
