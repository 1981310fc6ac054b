/** Sealed records: a version and a checksum in front, because LMDB itself has no checksums (a flipped bit reads back silently). */
import { crc32 } from "node:zlib";

export const sealBytes = 8;

export class CorruptRecord extends Error {
  override readonly name = "CorruptRecord";
  constructor(readonly table: string, readonly problem: string) { super(`a record of table ${table} is damaged: ${problem}`); }
}

/** Writes the seal into the first 8 bytes of a finished record. */
export function seal(record: Buffer, version: number): Buffer {
  record[0] = version;
  record[1] = record[2] = record[3] = 0;
  record.writeUInt32LE(crc32(record.subarray(sealBytes)), 4);
  return record;
}

/** Checks a record and gives it back; `table` is for the message. */
export function unseal(record: Buffer, versionMax: number, table: string): Buffer {
  if (record.length < sealBytes) throw new CorruptRecord(table, "too short");
  const version = record[0]!;
  if (version === 0 || version > versionMax) throw new CorruptRecord(table, `unknown version ${version}`);
  if (record.readUInt32LE(4) !== crc32(record.subarray(sealBytes))) throw new CorruptRecord(table, "checksum does not match");
  return record;
}

/** Grows as it is written; starts after the seal. `finish` copies out and seals. */
export class RecordWriter {
  #buffer = Buffer.allocUnsafeSlow(4096);
  #position = sealBytes;

  reset(): this { this.#position = sealBytes; return this; }
  get position(): number { return this.#position; }

  #room(bytes: number): void {
    if (this.#position + bytes <= this.#buffer.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(this.#buffer.length * 2, this.#position + bytes));
    this.#buffer.copy(grown, 0, 0, this.#position);
    this.#buffer = grown;
  }

  u8(value: number): this { this.#room(1); this.#buffer[this.#position++] = value; return this; }
  u32(value: number): this { this.#room(4); this.#position = this.#buffer.writeUInt32LE(value, this.#position); return this; }
  offset(value: number): this { this.#room(6); this.#position = this.#buffer.writeUIntLE(value, this.#position, 6); return this; }
  i64(value: bigint): this { this.#room(8); this.#position = this.#buffer.writeBigInt64LE(value, this.#position); return this; }
  raw(bytes: Uint8Array): this { this.#room(bytes.length); this.#buffer.set(bytes, this.#position); this.#position += bytes.length; return this; }
  /** Text without a length. */
  rawText(text: string): this {
    this.#room(text.length * 3);
    this.#position += this.#buffer.write(text, this.#position, "utf8");
    return this;
  }
  bytes(bytes: Uint8Array): this { return this.u32(bytes.length).raw(bytes); }
  text(text: string): this {
    const at = this.u32(0).#position - 4;
    this.rawText(text);
    this.#buffer.writeUInt32LE(this.#position - at - 4, at);
    return this;
  }
  /** Fills in a number whose place was kept by an earlier `u32(0)`. */
  patchU32(at: number, value: number): void { this.#buffer.writeUInt32LE(value, at); }

  finish(version: number): Buffer {
    return seal(Buffer.from(this.#buffer.subarray(0, this.#position)), version);
  }
}

/** Reads what a RecordWriter wrote; the record must have been unsealed. */
export class RecordReader {
  readonly #buffer: Buffer;
  #position = sealBytes;
  constructor(buffer: Buffer) { this.#buffer = buffer; }

  get position(): number { return this.#position; }
  u8(): number { return this.#buffer[this.#position++]!; }
  u32(): number { const value = this.#buffer.readUInt32LE(this.#position); this.#position += 4; return value; }
  offset(): number { const value = this.#buffer.readUIntLE(this.#position, 6); this.#position += 6; return value; }
  i64(): bigint { const value = this.#buffer.readBigInt64LE(this.#position); this.#position += 8; return value; }
  /** A view: copy it when it has to outlive the record. */
  bytes(): Buffer { const length = this.u32(); const start = this.#position; this.#position += length; return this.#buffer.subarray(start, this.#position); }
  text(): string { const length = this.u32(); const start = this.#position; this.#position += length; return this.#buffer.toString("utf8", start, this.#position); }
}
