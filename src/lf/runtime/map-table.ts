/**
 * A hash table under the newest state of a map that grows by one entry after another: it is changed in place, while each earlier state
 * only knows what the next one changed.
 */
import { randomInt } from "node:crypto";
import type { Value } from "../value/index.js";
import { recordHash } from "./record-hash.js";

export interface Table {
  readonly size: number;
  /** `held`: what `tableKey` made of the key. Undefined when the key is absent. */
  get(key: Value, held: TableKey): Value | undefined;
  /** Gives what was there before; `value` undefined takes the entry away. */
  put(key: Value, held: TableKey, value: Value | undefined): Value | undefined;
  entries(): [Value, Value][];
}

/** A text or a number that stands for the key, which V8 hashes itself, or the hash of a record. */
export type TableKey = string | number;

/** The first key decides: those of a map are of one type. */
export const tableFor = (key: Value, compare: (a: Value, b: Value) => number): Table =>
  key instanceof Array ? new RecordTable(compare) : new PlainTable();

class PlainTable implements Table {
  readonly #entries = new Map<TableKey, Value>();

  get size(): number {
    return this.#entries.size;
  }

  get(_key: Value, held: TableKey): Value | undefined {
    return this.#entries.get(held);
  }

  put(_key: Value, held: TableKey, value: Value | undefined): Value | undefined {
    const before = this.#entries.get(held);
    if (value === undefined) this.#entries.delete(held);
    else this.#entries.set(held, value);
    return before;
  }

  entries(): [Value, Value][] {
    return [...this.#entries].map(([held, value]) => [typeof held === "number" ? unsalted(held) : held, value]);
  }
}

/** Those of one hash hang together. */
interface RecordEntry {
  readonly key: Value;
  value: Value;
  next: RecordEntry | undefined;
}

class RecordTable implements Table {
  readonly #compare: (a: Value, b: Value) => number;
  readonly #entries = new Map<TableKey, RecordEntry>();
  #size = 0;

  constructor(compare: (a: Value, b: Value) => number) {
    this.#compare = compare;
  }

  get size(): number {
    return this.#size;
  }

  get(key: Value, held: TableKey): Value | undefined {
    return this.#find(key, this.#entries.get(held))?.value;
  }

  put(key: Value, held: TableKey, value: Value | undefined): Value | undefined {
    const first = this.#entries.get(held),
      entry = this.#find(key, first);
    if (entry === undefined) {
      if (value !== undefined) this.#add(held, { key, value, next: first });
      return undefined;
    }
    const before = entry.value;
    if (value === undefined) this.#remove(held, first, entry);
    else entry.value = value;
    return before;
  }

  #find(key: Value, first: RecordEntry | undefined): RecordEntry | undefined {
    let entry = first;
    while (entry !== undefined && this.#compare(key, entry.key) !== 0) entry = entry.next;
    return entry;
  }

  #add(held: TableKey, entry: RecordEntry): void {
    this.#entries.set(held, entry);
    this.#size += 1;
  }

  #remove(held: TableKey, first: RecordEntry | undefined, entry: RecordEntry): void {
    this.#size -= 1;
    if (first !== entry) {
      let before = first!;
      while (before.next !== entry) before = before.next!;
      before.next = entry.next;
    } else if (entry.next === undefined) this.#entries.delete(held);
    else this.#entries.set(held, entry.next);
  }

  entries(): [Value, Value][] {
    const found: [Value, Value][] = [];
    for (const first of this.#entries.values())
      for (let entry: RecordEntry | undefined = first; entry !== undefined; entry = entry.next) found.push([entry.key, entry.value]);
    return found;
  }
}

/**
 * Nobody knows it, so nobody can choose integers whose hashes collide; V8 does the same for strings. Small integers stay small, which take
 * no memory of their own, and others stay beyond them.
 */
const salt = randomInt(2 ** 30);
const numberMax = 2 ** 51;

/** As which a key is kept: undefined for one that only a tree can hold. */
export const tableKey = (key: Value): TableKey | undefined => {
  if (typeof key === "string") return key;
  if (typeof key !== "number") return key instanceof Array ? recordHash(key) : undefined;
  if (key === (key | 0)) return key ^ salt;
  if (key > 0) return key < numberMax ? key + salt : undefined;
  return key > -numberMax ? key - salt : undefined;
};

const unsalted = (held: number): number => {
  if (held === (held | 0)) return held ^ salt;
  return held > 0 ? held - salt : held + salt;
};
