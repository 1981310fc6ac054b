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
  /** How many `write` writes. */
  bytesOf(value: V): number;
  write(writer: RecordWriter, value: V): void;
  read(reader: RecordReader): V;
}

export const bucketVersion = 1;

/** First a number by which keys are in order and find their bucket, then two by which a filter knows them. */
const numberBytes = 4,
  hashBytes = 3 * numberBytes;
const ranks = 2 ** (8 * numberBytes);

/** Others are in no run: they are too short, or no hex. */
export function isRunKey(key: string, keys: HashedKeys): boolean {
  const rank = rankOf(key, keys);
  return key.length >= 2 * (keys.hashAt + hashBytes) && rank >= 0 && rank < ranks;
}

/** `LatePart` has its entries by the same number. */
export const rankOf = (key: string, { hashAt }: HashedKeys): number => numberAt(key, hashAt);
export const firstProbeOf = (key: string, { hashAt }: HashedKeys): number => numberAt(key, hashAt + numberBytes);
export const stepOf = (key: string, { hashAt }: HashedKeys): number => numberAt(key, hashAt + 2 * numberBytes);

const numberAt = (key: string, byte: number): number => hexNumber(key, 2 * byte, 2 * numberBytes);

/** Exact up to two million buckets; with more of them it still rises with the rank, whatever is rounded. */
export const bucketOf = (rank: number, buckets: number): number => Math.floor((rank * buckets) / ranks);

const keyFrom = 3,
  valueBytesMax = 0xffff;

export const entryBytes = <V>(key: string, value: V, kind: RunKind<V>): number => keyFrom + key.length / 2 + kind.bytesOf(value);

export function writeEntry<V>(writer: RecordWriter, key: string, value: V, kind: RunKind<V>): void {
  const valueBytes = kind.bytesOf(value);
  assert(isRunKey(key, kind) && key.length / 2 <= 0xff && valueBytes <= valueBytesMax, "a key has a hash, and an entry fits");
  writer
    .u8(key.length / 2)
    .u8(valueBytes & 0xff)
    .u8(valueBytes >>> 8)
    .rawHex(key);
  const { position } = writer;
  kind.write(writer, value);
  assert(writer.position === position + valueBytes, "a value takes what was said of it");
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
    if (record[at] === keyBytes && isAt(record, at + keyFrom, key, keyBytes)) return at + keyFrom + keyBytes;
  return undefined;
}

/** From the end on, as keys may begin the same. */
function isAt(record: Buffer, from: number, key: Buffer, keyBytes: number): boolean {
  for (let index = keyBytes - 1; index >= 0; index--) if (record[from + index] !== key[index]) return false;
  return true;
}
