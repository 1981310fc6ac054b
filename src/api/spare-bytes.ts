/** Memory of replies that are out, for the next ones: the system charges more for fresh memory than for copying into it. */
import { GrowingBytes } from "../base/growing-bytes.js";
import { limits } from "../config.js";

class SpareBytes {
  readonly #spare: Buffer[] = [];

  take(): GrowingBytes {
    return new GrowingBytes(this.#spare.pop());
  }

  give(used: GrowingBytes): void {
    const bytes = used.surrender();
    const isWorthKeeping = bytes.length >= limits.spareReplyBytesMin && bytes.length <= limits.spareReplyBytesMax;
    if (isWorthKeeping && this.#spare.length < limits.spareRepliesMax) this.#spare.push(bytes);
  }
}

/** One for the thread that answers. */
export const spareBytes = new SpareBytes();
