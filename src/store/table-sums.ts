/**
 * What the tables hold, as numbers: of each table how many entries, and two sums over all of them. Every commit carries them, so
 * that a file can be held against what was written into it. LMDB has no checksums, and an entry without a record has no place
 * for one of ours: a page that is an older version of itself, or a key with a flipped bit, shows in nothing else.
 */
import { RecordReader, RecordWriter, sealBytes, unseal } from "./records.js";

const version = 1;

/** What counts of a record: how long it is, and the checksum in its seal. */
export interface RecordMark { readonly bytes: number; readonly checksum: number }

const nothing: RecordMark = { bytes: 0, checksum: 0 };

export const markOf = (value: Uint8Array): RecordMark =>
  value.length === 0 ? nothing : { bytes: value.length, checksum: checksumAt(value, 0, value.length) };

const checksumOffset = 4;

/** The checksum of a sealed record that begins at `at`; 0 where there is no room for one. */
export const checksumAt = (page: Uint8Array, at: number, bytes: number): number =>
  bytes < sealBytes ? 0 : wordAt(page, at + checksumOffset);

const wordAt = (bytes: Uint8Array, at: number): number =>
  bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);

/** Two independent hashes of an entry (MurmurHash3 with its constants, from two seeds), in place: an entry should cost no object. */
export class EntryHash {
  low = 0;
  high = 0;

  /** Of the key in `from..to` and its record. */
  of(bytes: Uint8Array, from: number, to: number, recordBytes: number, checksum: number): void {
    let low = mix(mix(0x2545f491, recordBytes), checksum), high = mix(mix(0x5bd1e995, recordBytes), checksum);
    let at = from;
    for (; at + 4 <= to; at += 4) {
      const word = wordAt(bytes, at);
      low = mix(low, word);
      high = mix(high, word);
    }
    let rest = 0;
    for (; at < to; at++) rest = (rest << 8) | bytes[at]!;
    this.low = finish(mix(low, rest), to - from);
    this.high = finish(mix(high, rest), to - from);
  }
}

function mix(hash: number, word: number): number {
  const scrambled = Math.imul(word, 0xcc9e2d51), mixed = hash ^ Math.imul((scrambled << 15) | (scrambled >>> 17), 0x1b873593);
  return (Math.imul((mixed << 13) | (mixed >>> 19), 5) + 0xe6546b64) | 0;
}

function finish(hash: number, length: number): number {
  let mixed = hash ^ length;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

export class TableSums {
  readonly #entries: Float64Array;
  readonly #low: Uint32Array;
  readonly #high: Uint32Array;

  constructor(private readonly tables: number) {
    this.#entries = new Float64Array(tables);
    this.#low = new Uint32Array(tables);
    this.#high = new Uint32Array(tables);
  }

  /** A record of fewer tables is of an earlier version, which did not have the others. */
  static decode(record: Buffer, tables: number): TableSums {
    const reader = new RecordReader(unseal(record, version, "sums")), sums = new TableSums(tables);
    const known = Math.min(reader.u32(), tables);
    for (let table = 0; table < known; table++) {
      sums.#entries[table] = reader.offset();
      sums.#low[table] = reader.u32();
      sums.#high[table] = reader.u32();
    }
    return sums;
  }

  encode(): Buffer {
    const writer = new RecordWriter(sealBytes + 4 + 14 * this.tables).u32(this.tables);
    for (let table = 0; table < this.tables; table++) writer.offset(this.#entries[table]!).u32(this.#low[table]!).u32(this.#high[table]!);
    return writer.finish(version);
  }

  copy(): TableSums {
    const copy = new TableSums(this.tables);
    copy.#entries.set(this.#entries);
    copy.#low.set(this.#low);
    copy.#high.set(this.#high);
    return copy;
  }

  add(table: number, { low, high }: EntryHash): void {
    this.#entries[table]!++;
    this.#low[table]! += low;
    this.#high[table]! += high;
  }

  remove(table: number, { low, high }: EntryHash): void {
    this.#entries[table]!--;
    this.#low[table]! -= low;
    this.#high[table]! -= high;
  }

  get isEmpty(): boolean { return this.#entries.every((count) => count === 0); }
  entriesOf(table: number): number { return this.#entries[table]!; }

  isSame(table: number, other: TableSums): boolean {
    const counts = this.#entries[table] === other.#entries[table];
    return counts && this.#low[table] === other.#low[table] && this.#high[table] === other.#high[table];
  }
}
