/** Where cursors write: elements as one JSON array, or each on its own. */
import type { ElementWriter } from "../base/element-writer.js";

const startBytes = 4 * 1024;

/** A byte buffer that doubles. */
class GrowingBytes {
  #bytes = Buffer.allocUnsafe(startBytes);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  bytes(source: Uint8Array): void {
    this.#reserve(source.length);
    this.#bytes.set(source, this.#length);
    this.#length += source.length;
  }

  text(source: string): void {
    this.#reserve(source.length * 3); // a UTF-16 unit takes at most three bytes
    this.#length += this.#bytes.write(source, this.#length);
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  /** The bytes so far; valid until the next write. */
  view(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  #reserve(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(needed, this.#bytes.length * 2));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
}

const openBracket = 0x5b;
const closeBracket = 0x5d;
const comma = 0x2c;

/** `[element,element]`. */
export class JsonArrayBuffer implements ElementWriter {
  readonly #out = new GrowingBytes();
  #elements = 0;

  constructor() {
    this.#out.byte(openBracket);
  }

  get elements(): number {
    return this.#elements;
  }

  begin(): void {
    if (this.#elements++ > 0) this.#out.byte(comma);
  }
  bytes(source: Uint8Array): void {
    this.#out.bytes(source);
  }
  text(source: string): void {
    this.#out.text(source);
  }
  end(): void {}

  /** Closes the array; nothing may be written after it. */
  finish(): Uint8Array {
    this.#out.byte(closeBracket);
    return this.#out.view();
  }
}

/** The elements of one batch, each a frame. A transport may hold on to a frame until it is flushed, so a batch is not reused. */
export class FrameBuffer implements ElementWriter {
  readonly #out = new GrowingBytes();
  readonly #ends: number[] = [];

  begin(): void {}
  bytes(source: Uint8Array): void {
    this.#out.bytes(source);
  }
  text(source: string): void {
    this.#out.text(source);
  }
  end(): void {
    this.#ends.push(this.#out.length);
  }

  /** Views of the batch's frames. */
  *frames(): Iterable<Uint8Array> {
    const all = this.#out.view();
    let start = 0;
    for (const end of this.#ends) {
      yield all.subarray(start, end);
      start = end;
    }
  }
}
