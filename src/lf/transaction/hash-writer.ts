/** Puts together what is hashed: integers big-endian, text as its UTF-8 size and bytes. */
import { type HmacSha256, hmacSha256Hex, putSha256, sha256, sha256Bytes, sha256Hex } from "../../base/sha256.js";
import { limits } from "../../config.js";

const initialBytes = 1024;
const keptPrefixBytesMax = 1024;
/** Short texts and byte strings are copied by hand: a call into native code costs more. */
const byHandMax = 40;
/** The bytes of a text are counted before it is written only where room for as many as there can be is much. */
const uncountedUnitsMax = 1024,
  utf8BytesPerUnitMax = 3;

export class HashWriter {
  #buffer: Buffer = Buffer.allocUnsafeSlow(initialBytes);
  #view = viewOf(this.#buffer);
  /** Of the first bytes of the buffer, by their number: making one costs a third of hashing it. */
  #prefixes: Uint8Array[] = [];
  #size = 0;

  byte(value: number): this {
    this.#reserve(1);
    this.#buffer[this.#size++] = value;
    return this;
  }
  int32(value: number): this {
    this.#reserve(4);
    this.#view.setInt32(this.#size, value);
    this.#size += 4;
    return this;
  }
  int64(value: bigint): this {
    this.#reserve(8);
    this.#view.setBigInt64(this.#size, value);
    this.#size += 8;
    return this;
  }
  bytes(value: Uint8Array): this {
    if (value.length <= byHandMax) return this.part(value, 0, value.length);
    this.#reserve(value.length);
    this.#buffer.set(value, this.#size);
    this.#size += value.length;
    return this;
  }
  /** A few bytes of many: a view of them would cost more than the copy. */
  part(value: Uint8Array, start: number, end: number): this {
    this.#reserve(end - start);
    const buffer = this.#buffer,
      shift = this.#size - start;
    for (let i = start; i < end; i++) buffer[shift + i] = value[i]!;
    this.#size = shift + end;
    return this;
  }
  hex(value: string): this {
    this.#reserve(value.length >>> 1);
    this.#size += this.#buffer.write(value, this.#size, "hex");
    return this;
  }
  text(value: string): this {
    if (value.length <= byHandMax && this.#shortAscii(value)) return this;
    this.#reserve(4 + (value.length > uncountedUnitsMax ? Buffer.byteLength(value) : value.length * utf8BytesPerUnitMax));
    const size = this.#buffer.write(value, this.#size + 4);
    this.#view.setInt32(this.#size, size);
    this.#size += 4 + size;
    return this;
  }
  /** False when a character of the text takes more than a byte; what was put down so far is then overwritten. */
  #shortAscii(value: string): boolean {
    this.#reserve(4 + value.length);
    const buffer = this.#buffer,
      start = this.#size + 4;
    for (let i = 0; i < value.length; i++) {
      const code = value.charCodeAt(i);
      if (code > 0x7f) return false;
      buffer[start + i] = code;
    }
    this.#view.setInt32(this.#size, value.length);
    this.#size = start + value.length;
    return true;
  }
  /** Count and members; sets come sorted. */
  texts(values: readonly string[]): this {
    this.int32(values.length);
    for (const value of values) this.text(value);
    return this;
  }
  dottedName(name: string): this {
    return this.texts(name.split("."));
  }
  qualifiedName(id: { readonly module: string; readonly name: string }): this {
    return this.dottedName(id.module).dottedName(id.name);
  }

  sizedTexts(values: readonly string[]): this {
    const start = this.#size;
    this.int32(0).texts(values);
    this.#view.setInt32(start, this.#size - start - 4);
    return this;
  }

  /** What `write` writes, with its size in front. */
  sized(write: (out: this) => void): this {
    this.int32(0);
    const start = this.#size;
    write(this);
    this.#view.setInt32(start - 4, this.#size - start);
    return this;
  }

  /** A view of everything written; valid until the next write. */
  get written(): Uint8Array {
    const size = this.#size;
    return size > keptPrefixBytesMax ? this.#buffer.subarray(0, size) : (this.#prefixes[size] ??= this.#buffer.subarray(0, size));
  }

  /** SHA-256 of everything written; the writer is empty afterwards. */
  sha256(): Uint8Array {
    const digest = sha256(this.written);
    this.reset();
    return digest;
  }

  /** The same in hex. */
  sha256Hex(): string {
    const digest = sha256Hex(this.written);
    this.reset();
    return digest;
  }

  /** Puts down the SHA-256 of everything in another writer, which is empty afterwards. */
  sha256Of(other: HashWriter): this {
    this.#reserve(sha256Bytes);
    putSha256(other.written, this.#buffer, this.#size);
    this.#size += sha256Bytes;
    other.reset();
    return this;
  }

  /** HMAC of everything written; the writer is empty afterwards. */
  hmac(key: HmacSha256): Uint8Array {
    const digest = key.digest(this.#buffer, this.#size);
    this.reset();
    return digest;
  }

  /** The same in hex, under a key that is not used again. */
  hmacHex(key: Uint8Array): string {
    const digest = hmacSha256Hex(key, this.#buffer, this.#size);
    this.reset();
    return digest;
  }

  /** Who shares a writer begins with it: a hash before may have been left in the middle, with no stack left. */
  reset(): this {
    this.#size = 0;
    if (this.#buffer.length > limits.writerBytesKeptMax) this.#keep(Buffer.allocUnsafeSlow(initialBytes));
    return this;
  }

  #reserve(size: number): void {
    if (this.#size + size <= this.#buffer.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(this.#buffer.length * 2, this.#size + size));
    this.#buffer.copy(grown, 0, 0, this.#size);
    this.#keep(grown);
  }

  #keep(buffer: Buffer): void {
    this.#buffer = buffer;
    this.#view = viewOf(buffer);
    this.#prefixes = [];
  }
}

const viewOf = (buffer: Buffer): DataView => new DataView(buffer.buffer, buffer.byteOffset, buffer.length);
