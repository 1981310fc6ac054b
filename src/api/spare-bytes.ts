/** Memory of replies that are out, for the next ones: the system charges more for fresh memory than for copying into it. */
import { GrowingBytes } from "../base/growing-bytes.js";
import { SpareMemory } from "../base/spare-memory.js";
import { limits } from "../config.js";

class SpareBytes {
  readonly #spare = new SpareMemory(limits.spareRepliesBytesMax);

  /** What outgrows its memory gets more of this, and leaves its own here. */
  begin(): GrowingBytes {
    return new GrowingBytes(this.take(limits.spareReplyBytesMin), this);
  }
  end(used: GrowingBytes): void {
    this.give(used.surrender());
  }

  take(bytes: number): Buffer {
    return this.#spare.take(bytes);
  }
  give(memory: Buffer): void {
    const isWorthKeeping = memory.length >= limits.spareReplyBytesMin && memory.length <= limits.spareReplyBytesMax;
    if (isWorthKeeping) this.#spare.give(memory);
  }
}

/** One for the thread that answers. */
export const spareBytes = new SpareBytes();
