/** Large pieces of memory that are used again: fresh ones cost the system's work, and the garbage collector's when they go. */

export class SpareMemory {
  readonly #bytesMax: number;
  /** The smallest first. */
  readonly #spare: Buffer[] = [];
  #bytes = 0;

  /** `bytesMax`: kept for the next ones. */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** At least so many bytes; what is in them does not matter. */
  take(bytes: number): Buffer {
    const at = this.#spare.findIndex(({ length }) => length >= bytes),
      found = at < 0 ? undefined : this.#spare.splice(at, 1)[0];
    this.#bytes -= found?.length ?? 0;
    return found ?? Buffer.allocUnsafeSlow(2 ** Math.ceil(Math.log2(Math.max(bytes, 1))));
  }

  /** What nobody reads or writes any more. */
  give(memory: Buffer): void {
    if (this.#bytes + memory.length > this.#bytesMax) return;
    const at = this.#spare.findIndex(({ length }) => length >= memory.length);
    this.#spare.splice(at < 0 ? this.#spare.length : at, 0, memory);
    this.#bytes += memory.length;
  }
}
