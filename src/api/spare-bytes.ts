/** Memory of replies that are out, for the next ones: the system charges more for fresh memory than for copying into it. */
import { GrowingBytes } from "../base/growing-bytes.js";
import { limits } from "../config.js";

class SpareBytes {
  readonly #spare: Buffer[] = [];
  #bytes = 0;

  take(): GrowingBytes {
    const found = this.#spare.pop();
    this.#bytes -= found?.length ?? 0;
    return new GrowingBytes(found);
  }

  give(used: GrowingBytes): void {
    const bytes = used.surrender();
    const isWorthKeeping = bytes.length >= limits.spareReplyBytesMin && bytes.length <= limits.spareReplyBytesMax;
    if (!isWorthKeeping || this.#bytes + bytes.length > limits.spareRepliesBytesMax) return;
    this.#spare.push(bytes);
    this.#bytes += bytes.length;
  }
}

/** One for the thread that answers. */
export const spareBytes = new SpareBytes();
