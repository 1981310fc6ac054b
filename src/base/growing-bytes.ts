/** Bytes that grow as they are written. */
import type { SpareMemory } from "./spare-memory.js";

const startBytes = 4 * 1024;
/** Below this a loop is faster than making the view that `set` needs. */
const loopBytesMax = 40;
const wordBytes = Uint32Array.BYTES_PER_ELEMENT;

export class GrowingBytes {
  #bytes: Buffer;
  #length = 0;
  readonly #spare: Pick<SpareMemory, "take" | "give"> | undefined;

  /** `bytes`: memory to begin with; what is in it does not matter. `spare`: where more of it comes from, and what was outgrown goes. */
  constructor(bytes: Buffer = Buffer.allocUnsafeSlow(startBytes), spare?: Pick<SpareMemory, "take" | "give">) {
    this.#bytes = bytes;
    this.#spare = spare;
  }

  get length(): number {
    return this.#length;
  }

  bytes(source: Uint8Array): void {
    const count = source.length;
    this.#reserve(count);
    const bytes = this.#bytes,
      at = this.#length;
    if (count > loopBytesMax) bytes.set(source, at);
    else for (let i = 0; i < count; i++) bytes[at + i] = source[i]!;
    this.#length = at + count;
  }

  /** The bytes of `source` from `from` to before `to`. */
  run(source: Uint8Array, from: number, to: number): void {
    const count = to - from;
    this.#reserve(count);
    const bytes = this.#bytes,
      at = this.#length;
    if (count > loopBytesMax)
      bytes.set(new Uint8Array(source.buffer, source.byteOffset + from, count), at); // quicker than `subarray`
    else for (let i = 0; i < count; i++) bytes[at + i] = source[from + i]!;
    this.#length = at + count;
  }

  /**
   * Over what is there: `holes` has, one behind the other, where each hole is, counted from `start`, and where in `source` what fills it,
   * `holeBytes` of it. A word at a time, which takes a third.
   */
  fill(start: number, holes: Uint32Array, source: Uint8Array, holeBytes: number): void {
    const bytes = this.#bytes,
      target = new DataView(bytes.buffer, bytes.byteOffset, this.#length),
      filling = new DataView(source.buffer, source.byteOffset, source.byteLength);
    for (let index = 0; index < holes.length; index += 2) {
      const at = start + holes[index]!,
        from = holes[index + 1]!;
      let done = 0;
      for (; done + wordBytes <= holeBytes; done += wordBytes) target.setUint32(at + done, filling.getUint32(from + done));
      for (; done < holeBytes; done++) target.setUint8(at + done, filling.getUint8(from + done));
    }
  }

  text(source: string): void {
    this.#reserve(source.length * 3); // a UTF-16 unit takes at most three bytes
    this.#length += this.#bytes.write(source, this.#length);
  }

  /** One byte a character. */
  latin1(source: string): void {
    this.#reserve(source.length);
    this.#length += this.#bytes.write(source, this.#length, "latin1");
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  /** The bytes so far; valid until the next write. */
  view(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  /** To begin anew in the same memory. */
  clear(): void {
    this.#length = 0;
  }

  /** Gives the memory away; nothing may be written or read after it. */
  surrender(): Buffer {
    const bytes = this.#bytes;
    this.#bytes = nothing;
    this.#length = 0;
    return bytes;
  }

  #reserve(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#bytes.length) return;
    const bytes = Math.max(needed, this.#bytes.length * 2),
      grown = this.#spare?.take(bytes) ?? Buffer.allocUnsafeSlow(bytes);
    this.#bytes.copy(grown, 0, 0, this.#length);
    this.#spare?.give(this.#bytes);
    this.#bytes = grown;
  }
}

const nothing = Buffer.alloc(0);
