import type { Table } from "./table.js";
import type { TableWriter, Write, WriteKind, WrittenAhead } from "./write.js";

const empty = Buffer.alloc(0);

/** The writes of one LMDB transaction, kept until `flush`. */
export class Batch {
  readonly #writes: Write[] = [];
  #writer: TableWriter | undefined;

  put<K>(table: Table<K>, key: K, value: Uint8Array = empty): void {
    this.#add("put", table, key, value);
  }
  /** The table must not have the key: nobody looks. */
  insert<K>(table: Table<K>, key: K, value: Uint8Array = empty): void {
    this.#add("insert", table, key, value);
  }
  /** The key must be behind all keys of the table. Fills pages to the brim. */
  append<K>(table: Table<K>, key: K, value: Uint8Array): void {
    this.#add("append", table, key, value);
  }
  remove<K>(table: Table<K>, key: K): void {
    this.#add("remove", table, key, empty);
  }

  #add<K>(kind: WriteKind, table: Table<K>, key: K, value: Uint8Array): void {
    this.#writer ??= table.writer;
    this.#writes.push({ kind, table, key: key as never, value });
  }

  get size(): number {
    return this.#writes.length;
  }
  /** Forgets what was added since there were so many. */
  cut(size: number): void {
    this.#writes.length = size;
  }

  /**
   * Resolves once everything is on disk (after fdatasync); rejects if nothing of it is. `removes`: goes on a full disk, too, see
   * `room.ts`.
   */
  async flush({ removes = false }: { readonly removes?: boolean } = {}): Promise<void> {
    if (this.#writes.length > 0) await this.#writer!.write(this.#writes, removes);
  }

  /** Resolves once everything is durable ahead of the file, where readers do not find it yet; undefined: not so now, `flush` it. */
  async flushAhead(): Promise<WrittenAhead | undefined> {
    return this.#writer?.writeAhead(this.#writes);
  }

  /** Instead of `flush`: it goes with what is flushed next. */
  postpone(): void {
    this.#writer?.owe(this.#writes);
  }
}
