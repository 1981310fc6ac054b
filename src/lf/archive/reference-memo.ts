/** References are short and few, but they are written out wherever they are used: the same bytes are read only once. */
import type { MessageName } from "./schema.js";
import type { Slice } from "./wire-reader.js";

/** The most levels of messages that a reference nests. */
const referenceLevels = 3;
/** References are shorter; anything longer is not worth a key. */
const keyBytesMax = 32;

export class ReferenceMemo<N extends MessageName, T> {
  readonly #read: (slice: Slice<N>) => T;
  readonly #known = new Map<string, T>();

  constructor(read: (slice: Slice<N>) => T) { this.#read = read; }

  get(slice: Slice<N>): T {
    const { source, start, end, depth } = slice;
    // Where the bound on nesting is near, the reader decides each time, so that the order of reading does not matter.
    if (depth + referenceLevels > source.messageDepthMax || end - start > keyBytesMax) return this.#read(slice);
    const key = source.buffer.toString("latin1", start, end);
    let value = this.#known.get(key);
    if (value === undefined) this.#known.set(key, (value = this.#read(slice)));
    return value;
  }
}
