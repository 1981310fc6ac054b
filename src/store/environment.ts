/** Opens the file. The main thread opens it for writing, once; workers open it read-only. */
import { existsSync, mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { open, type Database, type RootDatabase, type Transaction } from "lmdb";
import { limits } from "../config.js";
import * as keys from "./keys.js";
import { formatNumber, tablesMax } from "./layout.js";
import { readerTable, type SnapshotHolder } from "./reader-table.js";
import { RecordReader, RecordWriter, unseal } from "./records.js";
import { Table } from "./table.js";

export class StoreFormatError extends Error {
  override readonly name = "StoreFormatError";
}

/** As LMDB names it in a folder. */
const dataFile = "data.mdb";

/** Every table, as `layout.ts` describes them. */
const tableKeys = {
  state: keys.textKey,
  updates: keys.offsetKey,
  updateIndex: keys.updateIndexKey,
  contracts: keys.hexKey,
  instances: keys.placeKey,
  active: keys.activeKey,
  archived: keys.archivedKey,
  archiveMarks: keys.archiveMarkKey,
  activeKeys: keys.contractKeyKey,
  completions: keys.offsetKey,
  completionIndex: keys.partyOffsetKey,
  deduplication: keys.hexKey,
  parties: keys.textKey,
  templates: keys.numberKey,
  packages: keys.textKey,
  packagePayloads: keys.textKey,
  users: keys.textKey,
  userRights: keys.textKey,
  userIndex: keys.textKey,
  identityProviders: keys.textKey,
  externalParties: keys.textKey,
} as const;

type TableName = keyof typeof tableKeys;
type KeyOf<E> = E extends keys.KeyEncoder<infer K> ? K : never;
export type Tables = { readonly [N in TableName]: Table<KeyOf<(typeof tableKeys)[N]>> };

export interface StoreOptions {
  readonly folder: string;
  readonly readOnly?: boolean;
}

/** A consistent view of all tables; release it soon, it keeps old pages from being reused. */
export interface PinnedTables { readonly tables: Tables; release(): void }

/** lmdb's types leave these out. */
interface WithEnvironment { readonly env: { info(): { readonly lastTxnId: number } }; readerList(): string }

export class Store {
  readonly tables: Tables;
  readonly #root: RootDatabase;
  readonly #PinnedTables: new (transaction: Transaction) => object;

  /** Undefined for a reader. */
  readonly #staleReadersCheck: NodeJS.Timeout | undefined;

  readonly #file: string;

  private constructor(root: RootDatabase, tables: Tables, { folder, readOnly }: StoreOptions) {
    this.#file = join(folder, dataFile);
    this.#root = root;
    this.tables = tables;
    this.#staleReadersCheck = readOnly !== true ? setInterval(() => this.clearStaleReaders(), limits.staleReadersIntervalMs).unref() : undefined;
    this.#PinnedTables = pinnedTables(tables);
  }

  static async open(options: StoreOptions): Promise<Store> {
    const readOnly = options.readOnly === true;
    if (readOnly && !existsSync(join(options.folder, dataFile))) throw new StoreFormatError(`There is no ledger in ${options.folder}.`);
    if (!readOnly) mkdirSync(options.folder, { recursive: true });
    const root = open({
      path: options.folder, readOnly, maxDbs: tablesMax, mapSize: limits.mapSizeBytes, pageSize: limits.pageSizeBytes, noSubdir: false,
      // Data before meta page: recovery then needs nothing but the file.
      overlappingSync: false,
      // Batches say themselves what belongs together. lmdb's own batching by turn drops a promise, whose rejection nobody could handle.
      eventTurnBatching: false,
    } as never);
    const store = new Store(root, openTables(root), options);
    try {
      await store.#checkFormat(readOnly);
      store.refresh();
    } catch (error) {
      await store.close();
      throw error;
    }
    return store;
  }

  async #checkFormat(readOnly: boolean): Promise<void> {
    const record = this.tables.state.read("format");
    if (!record) {
      if (readOnly) throw new StoreFormatError("the ledger has not been initialised yet");
      await this.tables.state.write("format", new RecordWriter().u32(formatNumber).finish(1), false);
      return;
    }
    const found = new RecordReader(unseal(record, 1, "state")).u32();
    if (found !== formatNumber) throw new StoreFormatError(`the ledger has storage format ${found}; this version of the program reads and writes format ${formatNumber}`);
  }

  /** The newest commit, held until `release`. */
  pin(): PinnedTables {
    this.#root.resetReadTxn();
    const transaction = this.#root.useReadTransaction();
    const release = (): void => {
      (transaction as Transaction & { done(): void }).done();
      this.refresh(); // lmdb would leave it to a timer, and an engine thread that waits for its next task runs none
    };
    return { tables: new this.#PinnedTables(transaction) as unknown as Tables, release };
  }

  /** Gives the snapshot back that reads without a pin share for a turn of the event loop: the next read sees the newest commit. */
  refresh(): void { this.#root.resetReadTxn(); }

  /** How many commits ago the oldest snapshot was taken that a reader of any process holds; 0 when none holds one. */
  oldestReaderCommits(): number {
    const { lastTxnId } = (this.#root as unknown as WithEnvironment).env.info();
    return Math.max(0, ...this.readers().map(({ snapshot }) => lastTxnId - snapshot));
  }

  /** Who holds a snapshot, of whatever process. */
  readers(): readonly SnapshotHolder[] {
    return readerTable((this.#root as unknown as WithEnvironment).readerList());
  }

  /** The newest commit, without free pages, into an existing empty folder; neither readers nor the writer wait for it. */
  copyTo(folder: string): Promise<void> { return this.#root.backup(folder, true); }

  /** Of the file, and of what in it holds records: free pages are used again before it grows. */
  sizes(): { readonly fileBytes: number; readonly usedBytes: number } {
    const pages = Object.values(this.tables).reduce((sum, table) => sum + table.pages, 0);
    return { fileBytes: statSync(this.#file).size, usedBytes: pages * limits.pageSizeBytes };
  }

  /** Readers of processes that were killed (a backup, for instance) would keep old pages from being reused for ever. How many there were. */
  clearStaleReaders(): number { return this.#root.readerCheck(); }

  close(): Promise<void> {
    clearInterval(this.#staleReadersCheck);
    return this.#root.close();
  }
}

/** Makes a table's view when it is first used: a task looks at few of them. */
function pinnedTables(tables: Tables): new (transaction: Transaction) => object {
  class Pinned { constructor(readonly transaction: Transaction) {} }
  for (const [name, table] of Object.entries(tables) as [string, Table<unknown>][]) {
    Object.defineProperty(Pinned.prototype, name, {
      get(this: Pinned) {
        const value = table.at(this.transaction);
        Object.defineProperty(this, name, { value });
        return value;
      },
    });
  }
  return Pinned;
}

function openTables(root: RootDatabase): Tables {
  const openTable = ([name, keyEncoder]: [string, unknown]): [string, Table<never>] =>
    [name, new Table<never>(name, root.openDB({ name, encoding: "binary", keyEncoder } as never) as Database<Buffer, never>)];
  return Object.fromEntries(Object.entries(tableKeys).map(openTable)) as unknown as Tables;
}
