/** The open file: its tables, snapshots of them, and what looks after it. `open-store.ts` opens it. */
import { statSync } from "node:fs";
import { join } from "node:path";
import type { RootDatabase, Transaction } from "lmdb";
import { assert } from "../base/assert.js";
import { closeAll } from "../base/closing.js";
import { Displaced, found } from "../base/damage.js";
import { limits } from "../config.js";
import { dataFile } from "./file-check.js";
import { commitsBehind } from "./journal.js";
import type { NamedFile } from "./named-file.js";
import { forgetDatabases } from "./opened-databases.js";
import type { OpeningLock } from "./opening-lock.js";
import { readerTable, type SnapshotHolder } from "./reader-table.js";
import type { StorageRoom } from "./room.js";
import { TableSums } from "./table-sums.js";
import { pinnedTables, setsOfTables, type TableFiles, type Tables } from "./tables.js";
import { type StoreWriter, sumsKey } from "./writer.js";

/** Why the system did not take a copy, of which LMDB tells the words alone. */
export class StoreNotCopied extends Error {
  override readonly name = "StoreNotCopied";
}

/** A consistent view of all tables; release it soon, it keeps old pages from being reused. */
export interface PinnedTables {
  tablesOf(set: number): Tables;
  release(): void;
}

/** lmdb's types leave these out. */
interface WithEnvironment {
  readonly env: { info(): { readonly lastTxnId: number } };
  readerList(): string;
}

/** None of a reader. */
export interface OpenFiles extends TableFiles {
  readonly writer: StoreWriter | undefined;
}

export interface StoreParts {
  readonly folder: string;
  readonly root: RootDatabase;
  /** One for each participant. */
  readonly sets: readonly Tables[];
  readonly files: OpenFiles;
  readonly opening: OpeningLock;
  /** Undefined for a reader. */
  readonly room: StorageRoom | undefined;
  /** Undefined for a reader, and for a ledger that goes with its process. */
  readonly named: NamedFile | undefined;
  readonly isProven: boolean;
  /** As it was when the file was opened; undefined where there was none, or the file has got what was in it. */
  readonly journal: Buffer | undefined;
  readonly warn: ((message: string) => void) | undefined;
}

export class Store {
  /** Whether all of the file was gone through before it was opened; of a reader others know. */
  readonly isProven: boolean;
  /** Acknowledged, and not all in the file when it was opened: of a reader that looks (`readsJournal`). */
  readonly journal: Buffer | undefined;
  readonly #folder: string;
  readonly #root: RootDatabase;
  readonly #sets: readonly Tables[];
  /** By set. */
  readonly #PinnedTables: readonly (new (transaction: Transaction) => object)[];
  readonly #files: OpenFiles;
  readonly #opening: OpeningLock;
  /** Undefined for a reader. */
  readonly #room: StorageRoom | undefined;
  readonly #timers: NodeJS.Timeout[];

  constructor({ folder, root, sets, files, opening, room, named, isProven, journal, warn }: StoreParts) {
    this.isProven = isProven;
    this.journal = journal;
    this.#folder = folder;
    this.#root = root;
    this.#sets = sets;
    this.#PinnedTables = sets.map(pinnedTables);
    this.#files = files;
    this.#opening = opening;
    this.#room = room;
    this.#timers = room === undefined ? [] : this.#lookAfter(room, warn);
    if (named !== undefined) this.#timers.push(this.#lookForFile(named));
  }

  /** Those of the first participant. */
  get tables(): Tables {
    return this.tablesOf(0);
  }
  /** Those of a participant, by its number. */
  tablesOf(set: number): Tables {
    const tables = this.#sets[set];
    assert(tables, `the file has a set ${set} of tables`);
    return tables;
  }
  get sets(): number {
    return this.#sets.length;
  }

  #lookAfter(room: StorageRoom, warn: StoreParts["warn"]): NodeJS.Timeout[] {
    // No reason to stop: without a reserve the disk counts as full earlier.
    const tell = (error: Error): void => warn?.(`no room is set aside for pruning on a full disk: ${error.message}`);
    const keepReserve = (): void => void room.keepReserve().catch(tell);
    const timers = [
      setInterval(() => this.clearStaleReaders(), limits.staleReadersIntervalMs),
      setInterval(keepReserve, limits.reserveIntervalMs),
    ];
    return timers.map((timer) => timer.unref());
  }

  /** Of a ledger that is to outlive its process: what is acknowledged must be found again. */
  #lookForFile(file: NamedFile): NodeJS.Timeout {
    const look = (): void => {
      const problem = file.problem();
      if (problem === undefined) return;
      clearInterval(timer);
      found(new Displaced(file.path, problem));
    };
    const timer = setInterval(look, limits.fileLookIntervalMs);
    return timer.unref();
  }

  /** The newest commit, held until `release`. */
  pin(): PinnedTables {
    this.#root.resetReadTxn();
    const transaction = this.#root.useReadTransaction();
    const release = (): void => {
      (transaction as Transaction & { done(): void }).done();
      this.refresh(); // lmdb would leave it to a timer, and an engine thread that waits for its next task runs none
    };
    const pinned: (Tables | undefined)[] = [];
    const tablesOf = (set: number): Tables => (pinned[set] ??= new this.#PinnedTables[set]!(transaction) as unknown as Tables);
    return { tablesOf, release };
  }

  /** Gives the snapshot back that reads without a pin share for a turn of the event loop: the next read sees the newest commit. */
  refresh(): void {
    this.#root.resetReadTxn();
  }

  /** How many commits ago the oldest snapshot was taken that a reader of any process holds; 0 when none holds one. */
  oldestReaderCommits(): number {
    const { lastTxnId } = (this.#root as unknown as WithEnvironment).env.info();
    return Math.max(0, ...this.readers().map(({ snapshot }) => lastTxnId - snapshot));
  }

  /** Who holds a snapshot, of whatever process. */
  readers(): readonly SnapshotHolder[] {
    return readerTable((this.#root as unknown as WithEnvironment).readerList());
  }

  /** How many commits were acknowledged and not in the file when it was opened, for who looks (`readsJournal`). */
  commitsInJournal(): number {
    const record = this.#root.get(sumsKey) as Buffer | undefined;
    if (this.journal === undefined || record === undefined) return 0;
    return [...commitsBehind(this.journal, TableSums.decode(Buffer.from(record), setsOfTables).encode())].length;
  }

  /** The newest commit, without free pages, into an existing empty folder; neither readers nor the writer wait for it. */
  async copyTo(folder: string): Promise<void> {
    try {
      await this.#root.backup(folder, true);
    } catch (error) {
      throw new StoreNotCopied((error as Error).message);
    }
  }

  sizes(): StoreSizes {
    return sizesOf(this.#folder, this.#sets);
  }

  /**
   * Readers of processes that were killed (a backup, for instance) would keep old pages from being reused for ever. How many there were.
   */
  clearStaleReaders(): number {
    return this.#root.readerCheck();
  }

  /** Why nothing more should be written but what removes, in words. */
  impediment(): string | undefined {
    return this.#room?.impediment();
  }

  /** Resolves when the file has all that is durable. */
  async caughtUp(): Promise<void> {
    await this.#files.writer?.inFile();
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearTimeout(timer);
    await closeAll([
      () => this.#files.writer?.close(),
      () => this.#room?.close(),
      () => this.#files.stretches?.close(),
      () => closeFile(this.#root),
      () => this.#opening.close(),
    ]);
  }
}

export interface StoreSizes {
  readonly fileBytes: number;
  readonly usedBytes: number;
}

/** Of the file, and of what in it holds records: free pages are used again before it grows. */
export function sizesOf(folder: string, sets: readonly Tables[]): StoreSizes {
  return {
    fileBytes: statSync(join(folder, dataFile), { throwIfNoEntry: false })?.size ?? 0,
    // Each table is asked; who sees to the reserve each second does not want it.
    get usedBytes() {
      return sets.flatMap((set) => Object.values(set)).reduce((sum, table) => sum + table.pages, 0) * limits.pageSizeBytes;
    },
  };
}

export async function closeFile(root: RootDatabase): Promise<void> {
  await root.close();
  forgetDatabases(root);
}
