/** Reads protobuf with every length checked. Fields that a message does not have are refused, as the reference does. */
import { WireType } from "./proto-writer.js";

/** Bytes that are not what they should be; caught where a decoder returns its result. */
export class WireFailure extends Error {
  override readonly name = "WireFailure";
}

const fixed32 = 5;

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new WireFailure("text is not UTF-8");
  }
}

export class ProtoReader {
  readonly #bytes: Buffer;
  #position: number;
  #end: number;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#position = 0;
    this.#end = bytes.length;
  }

  /** Field number and wire type of the next field as one number, or 0 at the end of the message. */
  tag(): number {
    if (this.#position >= this.#end) return 0;
    const tag = this.varint();
    if (tag < 8 || tag > 0xffff_ffff) throw new WireFailure(`invalid field tag ${tag}`);
    return tag;
  }

  /** A varint that must be a safe integer: tags, lengths, booleans. */
  varint(): number {
    let value = 0;
    let scale = 1;
    for (let size = 0; size < 8; size++) {
      const byte = this.#byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) {
        if (value > Number.MAX_SAFE_INTEGER) break;
        return value;
      }
      scale *= 0x80;
    }
    throw new WireFailure("varint is too large");
  }

  varint64(): bigint {
    let low = 0; // the first seven bytes fit a double
    let scale = 1;
    for (let size = 0; size < 7; size++) {
      const byte = this.#byte();
      low += (byte & 0x7f) * scale;
      if (byte < 0x80) return BigInt(low);
      scale *= 0x80;
    }
    let value = BigInt(low);
    for (let shift = 49n; shift <= 63n; shift += 7n) {
      const byte = this.#byte();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw new WireFailure("varint is longer than ten bytes");
  }

  zigzag64(): bigint {
    const value = this.varint64();
    return (value & 1n) === 0n ? value >> 1n : -((value + 1n) >> 1n);
  }

  int32(): number {
    return Number(BigInt.asIntN(32, this.varint64()));
  }

  bool(): boolean {
    return this.varint64() !== 0n;
  }

  fixed64(): bigint {
    if (this.#end - this.#position < 8) throw new WireFailure("message ends within a fixed64");
    const value = this.#bytes.readBigInt64LE(this.#position);
    this.#position += 8;
    return value;
  }

  /** A view, not a copy. */
  bytes(): Buffer {
    const size = this.#size();
    return this.#bytes.subarray(this.#position, (this.#position += size));
  }

  /** What is left of the message that the reader is limited to; a view. */
  rest(): Buffer {
    return this.#bytes.subarray(this.#position, (this.#position = this.#end));
  }

  hex(): string {
    return this.bytes().toString("hex");
  }

  text(): string {
    const size = this.#size();
    const start = this.#position;
    const end = (this.#position += size);
    let at = start;
    while (at < end && this.#bytes[at]! < 0x80) at++;
    if (at === end) return this.#bytes.toString("latin1", start, end); // ASCII, which most texts are
    return decodeUtf8(this.#bytes.subarray(start, end));
  }

  /** Passes over the value of a field that the caller does not know. */
  skip(tag: number): void {
    switch (tag % 8) {
      case WireType.varint:
        this.varint64();
        break;
      case WireType.fixed64:
        this.fixed64();
        break;
      case WireType.delimited:
        this.bytes();
        break;
      case fixed32:
        this.#skipBytes(4);
        break;
      default:
        throw new WireFailure(`wire type ${tag % 8} is not in use`);
    }
  }

  /** Limits the reader to a nested message; give the result to `leave` after its last field. */
  enter(): number {
    const size = this.#size();
    const outer = this.#end;
    this.#end = this.#position + size;
    return outer;
  }
  leave(outer: number): void {
    this.#end = outer;
  }

  /** Whether the message that the reader is limited to has no more fields. */
  get atEnd(): boolean {
    return this.#position >= this.#end;
  }

  #byte(): number {
    if (this.#position >= this.#end) throw new WireFailure("message ends within a varint");
    return this.#bytes[this.#position++]!;
  }

  #skipBytes(size: number): void {
    if (this.#end - this.#position < size) throw new WireFailure("message ends within a fixed32");
    this.#position += size;
  }

  #size(): number {
    const size = this.varint();
    if (size > this.#end - this.#position) throw new WireFailure("a length points behind the end of its message");
    return size;
  }
}

export const tagOf = (field: number, wireType: WireType): number => field * 8 + wireType;
export const varint = (field: number): number => tagOf(field, WireType.varint);
export const delimited = (field: number): number => tagOf(field, WireType.delimited);

/** Runs `read` on the nested message that the reader has come to. */
export function readNestedMessage<T>(input: ProtoReader, read: () => T): T {
  const outer = input.enter();
  const value = read();
  input.leave(outer);
  return value;
}

/** `check` says what is wrong with it, if anything. */
export function checkedText(check: (text: string) => string | undefined, text: string): string {
  const wrong = check(text);
  if (wrong !== undefined) throw new WireFailure(wrong);
  return text;
}

export const unknownField = (message: string, tag: number): WireFailure =>
  new WireFailure(`${message} has no field ${Math.floor(tag / 8)} of wire type ${tag % 8}`);

export const givenTwice = (field: string): WireFailure => new WireFailure(`${field} is given twice`);
export const absent = (field: string): WireFailure => new WireFailure(`${field} is missing`);
