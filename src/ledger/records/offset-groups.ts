/**
 * Indexes of offsets: of each range what a commit adds is one entry, under the last of its offsets, with those before it in the record. An
 * entry of one offset has none. Pruning takes an entry when it takes its last offset; those before it are nothing to anybody by then.
 */
import { damaged } from "../../base/damage.js";
import { limits } from "../../config.js";
import { type Batch, offsetMax, placeText, RecordReader, type RecordWriter, sealBytes, type Table, unseal } from "../../store/index.js";
import type { Offset } from "../model/index.js";

const version = 1,
  distanceBytes = 4;

interface OfOffset {
  readonly offset: Offset;
}
/** Of all keys that differ in their offset alone. */
export type RangeOf<K extends OfOffset> = Omit<K, "offset">;

/** Both inclusive. */
interface Span {
  readonly from: Offset;
  readonly to: Offset;
}

/** What a commit adds to the ranges of one index, until it is written. */
export class PendingOffsets<K extends OfOffset> {
  readonly #ranges = new Map<number, { readonly range: RangeOf<K>; readonly offsets: Offset[] }>();
  readonly #keyAt: (range: RangeOf<K>, offset: Offset) => K;

  /** `keyAt`: a key of its own shape; to spread the range into one makes V8 a hidden class for each. */
  constructor(keyAt: (range: RangeOf<K>, offset: Offset) => K) {
    this.#keyAt = keyAt;
  }

  /** `number`: of the range, no other has it. Offsets rise. */
  add(number: number, range: RangeOf<K>, offset: Offset): void {
    const known = this.#ranges.get(number);
    if (known === undefined) this.#ranges.set(number, { range, offsets: [offset] });
    else known.offsets.push(offset);
  }

  *ranges(): Generator<RangeOf<K>, undefined, undefined> {
    for (const { range } of this.#ranges.values()) yield range;
    return undefined;
  }

  /** Forgets what is behind an offset. */
  backTo(offset: Offset): void {
    for (const [number, { offsets }] of this.#ranges) {
      while (offsets.length > 0 && offsets.at(-1)! > offset) offsets.pop();
      if (offsets.length === 0) this.#ranges.delete(number);
    }
  }

  /** A step for each entry. */
  *write(batch: Batch, table: Table<K>, writer: RecordWriter): Generator<undefined> {
    for (const { range, offsets } of this.#ranges.values())
      for (let at = 0; at < offsets.length; at += limits.indexEntryOffsetsMax) {
        const together = offsets.slice(at, at + limits.indexEntryOffsetsMax),
          offset = together.pop()!;
        batch.insert(table, this.#keyAt(range, offset), together.length === 0 ? undefined : encodeBefore(writer, offset, together));
        yield;
      }
  }
}

/** As distances from the last. */
function encodeBefore(writer: RecordWriter, last: Offset, before: readonly Offset[]): Buffer {
  writer.reset();
  for (const offset of before) writer.u32(last - offset);
  return writer.finish(version);
}

/** All of an entry, in order. */
function offsetsOf<K extends OfOffset>({ name }: Table<K>, { key, value }: { readonly key: K; readonly value: Buffer }): Offset[] {
  const { offset: last } = key;
  if (value.length === 0) return [last];
  const reader = new RecordReader(unseal(value, version, name, key)),
    offsets: Offset[] = [];
  for (let left = (value.length - sealBytes) / distanceBytes; left > 0; left--) {
    const offset = last - reader.u32();
    if (offset <= (offsets.at(-1) ?? 0) || offset >= last) throw damaged(placeText(name, key), "its offsets are not in order");
    offsets.push(offset);
  }
  offsets.push(last);
  return offsets;
}

/** The first of a span, at most `limit`. */
export function readOffsets<K extends OfOffset>(table: Table<K>, range: RangeOf<K>, { from, to }: Span, limit: number): Offset[] {
  const found: Offset[] = [];
  for (const entry of table.entries({ start: { ...range, offset: from } as K, end: { ...range, offset: offsetMax } as K }))
    for (const offset of offsetsOf(table, entry)) {
      if (offset < from) continue;
      if (offset > to) return found;
      if (found.push(offset) === limit) return found;
    }
  return found;
}

/** The last of a span, the last one first. */
export function readOffsetsBack<K extends OfOffset>(table: Table<K>, range: RangeOf<K>, { from, to }: Span, limit: number): Offset[] {
  const found: Offset[] = [];
  for (const entry of entriesBack(table, range, { from, to })) {
    const offsets = offsetsOf(table, entry);
    for (let index = offsets.length - 1; index >= 0 && offsets[index]! >= from; index--)
      if (offsets[index]! <= to && found.push(offsets[index]!) === limit) return found;
  }
  return found;
}

function* entriesBack<K extends OfOffset>(table: Table<K>, range: RangeOf<K>, { from, to }: Span): Generator<{ key: K; value: Buffer }> {
  // One that ends behind the span may begin in it.
  yield* table.entries({ start: { ...range, offset: to + 1 } as K, end: { ...range, offset: offsetMax } as K, limit: 1 });
  yield* table.entries({ start: { ...range, offset: to } as K, end: { ...range, offset: from - 1 } as K, reverse: true });
}

export function hasOffset<K extends OfOffset>(table: Table<K>, key: K): boolean {
  return readOffsets(table, key, { from: key.offset, to: key.offset }, 1).length > 0;
}

/** Every offset behind one, as a key of its own. */
export function* allOffsets<K extends OfOffset>(table: Table<K>, after: Offset): Generator<{ readonly key: K }> {
  for (const entry of table.all())
    for (const offset of offsetsOf(table, entry)) if (offset > after) yield { key: { ...entry.key, offset } };
}
