/** One typed table of the file over lmdb. Reads are synchronous; writes go through a `Batch`. */
import type { Database, Transaction } from "lmdb";
import { assert } from "../base/assert.js";

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

const empty = Buffer.alloc(0);
const atTheEnd = { append: true };

/** lmdb's types leave out what is in it. */
interface TreeStats { readonly treeBranchPageCount: number; readonly treeLeafPageCount: number; readonly overflowPages: number }

/** lmdb's types leave out that this takes options. */
interface FastReads { getBinaryFast(key: unknown, options?: object): Buffer | undefined }

export class Table<K> {
  readonly #db: Database<Buffer, never> & FastReads;
  readonly #snapshot: Snapshot;
  readonly #options: { transaction: Transaction } | undefined;

  constructor(readonly name: string, db: Database<Buffer, never>, snapshot?: Snapshot) {
    this.#db = db as Database<Buffer, never> & FastReads;
    this.#snapshot = snapshot;
    this.#options = snapshot && { transaction: snapshot };
  }

  /** That its records and their tree are on. */
  get pages(): number {
    const { treeBranchPageCount, treeLeafPageCount, overflowPages } = this.#db.getStats() as TreeStats;
    return treeBranchPageCount + treeLeafPageCount + overflowPages;
  }

  at(snapshot: Transaction): Table<K> { return new Table(this.name, this.#db, snapshot); }

  /** A buffer of its own. */
  read(key: K): Buffer | undefined {
    const shared = this.readShared(key);
    return shared && Buffer.from(shared);
  }

  /** A view of a buffer that the next read of any table overwrites: for those who copy out of it at once. */
  readShared(key: K): Buffer | undefined {
    const fast = this.#db.getBinaryFast(key, this.#options);
    // lmdb gives its whole reused buffer with a `length` of its own; only a true view may be handed on.
    return fast && Buffer.from(fast.buffer, fast.byteOffset, fast.length);
  }

  has(key: K): boolean { return this.#db.getBinaryFast(key, this.#options) !== undefined; }

  keys(range: Range<K>): K[] {
    const found: K[] = [];
    for (const key of this.#db.getKeys(this.#rangeOptions(range) as never)) found.push(key as K);
    return found;
  }

  /** Entries with buffers of their own. */
  *entries(range: Range<K>): Generator<{ key: K; value: Buffer }> {
    for (const { key, value } of this.#db.getRange(this.#rangeOptions(range) as never)) yield { key: key as K, value: Buffer.from(value as Uint8Array) };
  }

  /** Everything, from the first key on. */
  *all(): Generator<{ key: K; value: Buffer }> {
    // Without an explicit start lmdb would write a key of its own, which our key encoders do not know.
    const options = { start: undefined, ...this.#options };
    for (const { key, value } of this.#db.getRange(options as never)) yield { key: key as K, value: Buffer.from(value as Uint8Array) };
  }

  #rangeOptions(range: Range<K>): object {
    const options: Record<string, unknown> = { start: range.start, end: range.end };
    if (range.limit !== undefined) options["limit"] = range.limit;
    if (range.reverse) options["reverse"] = true;
    if (this.#snapshot) options["transaction"] = this.#snapshot;
    return options;
  }

  /** For `Batch` only: lmdb writes everything that the callback asks for, of all tables, in one transaction. */
  inOneTransaction(writes: () => void): Promise<unknown> { return this.#db.batch(writes); }

  /** For `Batch` only. */
  write(key: K, value: Uint8Array | undefined, append: boolean): Promise<unknown> {
    assert(!this.#snapshot, "a snapshot is read-only");
    if (value === undefined) return this.#db.remove(key as never);
    return append ? this.#db.put(key as never, value as never, atTheEnd as never) : this.#db.put(key as never, value as never);
  }
}

/** The writes of one LMDB transaction, kept until `flush`. */
export class Batch {
  readonly #writes: { readonly table: Table<never>; readonly key: never; readonly value: Uint8Array | undefined; readonly append: boolean }[] = [];

  put<K>(table: Table<K>, key: K, value: Uint8Array = empty): void { this.#add(table, key, value, false); }
  /** The key must be behind all keys of the table. Fills pages to the brim. */
  append<K>(table: Table<K>, key: K, value: Uint8Array): void { this.#add(table, key, value, true); }
  remove<K>(table: Table<K>, key: K): void { this.#add(table, key, undefined, false); }

  #add<K>(table: Table<K>, key: K, value: Uint8Array | undefined, append: boolean): void {
    this.#writes.push({ table: table as Table<never>, key: key as never, value, append });
  }

  get size(): number { return this.#writes.length; }
  /** Forgets what was added since there were so many. */
  cut(size: number): void { this.#writes.length = size; }

  /** Resolves once everything is on disk (after fdatasync); rejects if nothing of it is. */
  async flush(): Promise<void> {
    const [first] = this.#writes;
    if (!first) return;
    const promises = new Set<Promise<unknown>>();
    promises.add(first.table.inOneTransaction(() => {
      for (const { table, key, value, append } of this.#writes) promises.add(table.write(key, value, append));
    }));
    try {
      assert(!(await Promise.all(promises)).includes(false), "an appended key lies behind all others");
    } catch (error) {
      await Promise.allSettled(promises);
      throw await causeOf(error);
    }
  }
}

const causeWaitMs = 1_000;

/** lmdb rejects with a summary whose `commitError` is a promise that soon rejects with the real reason. */
async function causeOf(error: unknown): Promise<unknown> {
  const commitError = (error as { commitError?: Promise<never> } | null)?.commitError;
  if (!commitError) return error;
  const waited = new Promise<unknown>((resolve) => setTimeout(resolve, causeWaitMs, error).unref());
  return Promise.race([commitError.catch((cause: unknown) => cause), waited]);
}
