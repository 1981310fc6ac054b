/**
 * Entries of an index in memory, as most readers go through the same ones: runs of neighbours, each of which holds all that there is
 * between two places. To go from key to key in the store takes a quarter of a page's time. What is read piece by piece with few entries
 * a piece is not kept, nor what is at the end: there is no more than that. They are kept as numbers, as V8 would go through hundreds of
 * thousands of objects again and again while somebody reads everything.
 */
import { firstIndex } from "../../base/first-index.js";
import { limits } from "../../config.js";
import type { IndexRange } from "./index-ranges.js";

export interface EntryOrder<P> {
  compare(a: P, b: P): number;
  /** The first that can come behind it. */
  next(place: P): P;
  /** A number for each place, in the same order. */
  numberOf(place: P): number;
  /** Whether that stands for it alone, which can be kept then. */
  hasOwnNumber(place: P): boolean;
  placeOf(number: number): P;
}

/** Both inclusive. */
export interface Stretch<P> {
  readonly from: P;
  readonly to: P;
}

/** `reached`: there may be more of the stretch behind it; undefined when there are not. */
export interface Piece<P> {
  readonly items: readonly P[];
  readonly reached: P | undefined;
}

/** All from `from` to before `end`. */
interface Run<P> {
  readonly name: string;
  readonly from: P;
  /** Numbers of its entries, and room for more. */
  items: Float64Array;
  count: number;
  end: P;
}

export class KeptEntries<P> {
  readonly #order: EntryOrder<P>;
  /** By the name of their range, in order, none over another. */
  readonly #runs = new Map<string, Run<P>[]>();
  /** The oldest first. */
  readonly #all = new Set<Run<P>>();
  #entries = 0;

  constructor(order: EntryOrder<P>) {
    this.#order = order;
  }

  /** In memory now. */
  get entries(): number {
    return this.#entries;
  }

  /** The first of a stretch, at most `limit`. `readStored` gives so many of the store, in order. */
  read(range: IndexRange, { from, to }: Stretch<P>, limit: number, readStored: (stretch: Stretch<P>, limit: number) => P[]): Piece<P> {
    const { compare } = this.#order,
      name = nameOf(range),
      runs = this.#runs.get(name);
    for (let start = from; compare(start, to) <= 0;) {
      const run = runs === undefined ? undefined : this.#holding(runs, start);
      if (run === undefined) return this.#readStored(name, { from: start, to }, limit, readStored);
      const { end } = run,
        isAll = compare(to, end) < 0,
        first = this.#firstFrom(run, start),
        last = isAll ? this.#firstFrom(run, this.#order.next(to)) : run.count;
      if (last > first) {
        const given = this.#places(run, first, Math.min(last, first + limit));
        return { items: given, reached: isAll && given.length === last - first ? undefined : given[given.length - 1] };
      }
      start = end;
    }
    return { items: [], reached: undefined };
  }

  #readStored(name: string, stretch: Stretch<P>, limit: number, readStored: (stretch: Stretch<P>, limit: number) => P[]): Piece<P> {
    const items = readStored(stretch, limit);
    if (items.length < limit) return { items, reached: undefined };
    if (limit >= limits.keptEntriesPieceMin && items.every(this.#order.hasOwnNumber)) this.#keep(name, stretch.from, items);
    return { items, reached: items[items.length - 1] };
  }

  /** What no run has: up to the run behind it. */
  #keep(name: string, from: P, read: readonly P[]): void {
    const { compare, next } = this.#order;
    let runs = this.#runs.get(name);
    if (runs === undefined) this.#runs.set(name, (runs = []));
    const at = this.#firstBehind(runs, from),
      before = runs[at - 1],
      behind = runs[at];
    let end = next(read[read.length - 1]!),
      count = read.length;
    if (behind !== undefined && compare(behind.from, end) < 0) {
      end = behind.from;
      count = firstIndex(count, (index) => compare(read[index]!, end) >= 0);
    }
    if (before !== undefined && compare(before.end, from) === 0 && before.count + count <= limits.keptEntriesPerRun) {
      this.#add(before, read, count);
      before.end = end;
    } else {
      const run = { name, from, items: new Float64Array(count), count: 0, end };
      this.#add(run, read, count);
      runs.splice(at, 0, run);
      this.#all.add(run);
      this.#entries += 1;
    }
    this.#entries += count;
    for (const run of this.#all) {
      if (this.#entries <= limits.keptEntriesMax) break;
      this.#drop(run);
    }
  }

  #add(run: Run<P>, read: readonly P[], count: number): void {
    const { numberOf } = this.#order,
      needed = run.count + count;
    if (needed > run.items.length) {
      const grown = new Float64Array(Math.min(2 * needed, limits.keptEntriesPerRun));
      grown.set(run.items);
      run.items = grown;
    }
    for (let index = 0; index < count; index++) run.items[run.count++] = numberOf(read[index]!);
  }

  #places({ items }: Run<P>, from: number, to: number): P[] {
    const { placeOf } = this.#order,
      places = new Array<P>(to - from);
    for (let index = from; index < to; index++) places[index - from] = placeOf(items[index]!);
    return places;
  }

  #drop(run: Run<P>): void {
    const runs = this.#runs.get(run.name)!;
    if (runs.length === 1) this.#runs.delete(run.name);
    else runs.splice(this.#firstBehind(runs, run.from) - 1, 1);
    this.#all.delete(run);
    this.#entries -= run.count + 1;
  }

  /** The store has it no longer, or soon. */
  remove(range: IndexRange, place: P): void {
    const runs = this.#runs.get(nameOf(range)),
      run = runs && this.#holding(runs, place);
    if (run === undefined || !this.#order.hasOwnNumber(place)) return;
    const at = this.#firstFrom(run, place);
    if (at === run.count || run.items[at] !== this.#order.numberOf(place)) return;
    run.items.copyWithin(at, at + 1, run.count--);
    this.#entries -= 1;
  }

  clear(): void {
    this.#runs.clear();
    this.#all.clear();
    this.#entries = 0;
  }

  #holding(runs: readonly Run<P>[], place: P): Run<P> | undefined {
    const run = runs[this.#firstBehind(runs, place) - 1];
    return run !== undefined && this.#order.compare(place, run.end) < 0 ? run : undefined;
  }

  /** The index of the first run that begins behind a place. */
  #firstBehind(runs: readonly Run<P>[], place: P): number {
    return firstIndex(runs.length, (index) => this.#order.compare(runs[index]!.from, place) > 0);
  }
  /** The index of the first item that is not before a place. */
  #firstFrom({ items, count }: Run<P>, place: P): number {
    const number = this.#order.numberOf(place);
    return firstIndex(count, (index) => items[index]! >= number);
  }
}

const nameOf = ({ party, template }: IndexRange): string => `${party}/${template}`;
