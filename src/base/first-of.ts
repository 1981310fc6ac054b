/** The first so many in an order of many that come one by one; of equal ones those that came first. No more than twice as many are kept. */
export class FirstOf<T> {
  readonly #max: number;
  readonly #compare: (a: T, b: T) => number;
  #kept: T[] = [];
  /** What comes behind it is none of them; undefined: they were not full yet. */
  #last: T | undefined;

  constructor(max: number, compare: (a: T, b: T) => number) {
    this.#max = max;
    this.#compare = compare;
  }

  add(one: T): void {
    if (this.#last !== undefined && this.#compare(this.#last, one) <= 0) return;
    this.#kept.push(one);
    if (this.#kept.length >= 2 * this.#max) this.#last = this.all().at(-1);
  }

  all(): readonly T[] {
    this.#kept = this.#kept.sort(this.#compare).slice(0, this.#max);
    return this.#kept;
  }
}
