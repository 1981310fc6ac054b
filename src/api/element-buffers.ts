/** Where cursors write: elements as one JSON array, or each on its own. */
import { assert } from "../base/assert.js";
import type { ElementWriter, Filling } from "../base/element-writer.js";
import type { GrowingBytes } from "../base/growing-bytes.js";
import { closeBracket, comma, openBracket } from "../base/json-bytes.js";
import { frameBytes, spareBytes } from "./spare-bytes.js";

const nothing = new Uint8Array(0);

/** Of what was copied and has holes: where each is, and where in the filling what fills it. They are filled together, which is quicker. */
class Holes {
  #at = new Uint32Array(0);
  #count = 0;
  #filling: Filling | undefined;

  isFor(filling: Filling): boolean {
    return filling === this.#filling;
  }
  /** It fills each hole once, so there are no more than it is long. */
  begin(filling: Filling): void {
    this.#filling = filling;
    this.#at = new Uint32Array(2 * Math.ceil(filling.bytes.length / filling.holeBytes));
  }
  add(hole: number, fillingFrom: number): void {
    const at = 2 * this.#count++;
    assert(at < this.#at.length, "a filling is used up by as many holes as it has room for");
    this.#at[at] = hole;
    this.#at[at + 1] = fillingFrom;
  }
  /** `shift`: from where holes were said to be to where they are in `out`. */
  fill(out: GrowingBytes, shift: number): void {
    if (this.#count === 0) return;
    out.fill(shift, this.#at.subarray(0, 2 * this.#count), this.#filling!.bytes, this.#filling!.holeBytes);
    this.#count = 0;
  }
}

/**
 * `[element,element]`, or a piece of it: all but the first begin with a comma where they have elements. It takes memory with the first
 * byte: of many lists that are asked for at once most wait for their turn. Elements that are whole runs, one behind the other with
 * commas between, are copied together.
 */
export class JsonArrayBuffer implements ElementWriter {
  #out: GrowingBytes | undefined;
  readonly #isFirst: boolean;
  #elements = 0;
  /** An element was begun of which nothing is written: a comma is due before it, where it is not the first. */
  #isBegun = false;
  /** What is to be copied next. */
  #source: Uint8Array = nothing;
  #from = 0;
  #to = 0;
  readonly #holes = new Holes();

  constructor(part: "begin" | "middle" = "begin") {
    this.#isFirst = part === "begin";
  }

  get elements(): number {
    return this.#elements;
  }
  /** Of what is settled. */
  get length(): number {
    return this.#out?.length ?? 0;
  }

  begin(): void {
    this.#isBegun = true;
    this.#elements++;
  }
  bytes(source: Uint8Array): void {
    this.#settled().bytes(source);
  }
  run(source: Uint8Array, from: number, to: number): void {
    if (this.#isBegun && this.#source === source && this.#to + 1 === from && source[this.#to] === comma) {
      this.#isBegun = false;
      this.#to = to;
      return;
    }
    this.#settled();
    this.#source = source;
    this.#from = from;
    this.#to = to;
  }
  filledRun(source: Uint8Array, from: number, to: number, hole: number, filling: Filling, fillingFrom: number): void {
    if (!this.#holes.isFor(filling)) {
      this.#settled();
      this.#holes.begin(filling);
    }
    this.run(source, from, to);
    this.#holes.add(hole, fillingFrom);
  }
  text(source: string): void {
    this.#settled().text(source);
  }
  end(): void {}
  settle(): void {
    if (this.#to > this.#from) this.#settled();
  }

  /** With everything that is due before what comes next. */
  #settled(): GrowingBytes {
    const out = (this.#out ??= this.#take());
    if (this.#to > this.#from) {
      const shift = out.length - this.#from;
      out.run(this.#source, this.#from, this.#to);
      this.#holes.fill(out, shift);
      this.#from = this.#to = 0;
      this.#source = nothing;
    }
    if (this.#isBegun) {
      this.#isBegun = false;
      if (this.#elements > 1 || !this.#isFirst) out.byte(comma);
    }
    return out;
  }

  #take(): GrowingBytes {
    const out = spareBytes.begin();
    if (this.#isFirst) out.byte(openBracket);
    return out;
  }

  /** Of a piece that is not the last. */
  view(): Uint8Array {
    return this.#settled().view();
  }

  /** Closes the array; nothing may be written after it. */
  finish(): Uint8Array {
    const out = this.#settled();
    out.byte(closeBracket);
    return out.view();
  }

  /** Once the bytes of `finish` are out, or not wanted. */
  release(): void {
    if (this.#out) spareBytes.end(this.#out);
    this.#out = undefined;
    this.#source = nothing;
    this.#from = this.#to = 0;
  }
}

/** The elements of one batch after the other, each a frame. Without a batch it holds no memory: most readers are idle. */
export class FrameBuffer implements ElementWriter {
  #out: GrowingBytes | undefined;
  #ends: number[] = [];
  readonly #holes = new Holes();
  /** Of the last batch: most are about as long as the one before. */
  #lastBytes = 0;
  #wasRefused = false;

  mayBegin(): boolean {
    this.#wasRefused = this.#out === undefined && !frameBytes.hasRoom;
    return !this.#wasRefused;
  }
  /** Whether a reader did not begin, as others have all memory that there is for frames. */
  get wasRefused(): boolean {
    return this.#wasRefused;
  }

  begin(): void {
    this.#out ??= frameBytes.begin(this.#lastBytes);
  }
  bytes(source: Uint8Array): void {
    this.#written.bytes(source);
  }
  run(source: Uint8Array, from: number, to: number): void {
    this.#written.run(source, from, to);
  }
  filledRun(source: Uint8Array, from: number, to: number, hole: number, filling: Filling, fillingFrom: number): void {
    const out = this.#written,
      shift = out.length - from;
    if (!this.#holes.isFor(filling)) {
      this.#holes.fill(out, 0);
      this.#holes.begin(filling);
    }
    out.run(source, from, to);
    this.#holes.add(shift + hole, fillingFrom);
  }
  text(source: string): void {
    this.#written.text(source);
  }
  end(): void {
    this.#ends.push(this.#written.length);
  }
  settle(): void {
    if (this.#out) this.#holes.fill(this.#out, 0);
  }

  get #written(): GrowingBytes {
    assert(this.#out, "an element is written after its begin");
    return this.#out;
  }

  /** Of the batch. */
  get bytesWritten(): number {
    return this.#out?.length ?? 0;
  }

  /** Views of the batch's frames. */
  frames(): readonly Uint8Array[] {
    if (!this.#out) return [];
    this.settle();
    const { buffer, byteOffset } = this.#out.view();
    let start = 0;
    return this.#ends.map((end) => {
      const frame = new Uint8Array(buffer, byteOffset + start, end - start); // quicker than `subarray`
      start = end;
      return frame;
    });
  }

  /** Once the socket took the batch. */
  release(): void {
    this.#lastBytes = this.#out?.length ?? 0;
    if (this.#out) frameBytes.end(this.#out);
    this.#out = undefined;
    this.#ends = [];
    this.#wasRefused = false;
  }
}
