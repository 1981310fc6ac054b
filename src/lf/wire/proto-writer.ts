/**
 * Writes protobuf from the last byte to the first: by the time that a length is written its message is complete, so
 * nothing is measured beforehand or moved afterwards. Callers therefore write fields in descending order of their place.
 */
import { limits } from "../../config.js";

const initialBytes = 4096;
const copiedByHandMax = 96;

export const WireType = { varint: 0, fixed64: 1, delimited: 2 } as const;
export type WireType = (typeof WireType)[keyof typeof WireType];

export class ProtoWriter {
  #buffer = Buffer.allocUnsafeSlow(initialBytes);
  #start = initialBytes;

  /** A copy of what was written; the writer is empty afterwards. */
  finish(): Uint8Array {
    const bytes = Buffer.allocUnsafe(this.length); // short ones share memory
    this.#buffer.copy(bytes, 0, this.#start);
    this.reset();
    return bytes;
  }

  reset(): void {
    if (this.#buffer.length > limits.writerBytesKeptMax) this.#buffer = Buffer.allocUnsafeSlow(initialBytes);
    this.#start = this.#buffer.length;
  }

  /** Bytes written so far: a mark for `closeMessage`. */
  get length(): number {
    return this.#buffer.length - this.#start;
  }

  /** Puts the header of a length-delimited field before everything that was written since `mark`. */
  closeMessage(field: number, mark: number): void {
    this.varint(this.length - mark);
    this.tag(field, WireType.delimited);
  }

  tag(field: number, wireType: WireType): void {
    this.varint(field * 8 + wireType);
  }

  /** A non-negative safe integer. */
  varint(value: number): void {
    if (value < 0x80) {
      this.#reserve(1);
      this.#buffer[--this.#start] = value;
      return;
    }
    let size = 1;
    for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) size++;
    this.#reserve(size);
    let at = (this.#start -= size);
    let rest = value;
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) this.#buffer[at++] = (rest % 0x80) | 0x80;
    this.#buffer[at] = rest;
  }

  /** An unsigned 64-bit integer. */
  varint64(value: bigint): void {
    if (value <= maxSafe) return this.varint(Number(value));
    let size = 1;
    for (let rest = value; rest >= 0x80n; rest >>= 7n) size++;
    this.#reserve(size);
    let at = (this.#start -= size);
    let rest = value;
    for (; rest >= 0x80n; rest >>= 7n) this.#buffer[at++] = Number(rest & 0x7fn) | 0x80;
    this.#buffer[at] = Number(rest);
  }

  zigzag64(value: bigint): void {
    this.varint64(value >= 0n ? value << 1n : (-value << 1n) - 1n);
  }

  /** int32 of proto3: negative numbers take ten bytes. */
  int32(value: number): void {
    if (value >= 0) this.varint(value);
    else this.varint64(BigInt.asUintN(64, BigInt(value)));
  }

  fixed64(value: bigint): void {
    this.#reserve(8);
    this.#start -= 8;
    this.#buffer.writeBigInt64LE(value, this.#start);
  }

  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#start -= bytes.length;
    this.#buffer.set(bytes, this.#start);
  }

  bytesField(field: number, bytes: Uint8Array): void {
    this.raw(bytes);
    this.varint(bytes.length);
    this.tag(field, WireType.delimited);
  }

  hexField(field: number, hex: string): void {
    const size = hex.length >>> 1;
    this.#reserve(size);
    this.#start -= size;
    this.#buffer.write(hex, this.#start, size, "hex");
    this.varint(size);
    this.tag(field, WireType.delimited);
  }

  textField(field: number, text: string): void {
    const size = this.#shortAscii(text) ? text.length : this.#text(text);
    this.varint(size);
    this.tag(field, WireType.delimited);
  }

  #text(text: string): number {
    const size = Buffer.byteLength(text);
    this.#reserve(size);
    this.#start -= size;
    this.#buffer.write(text, this.#start, size, size === text.length ? "latin1" : "utf8"); // equal sizes: ASCII
    return size;
  }

  /** Copied by hand, as a call into native code costs more. False, and nothing is written, when it is long or not ASCII. */
  #shortAscii(text: string): boolean {
    if (text.length > copiedByHandMax) return false;
    this.#reserve(text.length);
    const start = this.#start - text.length;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code > 0x7f) return false;
      this.#buffer[start + i] = code;
    }
    this.#start = start;
    return true;
  }

  #reserve(size: number): void {
    if (this.#start >= size) return;
    const used = this.length;
    const grown = Buffer.allocUnsafeSlow(Math.max(this.#buffer.length * 2, used + size));
    this.#buffer.copy(grown, grown.length - used, this.#start);
    this.#buffer = grown;
    this.#start = grown.length - used;
  }
}

const maxSafe = BigInt(Number.MAX_SAFE_INTEGER);

/** A scalar that proto3 leaves out when it is empty. */
export function writeText(out: ProtoWriter, field: number, text: string): void {
  if (text !== "") out.textField(field, text);
}
