/**
 * What the tables hold, as numbers: of each table how many entries, and two sums over all of them. Every commit carries them, so
 * that a file can be held against what was written into it. LMDB has no checksums, and an entry without a record has no place
 * for one of ours: a page that is an older version of itself, or a key with a flipped bit, shows in nothing else. With them goes the number
 * of commits: what tables hold may come back, and no two commits begin or end with one and the same record.
 */
import { RecordReader, RecordWriter, sealBytes, unseal } from "./records.js";

/** Of formats before 11, whose records do not count commits; and since. */
const uncounted = 1,
  version = 2;
const perSetBytes = 4,
  commitsBytes = 6,
  tableBytes = 6 + 4 + 4;

/** What counts of a record: how long it is, and the checksum in its seal. */
export interface RecordMark {
  readonly bytes: number;
  readonly checksum: number;
}

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
    let low = mix(mix(0x2545f491, recordBytes), checksum),
      high = mix(mix(0x5bd1e995, recordBytes), checksum);
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
  const scrambled = Math.imul(word, 0xcc9e2d51),
    mixed = hash ^ Math.imul((scrambled << 15) | (scrambled >>> 17), 0x1b873593);
  return (Math.imul((mixed << 13) | (mixed >>> 19), 5) + 0xe6546b64) | 0;
}

function finish(hash: number, length: number): number {
  let mixed = hash ^ length;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

/** How many tables are summed. */
export interface SetsOfTables {
  readonly perSet: number;
  readonly sets: number;
}

export class TableSums {
  readonly #of: SetsOfTables;
  readonly #entries: Float64Array;
  readonly #low: Uint32Array;
  readonly #high: Uint32Array;
  #commits = 0;
  /** Until an entry comes or goes: the next commit's record begins with what the last one's ended with. */
  #record: Buffer | undefined;

  constructor(of: SetsOfTables) {
    const tables = of.perSet * of.sets;
    this.#of = of;
    this.#entries = new Float64Array(tables);
    this.#low = new Uint32Array(tables);
    this.#high = new Uint32Array(tables);
  }

  /** Of one set of tables after the other. A record with fewer tables is of an earlier version, which did not have the others. */
  static decode(record: Buffer, { perSet, sets }: SetsOfTables): TableSums {
    const reader = new RecordReader(unseal(record, version, "sums")),
      sums = new TableSums({ perSet, sets }),
      told = reader.u32();
    if (record[0] !== uncounted) sums.#commits = reader.offset();
    for (let set = 0; set < sets && !reader.isAtEnd; set++) {
      for (let inSet = 0; inSet < told; inSet++) {
        const table = set * perSet + inSet,
          entries = reader.offset(),
          low = reader.u32(),
          high = reader.u32();
        if (inSet >= perSet) continue;
        sums.#entries[table] = entries;
        sums.#low[table] = low;
        sums.#high[table] = high;
      }
    }
    return sums;
  }

  /** Sets behind the last one that holds anything are left out. */
  encode(): Buffer {
    return (this.#record ??= this.#encoded());
  }
  #encoded(): Buffer {
    const { perSet } = this.#of;
    let last = this.#entries.length - 1;
    while (last > 0 && this.#entries[last] === 0) last--; // by hand: a callback gets each number as an object
    const tables = perSet * (Math.floor(last / perSet) + 1);
    const writer = new RecordWriter(sealBytes + perSetBytes + commitsBytes + tableBytes * tables).u32(perSet).offset(this.#commits);
    for (let table = 0; table < tables; table++) writer.offset(this.#entries[table]!).u32(this.#low[table]!).u32(this.#high[table]!);
    return writer.finish(version);
  }

  copy(): TableSums {
    const copy = new TableSums(this.#of);
    copy.#entries.set(this.#entries);
    copy.#low.set(this.#low);
    copy.#high.set(this.#high);
    copy.#commits = this.#commits;
    copy.#record = this.#record;
    return copy;
  }
  /** Those of the next commit, before it changes anything. */
  next(): TableSums {
    const next = this.copy();
    next.#commits++;
    next.#record = undefined;
    return next;
  }

  add(table: number, { low, high }: EntryHash): void {
    this.#record = undefined;
    this.#entries[table]!++;
    this.#low[table]! += low;
    this.#high[table]! += high;
  }

  remove(table: number, { low, high }: EntryHash): void {
    this.#record = undefined;
    this.#entries[table]!--;
    this.#low[table]! -= low;
    this.#high[table]! -= high;
  }

  get isEmpty(): boolean {
    return this.#entries.every((count) => count === 0);
  }
  entriesOf(table: number): number {
    return this.#entries[table]!;
  }

  isSame(table: number, other: TableSums): boolean {
    const counts = this.#entries[table] === other.#entries[table];
    return counts && this.#low[table] === other.#low[table] && this.#high[table] === other.#high[table];
  }
}

/** Whether a commit that begins or ends with what the first record says does so with the second, which may know of tables added since. */
export function agree(record: Buffer, held: Buffer): boolean {
  const perSet = perSetOf(held),
    told = perSetOf(record) < perSet ? TableSums.decode(record, { perSet, sets: setsIn(record) }).encode() : record;
  return record[0] === uncounted ? tablesIn(told).equals(tablesIn(held)) : told.equals(held);
}

/** The number of the commit that a record ends with; 0 where commits were not counted. */
export const commitNumberOf = (record: Buffer): number =>
  record[0] === uncounted ? 0 : record.readUIntLE(sealBytes + perSetBytes, commitsBytes);

/** How many tables a set had for who wrote the record. */
export const perSetOf = (record: Buffer): number => record.readUInt32LE(sealBytes);
const setsIn = (record: Buffer): number => Math.ceil(tablesIn(record).length / (tableBytes * perSetOf(record)));
const tablesIn = (record: Buffer): Buffer => record.subarray(sealBytes + perSetBytes + (record[0] === uncounted ? 0 : commitsBytes));
