/**
 * A hash table under the newest state of a map that grows by one entry after another: it is changed in place, while each earlier state
 * only knows what the next one changed.
 */
import type { Value } from "../value/index.js";
import { hashOfNumber, hashOfRecord } from "./key-hash.js";

export interface Table {
  readonly size: number;
  /** `held`: what `tableKey` made of the key. Undefined when the key is absent. */
  get(key: Value, held: TableKey): Value | undefined;
  /** Gives what was there before; `value` undefined takes the entry away. */
  put(key: Value, held: TableKey, value: Value | undefined): Value | undefined;
  entries(): [Value, Value][];
}

/** A text, which V8 hashes itself, or the hash of a number or of a record. */
export type TableKey = string | number;

/** As which a key is kept: undefined for one that only a tree can hold. */
export const tableKey = (key: Value): TableKey | undefined => {
  if (typeof key === "string") return key;
  if (typeof key === "number") return hashOfNumber(key);
  return key instanceof Array ? hashOfRecord(key) : undefined;
};

/** The first key decides: those of a map are of one type. */
export const tableFor = (key: Value, compare: (a: Value, b: Value) => number): Table =>
  typeof key === "string" ? new TextTable() : new ChainedTable(compare);

class TextTable implements Table {
  readonly #entries = new Map<string, Value>();

  get size(): number {
    return this.#entries.size;
  }

  get(key: Value): Value | undefined {
    return this.#entries.get(key as string);
  }

  put(key: Value, _held: TableKey, value: Value | undefined): Value | undefined {
    const before = this.#entries.get(key as string);
    if (value === undefined) this.#entries.delete(key as string);
    else this.#entries.set(key as string, value);
    return before;
  }

  entries(): [Value, Value][] {
    return [...this.#entries];
  }
}

interface Entry {
  readonly hash: number;
  readonly key: Value;
  value: Value;
  /** Those of one slot hang together. */
  next: Entry | undefined;
}

const slotsMin = 32;
/** V8 gives an array of more than 16,384 slots pages of its own, which cost more than a longer chain. */
const entriesPerSlot = 2;

/** Cheaper than a Map of JavaScript, which copies all entries each time it grows. The number of slots is a power of two. */
class ChainedTable implements Table {
  readonly #compare: (a: Value, b: Value) => number;
  #slots = new Array<Entry | undefined>(slotsMin).fill(undefined);
  size = 0;

  constructor(compare: (a: Value, b: Value) => number) {
    this.#compare = compare;
  }

  get(key: Value, held: TableKey): Value | undefined {
    return this.#find(key, held as number)?.value;
  }

  put(key: Value, held: TableKey, value: Value | undefined): Value | undefined {
    const hash = held as number,
      entry = this.#find(key, hash);
    if (entry === undefined) {
      if (value !== undefined) this.#add(hash, key, value);
      return undefined;
    }
    const before = entry.value;
    if (value === undefined) this.#remove(entry);
    else entry.value = value;
    return before;
  }

  #find(key: Value, hash: number): Entry | undefined {
    let entry = this.#slots[hash & (this.#slots.length - 1)];
    while (entry !== undefined && !(entry.hash === hash && (entry.key === key || this.#compare(key, entry.key) === 0))) entry = entry.next;
    return entry;
  }

  #add(hash: number, key: Value, value: Value): void {
    if (this.size === entriesPerSlot * this.#slots.length) this.#grow();
    const slot = hash & (this.#slots.length - 1);
    this.#slots[slot] = { hash, key, value, next: this.#slots[slot] };
    this.size += 1;
  }

  #grow(): void {
    const before = this.#slots,
      slots = new Array<Entry | undefined>(2 * before.length).fill(undefined);
    for (const first of before)
      for (let entry = first; entry !== undefined;) {
        const { next } = entry,
          slot = entry.hash & (slots.length - 1);
        entry.next = slots[slot];
        slots[slot] = entry;
        entry = next;
      }
    this.#slots = slots;
  }

  #remove(entry: Entry): void {
    const slot = entry.hash & (this.#slots.length - 1);
    this.size -= 1;
    let before = this.#slots[slot]!;
    if (before === entry) {
      this.#slots[slot] = entry.next;
      return;
    }
    while (before.next !== entry) before = before.next!;
    before.next = entry.next;
  }

  entries(): [Value, Value][] {
    const found: [Value, Value][] = [];
    for (const first of this.#slots) for (let entry = first; entry !== undefined; entry = entry.next) found.push([entry.key, entry.value]);
    return found;
  }
}
