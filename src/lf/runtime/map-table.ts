/**
 * A hash table under the newest state of a map that grows by one entry after another: it is changed in place, while each earlier state
 * only knows what the next one changed. Keys are texts or numbers, which V8 hashes itself.
 */
import { randomInt } from "node:crypto";
import { compareText, type Value } from "../value/index.js";

export type TableKey = string | number;

export class Table {
  readonly #entries = new Map<TableKey, Value>();

  get size(): number {
    return this.#entries.size;
  }

  /** `undefined` when the key is absent. */
  get(key: TableKey): Value | undefined {
    return this.#entries.get(key);
  }

  /** Gives what was there before. */
  put(key: TableKey, value: Value | undefined): Value | undefined {
    const before = this.#entries.get(key);
    if (value === undefined) this.#entries.delete(key);
    else this.#entries.set(key, value);
    return before;
  }

  /** In the order of the keys. */
  ordered(): readonly (readonly [Value, Value])[] {
    const entries = [...this.#entries].map(([key, value]): [TableKey, Value] => [typeof key === "number" ? key - salt : key, value]);
    return entries.sort(([a], [b]) => (typeof a === "string" ? compareText(a, b as string) : a - (b as number)));
  }
}

/**
 * Nobody knows it, so nobody can choose integers whose hashes collide; V8 does the same for strings. Sums are exact, and mostly small
 * integers.
 */
const salt = randomInt(2 ** 30);
const numberMax = 2 ** 51;

/** As which a key is kept: undefined for one that only a tree can hold. */
export const tableKey = (key: Value): TableKey | undefined => {
  if (typeof key === "string") return key;
  return typeof key === "number" && key < numberMax && key > -numberMax ? key + salt : undefined;
};
