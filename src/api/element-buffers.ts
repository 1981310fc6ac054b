/** Where cursors write: elements as one JSON array, or each on its own. */
import { assert } from "../base/assert.js";
import type { ElementWriter } from "../base/element-writer.js";
import type { GrowingBytes } from "../base/growing-bytes.js";
import { spareBytes } from "./spare-bytes.js";

const openBracket = 0x5b;
const closeBracket = 0x5d;
const comma = 0x2c;

/**
 * `[element,element]`, or a piece of it: all but the first begin with a comma where they have elements. It takes memory with the first
 * byte: of many lists that are asked for at once most wait for their turn.
 */
export class JsonArrayBuffer implements ElementWriter {
  #out: GrowingBytes | undefined;
  readonly #isFirst: boolean;
  #elements = 0;

  constructor(part: "begin" | "middle" = "begin") {
    this.#isFirst = part === "begin";
  }

  get elements(): number {
    return this.#elements;
  }

  begin(): void {
    const out = this.#out ?? this.#take();
    if (this.#elements++ > 0 || !this.#isFirst) out.byte(comma);
  }
  bytes(source: Uint8Array): void {
    (this.#out ?? this.#take()).bytes(source);
  }
  run(source: Uint8Array, from: number, to: number): void {
    (this.#out ?? this.#take()).run(source, from, to);
  }
  text(source: string): void {
    (this.#out ?? this.#take()).text(source);
  }
  end(): void {}

  #take(): GrowingBytes {
    const out = (this.#out = spareBytes.take());
    if (this.#isFirst) out.byte(openBracket);
    return out;
  }

  /** Of a piece that is not the last. */
  view(): Uint8Array {
    return (this.#out ?? this.#take()).view();
  }

  /** Closes the array; nothing may be written after it. */
  finish(): Uint8Array {
    const out = this.#out ?? this.#take();
    out.byte(closeBracket);
    return out.view();
  }

  /** Once the bytes of `finish` are out, or not wanted. */
  release(): void {
    if (this.#out) spareBytes.give(this.#out);
    this.#out = undefined;
  }
}

/** The elements of one batch after the other, each a frame. Without a batch it holds no memory: most readers are idle. */
export class FrameBuffer implements ElementWriter {
  #out: GrowingBytes | undefined;
  #ends: number[] = [];

  begin(): void {
    this.#out ??= spareBytes.take();
  }
  bytes(source: Uint8Array): void {
    this.#written.bytes(source);
  }
  run(source: Uint8Array, from: number, to: number): void {
    this.#written.run(source, from, to);
  }
  text(source: string): void {
    this.#written.text(source);
  }
  end(): void {
    this.#ends.push(this.#written.length);
  }

  get #written(): GrowingBytes {
    assert(this.#out, "an element is written after its begin");
    return this.#out;
  }

  /** Views of the batch's frames. */
  *frames(): Iterable<Uint8Array> {
    if (!this.#out) return;
    const all = this.#out.view();
    let start = 0;
    for (const end of this.#ends) {
      yield all.subarray(start, end);
      start = end;
    }
  }

  /** Once the socket took the batch. */
  release(): void {
    if (this.#out) spareBytes.give(this.#out);
    this.#out = undefined;
    this.#ends = [];
  }
}
