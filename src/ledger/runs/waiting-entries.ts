/**
 * Entries that wait until a run has them: one behind the other in memory as they came, packed as runs have them. As objects, tens of
 * thousands that live for seconds, V8's collector would move each of them twice, and each would be asked for its bytes once more. A table
 * of hashes tells the last entry of a key, and each entry the one before it.
 */
import { assert } from "../../base/assert.js";
import { firstIndex } from "../../base/first-index.js";
import { randomBytes } from "../../base/random.js";
import { RecordReader, RecordWriter, sealBytes } from "../../store/index.js";
import type { Offset } from "../model/index.js";
import { EntryPlace, hasKey, isRunKey, keyBytesMax, keyFrom, rankOf, ranks, type RunKind, writeHead } from "./entries.js";
import type { PieceWriter } from "./piece-writer.js";

/** Of each key the last one up to an offset. */
export interface SortedEntries {
  /** In the order of runs. */
  readonly numbers: Uint32Array;
  /** Of all entries. */
  readonly bytes: number;
}

const entriesAtFirst = 256,
  bytesAtFirst = 32 * 1024;

export class WaitingEntries<V> {
  readonly #kind: RunKind<V>;
  /** How many left: the others are numbered from 0 on. */
  #gone = 0;
  #count = 0;
  #bytes = Buffer.allocUnsafeSlow(bytesAtFirst);
  #usedBytes = 0;
  /** By number: where it begins, its rank, when it came, and the number of the one before it of the same key, or -1. */
  #places = new Uint32Array(entriesAtFirst);
  #ranks = new Uint32Array(entriesAtFirst);
  #offsets = new Float64Array(entriesAtFirst);
  #former = new Int32Array(entriesAtFirst);
  /** At its hash, or behind it, the number of the last entry of a key, plus one; of a power of two, half of them empty at least. */
  #slots = new Int32Array(2 * entriesAtFirst);
  #keys = 0;
  /** False: the slots are those of other entries. */
  #isIndexed = true;
  /** So that nobody can choose keys that meet. */
  readonly #salt = Buffer.from(randomBytes(4)).readInt32LE();
  readonly #key = Buffer.alloc(keyBytesMax);
  readonly #writer = new RecordWriter();
  readonly #entry: EntryPlace;
  readonly #numbersBesideRank: number;

  /** `numbersBesideRank`: how many a double can tell apart behind a rank. */
  constructor(kind: RunKind<V>, numbersBesideRank = 2 ** 53 / ranks) {
    this.#kind = kind;
    this.#entry = new EntryPlace(kind);
    this.#numbersBesideRank = numbersBesideRank;
  }

  /** How many keys they have. */
  get size(): number {
    this.#index();
    return this.#keys;
  }

  /** Behind the last of them, for `cutBack`. */
  get end(): number {
    return this.#gone + this.#count;
  }

  /** The last one of its key, and of all. */
  add(key: string, value: V, offset: Offset): void {
    const keyBytes = key.length / 2,
      { position } = this.#writer.reset().rawHex(key);
    assert(isRunKey(key, this.#kind) && position === sealBytes + keyBytes, "what waits for a run has a hash, in hex");
    this.#kind.write(this.#writer, value);
    const valueBytes = this.#writer.position - position;
    this.#room(keyFrom + keyBytes + valueBytes);
    this.#writer.copyTo(this.#bytes, this.#usedBytes + keyFrom);
    this.#added(keyBytes, valueBytes, offset);
  }

  /** The same of a key and its value that lie one behind the other in a record. */
  addPacked(record: Buffer, at: number, keyBytes: number, valueBytes: number, offset: Offset): void {
    this.#room(keyFrom + keyBytes + valueBytes);
    record.copy(this.#bytes, this.#usedBytes + keyFrom, at, at + keyBytes + valueBytes);
    this.#added(keyBytes, valueBytes, offset);
  }

  #room(bytes: number): void {
    if (this.#usedBytes + bytes > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(2 * (this.#usedBytes + bytes));
      this.#bytes.copy(larger, 0, 0, this.#usedBytes);
      this.#bytes = larger;
    }
    if (this.#count < this.#places.length) return;
    this.#places = doubled(this.#places);
    this.#ranks = doubled(this.#ranks);
    this.#offsets = doubled(this.#offsets);
    this.#former = doubled(this.#former);
  }

  #added(keyBytes: number, valueBytes: number, offset: Offset): void {
    const place = this.#usedBytes;
    writeHead(this.#bytes, place, keyBytes, valueBytes, this.#kind);
    this.#entry.goTo(this.#bytes, place);
    const number = this.#count++;
    this.#places[number] = place;
    this.#ranks[number] = this.#entry.rank;
    this.#offsets[number] = offset;
    this.#usedBytes += keyFrom + keyBytes + valueBytes;
    if (this.#isIndexed) this.#link(number);
  }

  /** Takes back what was added since they ended there. */
  cutBack(end: number): void {
    const count = end - this.#gone;
    assert(count >= 0 && count <= this.#count, "what left is not taken back");
    if (count === this.#count) return;
    this.#usedBytes = this.#places[count]!;
    this.#count = count;
    this.#isIndexed = false;
  }

  /** Those up to an offset are gone: a run has them. */
  leaveTo(offset: Offset): void {
    const left = this.#countTo(offset);
    if (left === 0) return;
    const from = left < this.#count ? this.#places[left]! : this.#usedBytes;
    this.#bytes.copyWithin(0, from, this.#usedBytes);
    this.#usedBytes -= from;
    this.#places.copyWithin(0, left, this.#count);
    this.#ranks.copyWithin(0, left, this.#count);
    this.#offsets.copyWithin(0, left, this.#count);
    this.#count -= left;
    this.#gone += left;
    for (let number = 0; number < this.#count; number++) this.#places[number]! -= from;
    this.#isIndexed = false;
  }

  /** They came in the order of their offsets. */
  #countTo(offset: Offset): number {
    return firstIndex(this.#count, (number) => this.#offsets[number]! > offset);
  }

  #index(): void {
    if (this.#isIndexed) return;
    this.#isIndexed = true;
    this.#slots.fill(0);
    this.#linkAll(this.#count);
  }

  /** Those before a number, in slots that are empty. */
  #linkAll(end: number): void {
    this.#keys = 0;
    for (let number = 0; number < end; number++) this.#link(number);
  }

  #link(number: number): void {
    const rank = this.#ranks[number]!;
    let slot = this.#slotOf(rank);
    for (; this.#slots[slot] !== 0; slot = this.#next(slot)) {
      const other = this.#slots[slot]! - 1;
      if (this.#ranks[other] !== rank || this.#compareKeys(other, number) !== 0) continue;
      this.#former[number] = other;
      this.#slots[slot] = number + 1;
      return;
    }
    this.#former[number] = -1;
    this.#slots[slot] = number + 1;
    if (2 * ++this.#keys <= this.#slots.length) return;
    this.#slots = new Int32Array(2 * this.#slots.length);
    this.#linkAll(number + 1);
  }

  find(key: string): V | undefined {
    if (this.#count === 0 || !isRunKey(key, this.#kind)) return undefined;
    this.#index();
    const rank = rankOf(key, this.#kind);
    let keyBytes = 0;
    for (let slot = this.#slotOf(rank); this.#slots[slot] !== 0; slot = this.#next(slot)) {
      const number = this.#slots[slot]! - 1;
      if (this.#ranks[number] !== rank) continue;
      if (keyBytes === 0) keyBytes = this.#key.write(key, "hex");
      if (keyBytes !== key.length / 2) return undefined; // it is no hex
      if (hasKey(this.#bytes, this.#places[number]!, this.#key, keyBytes)) return this.#valueOf(number);
    }
    return undefined;
  }

  #slotOf(rank: number): number {
    return Math.imul(rank ^ this.#salt, spreading) >>> Math.clz32(this.#slots.length - 1);
  }
  #next(slot: number): number {
    return (slot + 1) & (this.#slots.length - 1);
  }

  #compareKeys(one: number, other: number): number {
    const bytes = this.#bytes,
      a = this.#places[one]!,
      b = this.#places[other]!;
    return bytes.compare(bytes, b + keyFrom, b + keyFrom + bytes[b]!, a + keyFrom, a + keyFrom + bytes[a]!);
  }

  #valueOf(number: number): V {
    this.#entry.goTo(this.#bytes, this.#places[number]!);
    return this.#kind.read(new RecordReader(this.#bytes, this.#entry.valueAt));
  }

  /** Of each key the last one. */
  *entries(): Generator<{ readonly key: string; readonly value: V }> {
    this.#index();
    for (const one of this.#slots.filter((slot) => slot !== 0)) {
      this.#entry.goTo(this.#bytes, this.#places[one - 1]!);
      yield { key: this.#entry.key, value: this.#valueOf(one - 1) };
    }
  }

  /** Goes through them as they lie in memory: it is done at once, and code that is hardly ever called is slow. */
  sortedTo(offset: Offset): SortedEntries {
    this.#index();
    const end = this.#countTo(offset),
      isFormer = new Uint8Array(end),
      former = this.#former,
      places = this.#places;
    let count = end;
    for (let number = 0; number < end; number++) {
      const before = former[number]!;
      if (before < 0) continue;
      isFormer[before] = 1;
      count--;
    }
    const numbers = new Uint32Array(count);
    let bytes = 0;
    for (let number = 0, at = 0; number < end; number++) {
      if (isFormer[number] === 1) continue;
      numbers[at++] = number;
      bytes += (number + 1 < this.#count ? places[number + 1]! : this.#usedBytes) - places[number]!;
    }
    return { numbers: this.#sorted(numbers), bytes };
  }

  /** As doubles, which V8 sorts without asking for each pair: a rank and a number, or of very many entries most of the rank. */
  #sorted(numbers: Uint32Array): Uint32Array {
    const count = 2 ** Math.ceil(Math.log2(Math.max(this.#numbersBesideRank, this.#count))),
      ranksInOne = count / this.#numbersBesideRank,
      rankOfEach = this.#ranks,
      codes = new Float64Array(numbers.length),
      sorted = new Uint32Array(numbers.length);
    for (let at = 0; at < codes.length; at++) codes[at] = Math.floor(rankOfEach[numbers[at]!]! / ranksInOne) * count + numbers[at]!;
    codes.sort();
    let last = -1;
    for (let end = 0; end < codes.length; end++) {
      const code = codes[end]!,
        rank = Math.floor(code / count),
        number = code - rank * count;
      let at = end;
      if (rank === last) for (; at > 0 && this.#compare(sorted[at - 1]!, number) > 0; at--) sorted[at] = sorted[at - 1]!;
      sorted[at] = number;
      last = rank;
    }
    return sorted;
  }

  /** As in a run: by rank, then by all of the key. */
  #compare(one: number, other: number): number {
    return this.#ranks[one]! - this.#ranks[other]! || this.#compareKeys(one, other);
  }

  /** Of these the ones of a part of all ranks, where each of `parts` has as many. */
  write({ numbers }: SortedEntries, part: number, parts: number, writer: PieceWriter): void {
    const firstOf = (some: number): number => {
      const rank = Math.ceil((some * ranks) / parts);
      return firstIndex(numbers.length, (at) => this.#ranks[numbers[at]!]! >= rank);
    };
    const end = firstOf(part + 1);
    for (let at = firstOf(part); at < end; at++) {
      this.#entry.goTo(this.#bytes, this.#places[numbers[at]!]!);
      writer.copy(this.#entry);
    }
  }
}

function doubled<T extends Uint32Array | Int32Array | Float64Array>(array: T): T {
  const larger = new (array.constructor as new (length: number) => T)(2 * array.length);
  larger.set(array);
  return larger;
}

/** The golden ratio as a fraction of 2^32: neighbours land far from each other. */
const spreading = 0x9e3779b1;
