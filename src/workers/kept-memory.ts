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

const bytesMax = limits.workerKeptShareMax * limits.workerOldGenerationMb * 1024 * 1024;

export class KeptMemory {
  readonly #heap: Heap;
  readonly #forget: () => void;
  /** Less is used while nothing much was added to what was kept when it was looked at last. */
  #lookedAtAbove = bytesMax;

  /** `forget`: lets go of what tasks left and can do without. */
  constructor(forget: () => void, heap = own) {
    this.#forget = forget;
    this.#heap = heap;
  }

  /** Between two tasks. Most of what is used is mostly garbage, so that goes first; as it takes long, not again and again for the same. */
  look(): void {
    if (this.#heap.usedBytes() <= this.#lookedAtAbove) return;
    let keptBytes = this.#keptBytes();
    if (keptBytes > bytesMax) {
      this.#forget();
      keptBytes = this.#keptBytes();
    }
    this.#lookedAtAbove = Math.max(bytesMax, limits.workerKeptGrowthMin * keptBytes);
  }

  #keptBytes(): number {
    this.#heap.collect();
    return this.#heap.usedBytes();
  }
}
