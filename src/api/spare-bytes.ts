/** Memory of replies, counted; of those that are out, for the next ones: the system charges more for fresh memory than for copying into it. */
import { GrowingBytes } from "../base/growing-bytes.js";
import { SpareMemory } from "../base/spare-memory.js";
import { limits } from "../config.js";

export class SpareBytes {
  readonly #bytesMax: number;
  readonly #spare: SpareMemory;
  #heldBytes = 0;
  /** For room. */
  readonly #waiting = new Set<() => void>();

  /** `bytesMax`: of all replies together, beyond which a long one should end. `spare`: of others who share it. */
  constructor(bytesMax: number, spare = new SpareMemory(limits.spareRepliesBytesMax)) {
    this.#bytesMax = bytesMax;
    this.#spare = spare;
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
    if (this.#waiting.size > 0 && this.hasRoom) this.#wakeFirst();
  }

  get hasRoom(): boolean {
    return this.#heldBytes <= this.#bytesMax;
  }

  /** Resolves when there is room, or nobody wants it any more; those who wait get it in the order in which they came. */
  room(until: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const goOn = (): void => {
        this.#waiting.delete(goOn);
        until.removeEventListener("abort", goOn);
        resolve();
        // Whoever has it takes some of it by then, or none.
        if (this.#waiting.size > 0) setImmediate(() => this.#waiting.size > 0 && this.hasRoom && this.#wakeFirst());
      };
      this.#waiting.add(goOn);
      until.addEventListener("abort", goOn, { once: true });
      if (until.aborted || this.hasRoom) goOn();
    });
  }

  #wakeFirst(): void {
    const [first] = this.#waiting;
    first?.();
  }

  /** Whether a reply of so many bytes has to end as there are too many of such. */
  isShortFor(bytes: number): boolean {
    return this.#heldBytes > this.#bytesMax && bytes > limits.replyAssuredBytes;
  }
}

const spare = new SpareMemory(limits.spareRepliesBytesMax);

/** For the thread that answers: of lists and pages, and of what streams send to sockets, so that readers of neither take from the others. */
export const spareBytes = new SpareBytes(limits.repliesBytesMax, spare);
export const frameBytes = new SpareBytes(limits.framesBytesMax, spare);
