/** The newest durable offset, and the signal on which blocked readers wait. */
import type { Offset } from "./model.js";
import { assert } from "../base/assert.js";

export class LedgerEnd {
  #offset: Offset;
  #recordTime: bigint;
  readonly #waiting = new Set<() => void>();

  constructor(offset: Offset, recordTime: bigint) {
    this.#offset = offset;
    this.#recordTime = recordTime;
  }

  get offset(): Offset { return this.#offset; }
  /** Record time at the end; never falls. */
  get recordTime(): bigint { return this.#recordTime; }

  advance(offset: Offset, recordTime: bigint): void {
    assert(offset > this.#offset && recordTime > this.#recordTime, "the ledger end moves forward");
    this.#offset = offset;
    this.#recordTime = recordTime;
    this.#wakeAll();
  }

  #wakeAll(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const wake of waiting) wake();
  }

  /** Resolves when the end lies behind `offset`, after `timeoutMs`, on abort, or when the ledger closes. */
  waitBehind(offset: Offset, timeoutMs: number, signal: AbortSignal): Promise<void> {
    if (this.#offset > offset || signal.aborted || timeoutMs <= 0) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        signal.removeEventListener("abort", done);
        this.#waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, timeoutMs);
      signal.addEventListener("abort", done, { once: true });
      this.#waiting.add(done);
    });
  }

  close(): void { this.#wakeAll(); }
}
