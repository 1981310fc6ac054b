/** Puts together what is hashed: integers big-endian, text as its UTF-8 size and bytes. */
import { createHash } from "node:crypto";

const initialBytes = 1024;
/** A buffer that a huge value made larger than this is given back to the collector. */
const keptBytesMax = 4 * 1024 * 1024;

/**
 * A digest as bytes from the shared pool. Left to `digest()`, each gets an array buffer of its own outside the heap, and
 * thousands of those make every collection of a run several times slower.
 */
export const pooled = (binary: string): Buffer => Buffer.from(binary, "binary");

export class HashWriter {
  #buffer = Buffer.allocUnsafeSlow(initialBytes);
  #size = 0;

  byte(value: number): this {
    this.#reserve(1);
    this.#buffer[this.#size++] = value;
    return this;
  }
  int32(value: number): this {
    this.#reserve(4);
    this.#size = this.#buffer.writeInt32BE(value, this.#size);
    return this;
  }
  int64(value: bigint): this {
    this.#reserve(8);
    this.#size = this.#buffer.writeBigInt64BE(value, this.#size);
    return this;
  }
  bytes(value: Uint8Array): this {
    this.#reserve(value.length);
    this.#buffer.set(value, this.#size);
    this.#size += value.length;
    return this;
  }
  hex(value: string): this { return this.bytes(Buffer.from(value, "hex")); }
  text(value: string): this {
    const size = Buffer.byteLength(value);
    this.int32(size);
    this.#reserve(size);
    this.#size += this.#buffer.write(value, this.#size, size, size === value.length ? "latin1" : "utf8");
    return this;
  }
  /** Count and members; sets come sorted. */
  texts(values: readonly string[]): this {
    this.int32(values.length);
    for (const value of values) this.text(value);
    return this;
  }
  dottedName(name: string): this { return this.texts(name.split(".")); }
  qualifiedName(id: { readonly module: string; readonly name: string }): this { return this.dottedName(id.module).dottedName(id.name); }

  /** What `write` writes, with its size in front. */
  sized(write: (out: this) => void): this {
    this.int32(0);
    const start = this.#size;
    write(this);
    this.#buffer.writeInt32BE(this.#size - start, start - 4);
    return this;
  }

  /** A view of everything written; valid until the next write. */
  get written(): Buffer { return this.#buffer.subarray(0, this.#size); }

  /** SHA-256 of everything written; the writer is empty afterwards. */
  sha256(): Uint8Array {
    const digest = pooled(createHash("sha256").update(this.written).digest("binary"));
    this.reset();
    return digest;
  }

  reset(): void {
    this.#size = 0;
    if (this.#buffer.length > keptBytesMax) this.#buffer = Buffer.allocUnsafeSlow(initialBytes);
  }

  #reserve(size: number): void {
    if (this.#size + size <= this.#buffer.length) return;
    const grown = Buffer.allocUnsafeSlow(Math.max(this.#buffer.length * 2, this.#size + size));
    this.#buffer.copy(grown, 0, 0, this.#size);
    this.#buffer = grown;
  }
}
