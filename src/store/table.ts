/** One typed table of the file over lmdb. Reads are synchronous; writes go through a `Batch`. */
import type { Database, Transaction } from "lmdb";
import { assert } from "../base/assert.js";
import { type KeyEncoder, keyBytesMax } from "./keys.js";
import { asEndingOfRead } from "./lmdb-errors.js";
import type { Stretch, StretchFile } from "./stretch.js";
import type { TableWriter, Write } from "./write.js";

/** A pinned view of the file: reads through it all see the same commit. */
export type Snapshot = Transaction | undefined;

export interface Range<K> {
  /** Inclusive. In reverse the upper end. */
  readonly start: K;
  /** Exclusive. In reverse the lower end. */
  readonly end: K;
  readonly limit?: number;
  readonly reverse?: boolean;
}

/** lmdb's types leave out what is in it. */
interface TreeStats {
  readonly treeBranchPageCount: number;
  readonly treeLeafPageCount: number;
  readonly overflowPages: number;
}

/** lmdb's types leave out that this takes options. */
interface FastReads {
  getBinaryFast(key: unknown, options?: object): Buffer | undefined;
}

export interface TableParts<K> {
  readonly name: string;
  /** Its number among the tables. */
  readonly index: number;
  readonly db: Database<Buffer, never>;
  readonly keyEncoder: KeyEncoder<K>;
  /** Undefined where the file is only read, as the next. */
  readonly writer: TableWriter | undefined;
  readonly stretches: StretchFile | undefined;
}

export class Table<K> {
  readonly name: string;
  readonly index: number;
  readonly #parts: TableParts<K>;
  readonly #db: Database<Buffer, never> & FastReads;
  readonly #snapshot: Snapshot;
  readonly #options: { transaction: Transaction } | undefined;

  constructor(parts: TableParts<K>, snapshot?: Snapshot) {
    this.name = parts.name;
    this.index = parts.index;
    this.#parts = parts;
    this.#db = parts.db as Database<Buffer, never> & FastReads;
    this.#snapshot = snapshot;
    this.#options = snapshot && { transaction: snapshot };
  }

  /** That its records and their tree are on. */
  get pages(): number {
    const { treeBranchPageCount, treeLeafPageCount, overflowPages } = this.#db.getStats() as TreeStats;
    return treeBranchPageCount + treeLeafPageCount + overflowPages;
  }

  at(snapshot: Transaction): Table<K> {
    return new Table(this.#parts, snapshot);
  }

  /** A buffer of its own. */
  read(key: K): Buffer | undefined {
    const shared = this.readShared(key);
    return shared && Buffer.from(shared);
  }

  /** A view of a buffer that the next read of any table overwrites: for those who copy out of it at once. */
  readShared(key: K): Buffer | undefined {
    const fast = this.#get(key);
    // lmdb gives its whole reused buffer with a `length` of its own; only a true view may be handed on.
    return fast && Buffer.from(fast.buffer, fast.byteOffset, fast.length);
  }

  /** Records from shortly before a key on, as far as they are found in some pages: see `stretch.ts` for what may be missing, and what may be old. */
  readStretch(key: K, into: Stretch, bytes?: number): void {
    into.clear();
    if (!this.#snapshot) this.#parts.stretches?.read(this.name, keyBytes.subarray(0, this.encodeKey(key, keyBytes)), into, bytes);
  }

  has(key: K): boolean {
    return this.#get(key) !== undefined;
  }

  #get(key: K): Buffer | undefined {
    try {
      return this.#db.getBinaryFast(key, this.#options);
    } catch (error) {
      throw asEndingOfRead(error, this.#snapshot, this.name, key);
    }
  }

  keys(range: Range<K>): K[] {
    const found: K[] = [];
    try {
      for (const key of this.#db.getKeys(this.#rangeOptions(range) as never)) found.push(key as K);
    } catch (error) {
      throw asEndingOfRead(error, this.#snapshot, this.name, range.start);
    }
    return found;
  }

  /** Entries with buffers of their own. */
  *entries(range: Range<K>): Generator<{ key: K; value: Buffer }> {
    yield* this.#range(this.#rangeOptions(range));
  }

  /** Everything, from the first key on. */
  *all(): Generator<{ key: K; value: Buffer }> {
    // Without an explicit start lmdb would write a key of its own, which our key encoders do not know.
    yield* this.#range({ start: undefined, ...this.#options });
  }

  *#range(options: object): Generator<{ key: K; value: Buffer }> {
    let last: K | undefined;
    try {
      for (const { key, value } of this.#db.getRange(options as never)) {
        last = key as K;
        yield { key: last, value: Buffer.from(value as Uint8Array) };
      }
    } catch (error) {
      throw asEndingOfRead(error, this.#snapshot, this.name, last);
    }
  }

  #rangeOptions(range: Range<K>): object {
    const options: Record<string, unknown> = { start: range.start, end: range.end };
    if (range.limit !== undefined) options["limit"] = range.limit;
    if (range.reverse) options["reverse"] = true;
    if (this.#snapshot) options["transaction"] = this.#snapshot;
    return options;
  }

  /** For `Batch` only. */
  get writer(): TableWriter {
    assert(this.#parts.writer && !this.#snapshot, "the file is open for writing, and a snapshot is read-only");
    return this.#parts.writer;
  }

  /** For `StoreWriter`, as the next two: how long the key's bytes are. */
  encodeKey(key: K, target: Buffer, at = 0): number {
    return this.#parts.keyEncoder.writeKey(key, target, at);
  }

  /** Of a key that another process wrote. */
  decodeKey(bytes: Buffer): K {
    return this.#parts.keyEncoder.readKey(bytes, 0, bytes.length);
  }

  /** The bytes of the last key. */
  lastKey(): Buffer | undefined {
    const { keyEncoder } = this.#parts,
      options = { start: undefined, end: undefined, reverse: true, limit: 1 };
    for (const key of this.#db.getKeys(options as never)) {
      const bytes = Buffer.alloc(lastKeyBytesMax);
      return bytes.subarray(0, keyEncoder.writeKey(key as K, bytes, 0));
    }
    return undefined;
  }

  /** In a batch. What is appended needs no flag: LMDB fills pages to the brim where keys come in order, and the writer has looked at that. */
  write({ kind, key, value }: Write): void {
    void (kind === "remove" ? this.#db.remove(key) : this.#db.put(key, value as never));
  }
}

const keyBytes = Buffer.allocUnsafeSlow(keyBytesMax);
const lastKeyBytesMax = 64; // of tables that are appended to: offsets and places
