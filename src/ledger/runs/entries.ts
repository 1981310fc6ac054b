/**
 * Entries as buckets hold them, one behind the other: how long the key is (1 byte), how long the value (2 bytes), key and value. Keys have
 * a hash in them, by which they are in order, and which tells the bucket.
 */
import { assert } from "../../base/assert.js";
import { hexNumber } from "../../base/hex-number.js";
import { type RecordReader, type RecordWriter, sealBytes } from "../../store/index.js";

/** Keys with a hash in them, which begins behind so many bytes. */
export interface HashedKeys {
  readonly hashAt: number;
}

/** What runs hold. */
export interface RunKind<V> extends HashedKeys {
  /** Whether most keys that are looked for are somewhere: what is in no newer run is then looked for in the oldest without a filter. */
  readonly isMostlyFound: boolean;
  write(writer: RecordWriter, value: V): void;
  read(reader: RecordReader): V;
}

export const bucketVersion = 1;

/** First a number by which keys are in order and find their bucket, then two by which a filter knows them. */
const numberBytes = 4,
  hashBytes = 3 * numberBytes;
export const ranks = 2 ** (8 * numberBytes);

/** Others are in no run: they are too short, or no hex. */
export function isRunKey(key: string, keys: HashedKeys): boolean {
  const rank = rankOf(key, keys);
  return key.length >= 2 * (keys.hashAt + hashBytes) && rank >= 0 && rank < ranks;
}

export const rankOf = (key: string, { hashAt }: HashedKeys): number => numberAt(key, hashAt);
export const firstProbeOf = (key: string, { hashAt }: HashedKeys): number => numberAt(key, hashAt + numberBytes);
export const stepOf = (key: string, { hashAt }: HashedKeys): number => numberAt(key, hashAt + 2 * numberBytes);

const numberAt = (key: string, byte: number): number => hexNumber(key, 2 * byte, 2 * numberBytes);

/** Exact up to two million buckets; with more of them it still rises with the rank, whatever is rounded. */
export const bucketOf = (rank: number, buckets: number): number => Math.floor((rank * buckets) / ranks);

export const keyBytesMax = 0xff;
/** Behind the lengths of both. */
export const keyFrom = 3;
const valueBytesMax = 0xffff;

/** What stands before a key and its value. */
export function writeHead(target: Buffer, at: number, keyBytes: number, valueBytes: number, { hashAt }: HashedKeys): void {
  assert(keyBytes >= hashAt + hashBytes && keyBytes <= keyBytesMax && valueBytes <= valueBytesMax, "a key has a hash, and an entry fits");
  target[at] = keyBytes;
  target[at + 1] = valueBytes;
  target[at + 2] = valueBytes >>> 8;
}

/** The place of an entry in a record; each has its own, which is moved. */
export class EntryPlace {
  record: Buffer = nothing;
  at = 0;
  rank = 0;
  readonly #hashAt: number;

  constructor({ hashAt }: HashedKeys) {
    this.#hashAt = hashAt;
  }

  get keyAt(): number {
    return this.at + keyFrom;
  }
  get keyBytes(): number {
    return this.record[this.at]!;
  }
  get valueAt(): number {
    return this.keyAt + this.keyBytes;
  }
  get end(): number {
    return endOf(this.record, this.at);
  }
  get key(): string {
    return this.record.toString("hex", this.keyAt, this.valueAt);
  }
  get firstProbe(): number {
    return this.#numberAt(numberBytes);
  }
  get step(): number {
    return this.#numberAt(2 * numberBytes);
  }

  /** To the first entry of a record that is unsealed; false where it has none. */
  begin(record: Buffer): boolean {
    this.record = record;
    return this.#moveTo(sealBytes);
  }
  next(): boolean {
    return this.#moveTo(this.end);
  }

  #moveTo(at: number): boolean {
    this.at = at;
    if (at >= this.record.length) return false;
    this.rank = this.#numberAt(0);
    return true;
  }

  /** To one of which it is known where it begins. */
  goTo(record: Buffer, at: number): void {
    this.record = record;
    this.#moveTo(at);
  }

  #numberAt(byte: number): number {
    return this.record.readUInt32BE(this.keyAt + this.#hashAt + byte);
  }

  /** By rank, then by key. */
  compare(other: EntryPlace): number {
    return this.rank - other.rank || this.record.compare(other.record, other.keyAt, other.valueAt, this.keyAt, this.valueAt);
  }
}

const nothing = Buffer.alloc(0);

const endOf = (record: Buffer, at: number): number => at + keyFrom + record[at]! + (record[at + 1]! | (record[at + 2]! << 8));

/** Where in an unsealed record the value of a key begins; undefined where it has no such key. */
export function findValue(record: Buffer, key: Buffer, keyBytes: number): number | undefined {
  for (let at = sealBytes; at < record.length; at = endOf(record, at))
    if (hasKey(record, at, key, keyBytes)) return at + keyFrom + keyBytes;
  return undefined;
}

/** Of the entry that begins there. */
export const hasKey = (record: Buffer, at: number, key: Buffer, keyBytes: number): boolean =>
  record[at] === keyBytes && isAt(record, at + keyFrom, key, keyBytes);

/** From the end on, as keys may begin the same. */
function isAt(record: Buffer, from: number, key: Buffer, keyBytes: number): boolean {
  for (let index = keyBytes - 1; index >= 0; index--) if (record[from + index] !== key[index]) return false;
  return true;
}
