/**
 * Messages of many small values as few large ones: a structured clone costs by the value, and a text, an array of numbers and an
 * array of bytes are one value each. Whoever unpacks asks in the order in which was packed.
 */
import { assert } from "../base/assert.js";

export interface Packed {
  /** All texts, one behind the other; their lengths are among the numbers. */
  readonly text: string;
  readonly numbers: Float64Array;
  readonly bytes: Uint8Array;
}

export class Packer {
  readonly #texts: string[] = [];
  readonly #pieces: Uint8Array[] = [];
  #numbers = new Float64Array(numbersAtFirst);
  #integers = new BigInt64Array(this.#numbers.buffer);
  #numberCount = 0;
  #byteCount = 0;

  number(value: number): void {
    const at = this.#place(); // first, as it may take other memory
    this.#numbers[at] = value;
  }

  /** Of 64 bits. */
  integer(value: bigint): void {
    const at = this.#place();
    this.#integers[at] = value;
  }

  flag(value: boolean): void {
    this.number(value ? 1 : 0);
  }

  text(value: string): void {
    this.#texts.push(value);
    this.number(value.length);
  }

  texts(values: readonly string[]): void {
    this.number(values.length);
    for (const value of values) this.text(value);
  }

  numbers(values: readonly number[]): void {
    this.number(values.length);
    for (const value of values) this.number(value);
  }

  bytes(value: Uint8Array): void {
    this.#pieces.push(value);
    this.#byteCount += value.length;
    this.number(value.length);
  }

  finish(): Packed {
    const bytes = new Uint8Array(this.#byteCount);
    let at = 0;
    for (const piece of this.#pieces) {
      bytes.set(piece, at);
      at += piece.length;
    }
    return { text: this.#texts.join(""), numbers: this.#numbers.slice(0, this.#numberCount), bytes };
  }

  #place(): number {
    if (this.#numberCount === this.#numbers.length) {
      const larger = new Float64Array(2 * this.#numbers.length);
      larger.set(this.#numbers);
      this.#numbers = larger;
      this.#integers = new BigInt64Array(larger.buffer);
    }
    return this.#numberCount++;
  }
}

const numbersAtFirst = 256;

/** What it gives refers to the message, and keeps it from being collected. */
export class Unpacker {
  readonly #text: string;
  readonly #numbers: Float64Array;
  readonly #integers: BigInt64Array;
  readonly #bytes: Uint8Array;
  #numbersTaken = 0;
  #textTaken = 0;
  #bytesTaken = 0;

  constructor({ text, numbers, bytes }: Packed) {
    this.#text = text;
    this.#numbers = numbers;
    this.#integers = new BigInt64Array(numbers.buffer, numbers.byteOffset, numbers.length);
    this.#bytes = bytes;
  }

  number(): number {
    assert(this.#numbersTaken < this.#numbers.length, "what is unpacked was packed");
    return this.#numbers[this.#numbersTaken++]!;
  }
  integer(): bigint {
    return this.#integers[this.#numbersTaken++]!;
  }
  flag(): boolean {
    return this.number() === 1;
  }

  text(): string {
    const from = this.#textTaken;
    this.#textTaken += this.number();
    return this.#text.slice(from, this.#textTaken);
  }

  texts(): string[] {
    const values: string[] = [];
    for (let left = this.number(); left > 0; left--) values.push(this.text());
    return values;
  }

  numbers(): number[] {
    const values: number[] = [];
    for (let left = this.number(); left > 0; left--) values.push(this.number());
    return values;
  }

  bytes(): Uint8Array {
    const from = this.#bytesTaken;
    this.#bytesTaken += this.number();
    return this.#bytes.subarray(from, this.#bytesTaken);
  }

  get isEmpty(): boolean {
    return this.#numbersTaken === this.#numbers.length;
  }
}
