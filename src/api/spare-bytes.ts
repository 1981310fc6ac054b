/** Memory of replies, counted; of those that are out, for the next ones: the system charges more for fresh memory than for copying into it. */
import { GrowingBytes } from "../base/growing-bytes.js";
import { SpareMemory } from "../base/spare-memory.js";
import { limits } from "../config.js";

export class SpareBytes {
  readonly #bytesMax: number;
  readonly #spare = new SpareMemory(limits.spareRepliesBytesMax);
  #heldBytes = 0;

  /** `bytesMax`: of all replies together, beyond which a long one should end. */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** What outgrows its memory gets more of this, and leaves its own here. `bytes`: as many as are likely. */
  begin(bytes = 0): GrowingBytes {
    return new GrowingBytes(this.take(Math.max(bytes, limits.spareReplyBytesMin)), this);
  }
  end(used: GrowingBytes): void {
    this.give(used.surrender());
  }

  take(bytes: number): Buffer {
    const memory = this.#spare.take(bytes);
    this.#heldBytes += memory.length;
    return memory;
  }
  give(memory: Buffer): void {
    this.#heldBytes -= memory.length;
    const isWorthKeeping = memory.length >= limits.spareReplyBytesMin && memory.length <= limits.spareReplyBytesMax;
    if (isWorthKeeping) this.#spare.give(memory);
  }

  /** Whether a reply of so many bytes has to end as there are too many of such. */
  isShortFor(bytes: number): boolean {
    return this.#heldBytes > this.#bytesMax && bytes > limits.replyAssuredBytes;
  }
}

/** One for the thread that answers. */
export const spareBytes = new SpareBytes(limits.repliesBytesMax);
