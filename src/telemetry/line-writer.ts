import { writeSync } from "node:fs";
import { blockFor } from "../base/block.js";
import { limits } from "../config.js";

/**
 * Lines to a descriptor, each at once. What cannot be written, as the disk is full or the reader is gone, is dropped and counted: the log
 * is there for the node, and never the other way round.
 */
export class LineWriter {
  readonly #descriptor: number;
  #dropped = 0;
  #isStuck = false;
  /** The last line broke off, so that the next one has to begin a new one. */
  #isTorn = false;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  /** Lines, ever. */
  get dropped(): number {
    return this.#dropped;
  }

  /** The last line was dropped. */
  get isStuck(): boolean {
    return this.#isStuck;
  }

  write(line: string): void {
    this.#isStuck = !this.#writeAll(Buffer.from(this.#isTorn ? `\n${line}` : line));
    if (this.#isStuck) this.#dropped++;
  }

  #writeAll(bytes: Buffer): boolean {
    // Who reads slowly is waited for, but only once: the next lines find out whether it reads again.
    let waitsLeft = this.#isStuck ? 0 : limits.logWaitMs / limits.logWaitStepMs;
    for (let written = 0; written < bytes.length;) {
      try {
        written += writeSync(this.#descriptor, bytes, written);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "EAGAIN" && waitsLeft-- > 0) {
          blockFor(limits.logWaitStepMs);
          continue;
        }
        this.#isTorn ||= written > 0;
        return false;
      }
    }
    this.#isTorn = false;
    return true;
  }
}
