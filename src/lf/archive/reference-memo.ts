/** References are short and few, but they are written out wherever they are used: the same bytes are read only once. */
import type { MessageName } from "./schema.js";
import type { Slice } from "./wire-reader.js";

/** The most levels of messages that a reference nests. */
const referenceLevels = 3;
/** References are shorter; anything longer is not worth keeping. */
const keyBytesMax = 32;
/** Of one hash. Who makes references that collide has them read each time. */
const entriesMax = 8;

interface Entry<N extends MessageName, T> {
  readonly slice: Slice<N>;
  readonly value: T;
}

export class ReferenceMemo<N extends MessageName, T> {
  readonly #read: (slice: Slice<N>) => T;
  readonly #known = new Map<number, Entry<N, T>[]>();

  constructor(read: (slice: Slice<N>) => T) {
    this.#read = read;
  }

  get(slice: Slice<N>): T {
    // Where the bound on nesting is near, the reader decides each time, so that the order of reading does not matter.
    if (slice.depth + referenceLevels > slice.source.messageDepthMax || slice.end - slice.start > keyBytesMax) return this.#read(slice);
    const hash = hashOf(slice),
      entries = this.#known.get(hash);
    if (entries !== undefined) for (const entry of entries) if (sameBytes(entry.slice, slice)) return entry.value;
    const value = this.#read(slice);
    if (entries === undefined) this.#known.set(hash, [{ slice, value }]);
    else if (entries.length < entriesMax) entries.push({ slice, value });
    return value;
  }
}

/** FNV-1a, as a small integer of V8. */
function hashOf({ source: { bytes }, start, end }: Slice): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ bytes[at]!, 0x01000193);
  return hash & 0x3fffffff;
}

function sameBytes(left: Slice, right: Slice): boolean {
  const length = left.end - left.start,
    ones = left.source.bytes,
    others = right.source.bytes;
  if (length !== right.end - right.start) return false;
  for (let at = 0; at < length; at += 1) if (ones[left.start + at] !== others[right.start + at]) return false;
  return true;
}
