/** Numbers that rise, by the texts that they were found with: twelve bytes each, within a bound. Many texts may look alike. */
import { assert } from "../base/assert.js";
import { sha256Hex } from "../base/sha256.js";

const entriesOfSegment = 65_536,
  hexCharsKept = 8;

export class NumbersByText {
  /** The oldest first; all but the last are full. */
  readonly #segments: { readonly beginnings: Uint32Array; readonly numbers: Float64Array; count: number }[] = [];
  readonly #segmentsMax: number;
  /** Up to here none is known. */
  forgottenTo = 0;

  constructor(entriesMax: number) {
    this.#segmentsMax = Math.max(1, Math.floor(entriesMax / entriesOfSegment));
  }

  add(text: string, number: number): void {
    let last = this.#segments.at(-1);
    if (!last || last.count === entriesOfSegment) {
      last = { beginnings: new Uint32Array(entriesOfSegment), numbers: new Float64Array(entriesOfSegment), count: 0 };
      this.#segments.push(last);
      if (this.#segments.length > this.#segmentsMax) this.forgottenTo = this.#segments.shift()!.numbers[entriesOfSegment - 1]!;
    }
    last.beginnings[last.count] = beginningOf(text);
    last.numbers[last.count++] = number;
  }

  /** Those of a text, the last first, and perhaps others. */
  *candidates(text: string): Iterable<number> {
    const beginning = beginningOf(text);
    for (const { beginnings, numbers, count } of [...this.#segments].reverse())
      for (let at = lastIndexIn(beginnings, beginning, count); at >= 0; at = lastIndexIn(beginnings, beginning, at)) {
        const number = numbers[at];
        assert(number !== undefined && number > 0, "what was found stands somewhere");
        yield number;
      }
  }
}

const lastIndexIn = (beginnings: Uint32Array, beginning: number, before: number): number =>
  before === 0 ? -1 : beginnings.lastIndexOf(beginning, before - 1);

/** Of its hash: who chooses texts shall not choose which look alike. */
const beginningOf = (text: string): number => Number.parseInt(sha256Hex(text).slice(0, hexCharsKept), 16);
