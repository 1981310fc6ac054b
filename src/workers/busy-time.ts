/** How much of a thread's time its tasks take. */
export class BusyTime {
  #busyMs = 0;
  #lastMs = 0;
  #sinceMs = performance.now();

  run<T>(task: () => T): T {
    const begunMs = performance.now();
    try {
      return task();
    } finally {
      this.#lastMs = performance.now() - begunMs;
      this.#busyMs += this.#lastMs;
    }
  }

  /** What the last task took. */
  get lastMs(): number {
    return this.#lastMs;
  }

  /** Of the time since this was asked last, from 0 to 1. */
  takeShare(): number {
    const nowMs = performance.now(),
      share = this.#busyMs / (nowMs - this.#sinceMs);
    this.#busyMs = 0;
    this.#sinceMs = nowMs;
    return share;
  }
}
