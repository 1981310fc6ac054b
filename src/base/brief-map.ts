/**
 * A map whose entries stay for a moment, while the map itself stays. V8 gives a Map that has many deleted entries another table, and
 * links the old one to it. Once one such table is among the long-lived objects, where garbage is looked for rarely, all that come after it
 * are kept until then, with whatever they hold: every entry there ever was would be moved twice. So the map is begun anew now and then,
 * which ends the chain.
 */
export class BriefMap<K, V> {
  #entries = new Map<K, V>();
  #left = 0;
  readonly #leftMax: number;

  /** `leftMax`: how many entries may leave until it is begun anew. */
  constructor(leftMax: number) {
    this.#leftMax = leftMax;
  }

  get size(): number {
    return this.#entries.size;
  }
  get(key: K): V | undefined {
    return this.#entries.get(key);
  }
  set(key: K, value: V): void {
    this.#entries.set(key, value);
  }
  keys(): Iterable<K> {
    return this.#entries.keys();
  }

  delete(key: K): void {
    if (!this.#entries.delete(key) || ++this.#left < this.#leftMax) return;
    this.#entries = new Map(this.#entries);
    this.#left = 0;
  }

  clear(): void {
    this.#entries = new Map();
    this.#left = 0;
  }
}
