/** Counts what runs, so that a shutdown can wait for it. */
export class InFlight {
  #count = 0;
  #idle: (() => void) | undefined;

  enter(): void {
    this.#count += 1;
  }

  leave(): void {
    this.#count -= 1;
    if (this.#count === 0) this.#idle?.();
  }

  /** Resolves when nothing runs any more, or when `timeoutMs` passed. */
  idle(timeoutMs: number): Promise<void> {
    if (this.#count === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, timeoutMs);
      this.#idle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
