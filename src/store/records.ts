/** Sealed records: a version and a checksum in front, because LMDB itself has no checksums (a flipped bit reads back silently). */
import { crc32 } from "node:zlib";
import { Damage, found } from "../base/damage.js";

export const sealBytes = 8;

export class CorruptRecord extends Damage {
  override readonly name = "CorruptRecord";
}

/** Writes the seal into the first 8 bytes of a finished record. */
export function seal(record: Buffer, version: number): Buffer {
  record[0] = version;
  record[1] = record[2] = record[3] = 0;
  record.writeUInt32LE(crc32(record.subarray(sealBytes)), 4);
  return record;
}

/** Checks a record and gives it back; `table`, and its key where it is known, are for the message. */
export function unseal(record: Buffer, versionMax: number, table: string, key?: unknown): Buffer {
  const problem = sealProblem(record, 0, record.length, versionMax);
  if (problem !== undefined) throw found(new CorruptRecord(placeText(table, key), `the record is damaged: ${problem}`));
  return record;
}

/** Whether what lies from `from` to before `to` is a record as it was written. */
export const isSealed = (bytes: Buffer, from: number, to: number, versionMax: number): boolean =>
  sealProblem(bytes, from, to, versionMax) === undefined;

function sealProblem(bytes: Buffer, from: number, to: number, versionMax: number): string | undefined {
  if (to - from < sealBytes) return "it is too short";
  const version = bytes[from]!;
  if (version === 0 || version > versionMax) return `it is of version ${version}`;
  const body = new Uint8Array(bytes.buffer, bytes.byteOffset + from + sealBytes, to - from - sealBytes); // quicker than `subarray`
  return bytes.readUInt32LE(from + 4) === crc32(body) ? undefined : "its checksum does not match";
}

/** How a place in the file is named to people. */
export const placeText = (table: string, key?: unknown): string => `table ${table}${key === undefined ? "" : `, ${keyText(key)}`}`;

function keyText(key: unknown): string {
  if (typeof key !== "object" || key === null) return typeof key === "number" ? `number ${key}` : JSON.stringify(key);
  return Object.entries(key)
    .map(([name, value]) => `${name} ${value}`)
    .join(", ");
}

/**
 * Writes records one behind the other into chunks of memory; a record starts behind its seal. `finish` gives a view of the
 * chunk, which nobody writes to again.
 */
export class RecordWriter {
  readonly #chunkBytes: number;
  #chunk: Buffer;
  #start = 0;
  #position = sealBytes;

  /** `chunkBytes`: for a writer of one record about its size, for one of many as much as the storage may hold on to. */
  constructor(chunkBytes = 256) {
    this.#chunkBytes = chunkBytes;
    this.#chunk = Buffer.allocUnsafeSlow(chunkBytes);
  }

  /** The next record. */
  reset(): this {
    this.#position = this.#start + sealBytes;
    this.#room(0);
    return this;
  }

  /** Counted from the start of the record. */
  get position(): number {
    return this.#position - this.#start;
  }

  #room(bytes: number): void {
    if (this.#position + bytes <= this.#chunk.length) return;
    this.#move(2 * (this.position + bytes));
  }

  /** For a long record whose length is known: it is not to be moved while it grows. */
  reserve(bytes: number): void {
    if (this.#position + bytes > this.#chunk.length) this.#move(this.position + bytes);
  }

  #move(bytes: number): void {
    const used = this.position,
      larger = Buffer.allocUnsafeSlow(Math.max(this.#chunkBytes, bytes));
    this.#chunk.copy(larger, 0, this.#start, this.#position);
    this.#chunk = larger;
    this.#start = 0;
    this.#position = used;
  }

  u8(value: number): this {
    this.#room(1);
    this.#chunk[this.#position++] = value;
    return this;
  }
  u32(value: number): this {
    this.#room(4);
    this.#position = writeU32(this.#chunk, value, this.#position);
    return this;
  }
  offset(value: number): this {
    this.#room(6);
    this.#position = this.#chunk.writeUIntLE(value, this.#position, 6);
    return this;
  }
  i64(value: bigint): this {
    this.#room(8);
    this.#position = this.#chunk.writeBigInt64LE(value, this.#position);
    return this;
  }
  raw(bytes: Uint8Array): this {
    this.#room(bytes.length);
    this.#chunk.set(bytes, this.#position);
    this.#position += bytes.length;
    return this;
  }
  /** Text without a length. */
  rawText(text: string): this {
    this.#room(text.length * utf8BytesPerUnitMax);
    this.#position += this.#chunk.write(text, this.#position, "utf8");
    return this;
  }
  /** The same, at a position that is not reached yet; what comes before it must be written until `skip`. Gives the bytes that it took. */
  rawTextAhead(at: number, text: string): number {
    this.reserve(at - this.position + text.length * utf8BytesPerUnitMax);
    return this.#chunk.write(text, this.#start + at, "utf8");
  }
  /** Over what was written ahead. */
  skip(bytes: number): void {
    this.#position += bytes;
  }
  bytes(bytes: Uint8Array): this {
    return this.u32(bytes.length).raw(bytes);
  }
  text(text: string): this {
    this.#room(4 + text.length * utf8BytesPerUnitMax);
    const length = this.#chunk.write(text, this.#position + 4, "utf8");
    this.#position = writeU32(this.#chunk, length, this.#position) + length;
    return this;
  }

  /** A hash or an id, as bytes without a length. */
  rawHex(text: string): this {
    this.#room(text.length / 2);
    this.#position += this.#chunk.write(text, this.#position, "hex");
    return this;
  }
  /** The same with one. */
  hex(text: string): this {
    const bytes = text.length / 2;
    this.#room(4 + bytes);
    this.#position = writeU32(this.#chunk, bytes, this.#position);
    this.#position += this.#chunk.write(text, this.#position, "hex");
    return this;
  }

  /** What is written of the record so far. */
  copyTo(target: Buffer, at: number): void {
    this.#chunk.copy(target, at, this.#start + sealBytes, this.#position);
  }

  finish(version: number): Buffer {
    return seal(this.finishUnsealed(), version);
  }

  /** Of a record that is not complete yet: whoever completes it seals it. */
  finishUnsealed(): Buffer {
    const record = this.#chunk.subarray(this.#start, this.#position);
    this.#start = this.#position;
    return record;
  }
}

export const utf8BytesPerUnitMax = 3;

function writeU32(target: Buffer, value: number, at: number): number {
  target[at] = value;
  target[at + 1] = value >>> 8;
  target[at + 2] = value >>> 16;
  target[at + 3] = value >>> 24;
  return at + 4;
}

/** Reads what a RecordWriter wrote; the record must have been unsealed. */
export class RecordReader {
  readonly #buffer: Buffer;
  #position: number;
  /** From behind the seal on, or from a place further on. */
  constructor(buffer: Buffer, position = sealBytes) {
    this.#buffer = buffer;
    this.#position = position;
  }
  get position(): number {
    return this.#position;
  }
  skip(bytes: number): void {
    this.#position += bytes;
  }
  get isAtEnd(): boolean {
    return this.#position === this.#buffer.length;
  }
  u8(): number {
    return this.#buffer[this.#position++]!;
  }
  u32(): number {
    const value = this.#buffer.readUInt32LE(this.#position);
    this.#position += 4;
    return value;
  }
  offset(): number {
    const value = this.#buffer.readUIntLE(this.#position, 6);
    this.#position += 6;
    return value;
  }
  i64(): bigint {
    const value = this.#buffer.readBigInt64LE(this.#position);
    this.#position += 8;
    return value;
  }
  /** A view: copy it when it has to outlive the record. */
  bytes(): Buffer {
    const length = this.u32();
    const start = this.#position;
    this.#position += length;
    return this.#buffer.subarray(start, this.#position);
  }
  text(): string {
    const length = this.u32();
    const start = this.#position;
    this.#position += length;
    return this.#buffer.toString("utf8", start, this.#position);
  }
  hex(): string {
    const length = this.u32();
    const start = this.#position;
    this.#position += length;
    return this.#buffer.toString("hex", start, this.#position);
  }
}
