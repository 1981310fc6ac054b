/** A map that holds so much at the most: what was set first goes first. */
export class BoundedMap<K, V> {
  readonly #entries = new Map<K, V>();
  readonly #max: number;
  readonly #weightOf: (value: V) => number;
  #weight = 0;

  /** `weightOf`: in the unit of `max`; left out, entries are counted. */
  constructor(max: number, weightOf: (value: V) => number = () => 1) {
    this.#max = max;
    this.#weightOf = weightOf;
  }

  get(key: K): V | undefined {
    return this.#entries.get(key);
  }
  has(key: K): boolean {
    return this.#entries.has(key);
  }

  /** It is the last to go, also if it was there before. */
  set(key: K, value: V): void {
    this.take(key);
    this.#entries.set(key, value);
    this.#weight += this.#weightOf(value);
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#max) return;
      this.take(oldest);
    }
  }

  /** What it was; it is not there any longer. */
  take(key: K): V | undefined {
    const value = this.#entries.get(key);
    if (this.#entries.delete(key)) this.#weight -= this.#weightOf(value as V);
    return value;
  }

  clear(): void {
    this.#entries.clear();
    this.#weight = 0;
  }
}
