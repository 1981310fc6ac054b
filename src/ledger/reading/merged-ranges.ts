/**
 * Ranges of an index read as one, in order and each item once. A step reads a bounded piece of one range at most, so that
 * thousands of ranges hold nobody up; what was read of a range waits until the others are as far.
 */
import { assert } from "../../base/assert.js";
import type { Piece } from "../records/index.js";

/** Reads one range behind an item, or from its begin, `limit` items at most. */
export type RangeReader<P> = (after: P | undefined, limit: number) => Piece<P>;

export type Compare<P> = (a: P, b: P) => number;

export interface PieceSizes {
  /** About how many items of all ranges together are read ahead. */
  readonly aheadMax: number;
  readonly pieceMin: number;
  readonly pieceMax: number;
}

/** What was read of a range and not given yet. */
class Run<P> {
  readonly #read: RangeReader<P>;
  #items: readonly P[] = [];
  #next = 0;
  #reached: P | undefined;
  isAtEnd = false;

  constructor(read: RangeReader<P>) {
    this.#read = read;
  }

  fill(limit: number): void {
    const { items, reached } = this.#read(this.#reached, limit);
    this.#items = items;
    this.#next = 0;
    this.#reached = reached;
    this.isAtEnd = reached === undefined;
  }

  get isEmpty(): boolean {
    return this.#next === this.#items.length;
  }
  get head(): P {
    return this.#items[this.#next]!;
  }
  take(): P {
    return this.#items[this.#next++]!;
  }
  /** How many it has. */
  get left(): number {
    return this.#items.length - this.#next;
  }
  takeAll(): readonly P[] {
    const all = this.#next === 0 ? this.#items : this.#items.slice(this.#next);
    this.#next = this.#items.length;
    return all;
  }
}

export class MergedRanges<P> {
  readonly #compare: Compare<P>;
  /** Ranges with something to give, the one with the next item of all first: a binary heap. */
  readonly #ready: Run<P>[] = [];
  /** Those that have to be read before it is certain what comes next. */
  readonly #hungry: Run<P>[];
  readonly #isSingle: boolean;
  /** Items that one read of a range asks for: of many ranges few. */
  readonly #piece: number;
  #last: P | undefined;

  constructor(ranges: readonly RangeReader<P>[], compare: Compare<P>, { aheadMax, pieceMin, pieceMax }: PieceSizes) {
    this.#compare = compare;
    this.#hungry = ranges.map((read) => new Run(read));
    this.#isSingle = ranges.length === 1;
    this.#piece = Math.min(pieceMax, Math.max(pieceMin, Math.ceil(aheadMax / Math.max(1, ranges.length))));
  }

  /** Nothing more comes. */
  get isAtEnd(): boolean {
    return this.#ready.length === 0 && this.#hungry.length === 0;
  }

  /** The next items, at most `max`; none where the step was not enough to know them, and at the end. */
  step(max: number): readonly P[] {
    assert(max > 0, "a step asks for something");
    this.#feed(max);
    if (this.#hungry.length > 0 || this.#ready.length === 0) return [];
    // A piece may be longer than it was asked for: of active contracts it has what was archived later as well.
    return this.#isSingle && this.#ready[0]!.left <= max ? this.#takePiece() : this.#take(max);
  }

  #feed(max: number): void {
    const run = this.#hungry.pop();
    if (run === undefined) return;
    run.fill(Math.min(max, this.#piece));
    if (!run.isEmpty) this.#push(run);
    else if (!run.isAtEnd) this.#hungry.push(run);
  }

  #takePiece(): readonly P[] {
    const run = this.#ready.pop()!;
    if (!run.isAtEnd) this.#hungry.push(run);
    return run.takeAll();
  }

  #take(max: number): readonly P[] {
    const items: P[] = [];
    while (items.length < max && this.#hungry.length === 0) {
      const [run] = this.#ready;
      if (run === undefined) break;
      const item = run.take();
      this.#settle(run);
      if (this.#last !== undefined && this.#compare(this.#last, item) === 0) continue;
      this.#last = item;
      items.push(item);
    }
    return items;
  }

  /** After something was taken of the first. */
  #settle(run: Run<P>): void {
    const ready = this.#ready;
    if (run.isEmpty) {
      const last = ready.pop()!;
      if (ready.length > 0) ready[0] = last;
      if (!run.isAtEnd) this.#hungry.push(run);
    }
    if (ready.length > 1) this.#sink();
  }

  #push(run: Run<P>): void {
    const ready = this.#ready;
    let at = ready.length;
    for (ready.push(run); at > 0;) {
      const above = (at - 1) >> 1;
      if (this.#compare(ready[above]!.head, run.head) <= 0) break;
      ready[at] = ready[above]!;
      at = above;
    }
    ready[at] = run;
  }

  #sink(): void {
    const ready = this.#ready,
      run = ready[0]!,
      { length } = ready;
    let at = 0;
    for (let below = 1; below < length; below = 2 * at + 1) {
      if (below + 1 < length && this.#compare(ready[below + 1]!.head, ready[below]!.head) < 0) below += 1;
      if (this.#compare(run.head, ready[below]!.head) <= 0) break;
      ready[at] = ready[below]!;
      at = below;
    }
    ready[at] = run;
  }
}
