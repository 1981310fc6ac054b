/** Records of updates that lie one behind the other, read together: for who goes through a history that is not in memory. */
import { limits } from "../../config.js";
import { Stretch, type Tables } from "../../store/index.js";
import type { Offset } from "../model/index.js";
import { isWholeUpdate, offsetOf } from "../records/index.js";

/** From `head` to before `end`, until the next search. */
export interface FoundRecord {
  readonly bytes: Buffer;
  readonly head: number;
  readonly end: number;
}

export class UpdateStretch {
  readonly #tables: Pick<Tables, "updates">;
  /** Memory is taken when it is first used. */
  #stretch: Stretch | undefined;
  /** In the stretch: where the search goes on. */
  #next = 0;
  /** Of pages that are read next: from a disk that is slow, or sleeps, fewer, as others wait for this thread meanwhile. */
  #bytes: number = limits.updateStretchBytesMin;
  /** Searches that are left until it is tried again, where nothing was found in what was read for it. */
  #pause = 0;

  constructor(tables: Pick<Tables, "updates">) {
    this.#tables = tables;
  }

  owns(bytes: Buffer): boolean {
    return bytes === this.#stretch?.bytes;
  }

  /** Undefined: there may be one all the same. */
  find(offset: Offset): FoundRecord | undefined {
    if (this.#pause > 0) {
      this.#pause--;
      return undefined;
    }
    const stretch = (this.#stretch ??= new Stretch(limits.updateStretchBytes, limits.updateStretchRecordsMax));
    if (!this.#isWithin(stretch, offset)) {
      this.#read(stretch, offset);
      if (!this.#isWithin(stretch, offset)) this.#pause = limits.streamBatchElements;
    }
    return this.#search(stretch, offset);
  }

  #read(stretch: Stretch, offset: Offset): void {
    const begin = performance.now();
    this.#tables.updates.readStretch(offset, stretch, this.#bytes);
    const tookMs = performance.now() - begin;
    if (tookMs > limits.turnMs) this.#bytes = Math.max(limits.updateStretchBytesMin, this.#bytes / 2);
    else if (tookMs < limits.turnMs / 4) this.#bytes = Math.min(limits.updateStretchBytes, this.#bytes * 2);
    this.#next = 0;
  }

  #isWithin({ bytes, from, count }: Stretch, offset: Offset): boolean {
    return count > 0 && offset >= offsetOf(bytes, from[0]) && offset <= offsetOf(bytes, from[count - 1]);
  }

  /** Most searches are for the one behind that of the last. */
  #search({ bytes, from, to, count }: Stretch, offset: Offset): FoundRecord | undefined {
    let index = this.#next;
    if (index === count || offsetOf(bytes, from[index]) > offset) index = 0;
    while (index < count && offsetOf(bytes, from[index]) < offset) index++;
    this.#next = index;
    if (index === count) return undefined;
    const head = from[index]!,
      end = to[index]!;
    return offsetOf(bytes, head) === offset && isWholeUpdate(bytes, head, end) ? { bytes, head, end } : undefined;
  }
}
