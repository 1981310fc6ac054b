/** Opens the file. The main thread opens it for writing, once; workers open it read-only. */
import { mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { open, type RootDatabase, type Transaction } from "lmdb";
import { assert } from "../base/assert.js";
import { Closing } from "../base/closing.js";
import { Displaced, found } from "../base/damage.js";
import { flushToDisk } from "../base/flush-to-disk.js";
import { isNoRoom } from "../base/no-room.js";
import { isFailure } from "../base/result.js";
import { Turns } from "../base/turns.js";
import { limits } from "../config.js";
import { requireAddresses } from "./address-space.js";
import { checkFile, dataFile, hasFile, type CheckedFile } from "./file-check.js";
import { commitsBehind, Journal, journalFile, readJournal } from "./journal.js";
import { replay } from "./journal-replay.js";
import { textKey } from "./keys.js";
import { formatKey, formatNumber, isKnownFormat, migrate, setsKey, StoreFormatError, unknownFormat } from "./format.js";
import { fillLockFile, makeLockFile } from "./lock-file.js";
import { NamedFile } from "./named-file.js";
import { OpeningLock } from "./opening-lock.js";
import { forgetDatabases } from "./opened-databases.js";
import { readerTable, type SnapshotHolder } from "./reader-table.js";
import { RecordReader, RecordWriter, unseal } from "./records.js";
import { noRoomIn, roomForNewFile, StorageRoom } from "./room.js";
import { Batch } from "./batch.js";
import { TableSums } from "./table-sums.js";
import { openTables, pinnedTables, setOf, setsOfTables, type TableFiles, type TableName, tableOf, type Tables } from "./tables.js";
import { StretchFile } from "./stretch.js";
import type { Table } from "./table.js";
import { StoreWriter, sumsKey } from "./writer.js";

/** The file does not hold what was written to it, or not in a way that can be read. */
export class StoreDamaged extends Error {
  override readonly name = "StoreDamaged";
}

/** Why the system did not take a copy, of which LMDB tells the words alone. */
export class StoreNotCopied extends Error {
  override readonly name = "StoreNotCopied";
}

/** Without room on the disk there is no file yet that could be read. */
export class StoreNeedsRoom extends Error {
  override readonly name = "StoreNeedsRoom";
}

/** Of what writes in a folder: whatever else it failed for is given back. */
export function asNeedsRoom(folder: string, error: unknown): unknown {
  const why = noRoomIn(folder, error);
  return why === undefined ? error : new StoreNeedsRoom(why);
}

export interface StoreOptions {
  readonly folder: string;
  readonly readOnly?: boolean;
  /** For who reads: whether the journal is looked at, too. */
  readonly readsJournal?: boolean;
  /** Of a ledger that outlives its process: some of the disk is set aside for what removes (`room.ts`), and its file is looked for. */
  readonly keepsReserve?: boolean;
  /** False: for a ledger that goes with its process, whose writes need not reach the disk. */
  readonly flushes?: boolean;
  readonly warn?: (message: string) => void;
  /** Told how many commits only the journal had. */
  readonly onReplayed?: (commits: number) => void;
  /** Shared with whatever else runs on this thread. */
  readonly turns?: Turns;
  /** How many sets of tables there are to be, one for each participant; a file that has more keeps them. */
  readonly sets?: number;
  /** Asked to throw before a file that does not say itself what it should hold is believed: one of format 3. */
  readonly proveUncounted?: () => Promise<void>;
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
interface OpenFiles extends TableFiles {
  readonly writer: StoreWriter | undefined;
}

interface StoreParts {
  /** Undefined for a reader. */
  readonly room: StorageRoom | undefined;
  readonly files: OpenFiles;
  readonly opening: OpeningLock;
  readonly isProven: boolean;
  readonly journal: Buffer | undefined;
}

export class Store {
  /** Whether all of the file was gone through before it was opened; of a reader others know. */
  readonly isProven: boolean;
  readonly #sets: Tables[];
  readonly #root: RootDatabase;
  /** By set. */
  readonly #PinnedTables: (new (transaction: Transaction) => object)[];

  /** Undefined for a reader, as the next. */
  readonly #room: StorageRoom | undefined;
  readonly #files: OpenFiles;
  readonly #timers: NodeJS.Timeout[];

  readonly #file: string;
  readonly #opening: OpeningLock;
  /** As it was when the file was opened, and nobody wrote to that. */
  #journal: Buffer | undefined;
  readonly #onReplayed: StoreOptions["onReplayed"];

  private constructor(
    root: RootDatabase,
    first: Tables,
    { folder, warn, onReplayed, keepsReserve = false }: StoreOptions,
    { room, files, opening, isProven, journal }: StoreParts,
  ) {
    this.#files = files;
    this.#onReplayed = onReplayed;
    this.#journal = journal;
    this.isProven = isProven;
    this.#file = join(folder, dataFile);
    this.#root = root;
    this.#sets = [first];
    this.#room = room;
    this.#opening = opening;
    this.#timers = room === undefined ? [] : this.#lookAfter(room, warn);
    if (room !== undefined && keepsReserve) this.#timers.push(this.#lookForFile(new NamedFile(this.#file)));
    this.#PinnedTables = [pinnedTables(first)];
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

  #lookAfter(room: StorageRoom, warn: StoreOptions["warn"]): NodeJS.Timeout[] {
    // No reason to stop: without a reserve the disk counts as full earlier.
    const tell = (error: Error): void => warn?.(`no room is set aside for pruning on a full disk: ${error.message}`);
    const keepReserve = (): void => void room.keepReserve().catch(tell);
    const timers = [
      setInterval(() => this.clearStaleReaders(), limits.staleReadersIntervalMs),
      setTimeout(keepReserve, limits.reserveFirstMs),
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

  /** A file is checked before it is opened for writing; those who only read come after, or check it themselves. */
  static async open(options: StoreOptions): Promise<Store> {
    const { folder, readOnly = false } = options;
    if (readOnly && !hasFile(folder)) throw new StoreFormatError(`There is no ledger in ${folder}.`);
    const checked = readOnly ? undefined : soundFile(folder);
    if (checked?.isCounted === false && !checked.sums.isEmpty) await options.proveUncounted?.();
    if (!readOnly) mkdirSync(folder, { recursive: true });
    const missing = readOnly || hasFile(folder) ? undefined : roomForNewFile(folder);
    if (missing !== undefined) throw new StoreNeedsRoom(missing);
    try {
      return await Store.#openChecked(options, checked);
    } catch (error) {
      throw asNeedsRoom(folder, error);
    }
  }

  static async #openChecked(options: StoreOptions, checked: CheckedFile | undefined): Promise<Store> {
    const { folder, readOnly = false, keepsReserve = false, flushes = true, readsJournal = !readOnly } = options,
      isThere = hasFile(folder);
    (readOnly ? makeLockFile : fillLockFile)(folder);
    const opening = new OpeningLock(folder),
      closing = new Closing(() => undefined); // of what is open before there is a store that closes it
    closing.add(() => opening.close());
    let store: Store;
    try {
      let former: Buffer | undefined;
      const root = await opening.during(() => {
        if (readsJournal) former = readJournal(folder);
        return openFile(folder, { readOnly, flushes });
      });
      closing.add(() => closeFile(root));
      const room = readOnly ? undefined : new StorageRoom({ folder, keepsReserve, sizes: () => store.sizes() });
      const stretches = room && new StretchFile(join(folder, dataFile));
      if (stretches) closing.add(() => stretches.close());
      const writer = room && new StoreWriter(root, { room, turns: options.turns ?? new Turns(limits.turnMs), opening });
      const files = { writer, stretches },
        tables = await opening.during(() => openTables(root, files, 0)); // those that are new are made by commits of their own
      store = new Store(root, tables, options, { room, files, opening, isProven: checked?.isWhole !== false, journal: former });
    } catch (error) {
      await closing.close().catch(() => undefined); // who opens it is told what was wrong before
      throw error;
    }
    try {
      const { writer } = store.#files,
        format = await store.#checkFormat(writer, checked);
      await store.#openSets(writer, options.sets ?? 1, format);
      if (flushes) writer?.goAhead(openJournal(folder)); // now that nothing in it counts, also where it was made by an earlier version
      store.#room?.begin();
      store.refresh();
    } catch (error) {
      await store.close();
      throw error;
    }
    if (!isThere && flushes) flushToDisk(folder);
    return store;
  }

  /** The one that the file has from now on. */
  async #checkFormat(writer: StoreWriter | undefined, checked: CheckedFile | undefined): Promise<number> {
    const record = this.tables.state.read(formatKey);
    if (!record) {
      if (!writer) throw new StoreFormatError("the ledger has not been initialised yet");
      await this.#formatBatch().flush();
      return formatNumber;
    }
    const found = new RecordReader(unseal(record, 1, "state")).u32();
    if (!isKnownFormat(found)) throw unknownFormat(found);
    return writer && checked && found !== formatNumber ? this.#migrate(found, writer, checked) : found;
  }

  async #migrate(found: number, writer: StoreWriter, checked: CheckedFile): Promise<number> {
    const sets = await this.#opening.during(() =>
      Array.from({ length: this.#knownSets() }, (_, set) => openTables(this.#root, this.#files, set, found)),
    );
    await this.#takeFromJournal(writer, sets); // its commits come before any that is made here
    const batch = this.#formatBatch(),
      { size } = batch;
    await this.#opening.during(() =>
      migrate(found, {
        adoptSums: () => writer.adopt(checked.sums),
        rekey: (name) => {
          for (let set = 0; set < sets.length; set++) rekey(batch, name, sets[set]!, openTables(this.#root, this.#files, set));
        },
      }),
    );
    try {
      await batch.flush();
    } catch (error) {
      if (!isNoRoom(error)) throw error;
      if (batch.size > size) return found; // it stays as it was until there is room
      batch.postpone(); // until then it is there for readers
    }
    return formatNumber;
  }

  #knownSets(): number {
    const record = this.tables.state.read(setsKey);
    return record ? new RecordReader(unseal(record, 1, "state")).u32() : 1;
  }

  /** Empty tables count for nothing, so it does not matter when a process is killed in here. */
  async #openSets(writer: StoreWriter | undefined, asked: number, format: number): Promise<void> {
    const known = this.#knownSets(),
      sets = writer ? Math.max(known, asked) : known;
    assert(sets <= setsOfTables.sets, `a file has at most ${setsOfTables.sets} sets of tables`);
    const isPresent = format === formatNumber; // then the first set is open already
    await this.#opening.during(() => {
      for (let set = isPresent ? 1 : 0; set < sets; set++) {
        this.#sets[set] = openTables(this.#root, this.#files, set, format);
        this.#PinnedTables[set] = pinnedTables(this.tablesOf(set));
      }
    });
    if (writer && format === formatNumber) await this.#takeFromJournal(writer, this.#sets);
    if (sets === known) return;
    const batch = new Batch();
    batch.put(this.tables.state, setsKey, new RecordWriter().u32(sets).finish(1));
    await batch.flush();
  }

  async #takeFromJournal(writer: StoreWriter, sets: readonly Tables[]): Promise<void> {
    const tableAt = (number: number): Table<never> => sets[setOf(number)]![tableOf(number)] as Table<never>;
    if (this.#journal === undefined) return;
    const taken = await replay(this.#journal, writer, tableAt);
    if (taken === undefined) throw new StoreDamaged(`${journalFile}: a commit in it does not fit to the file`);
    this.#journal = undefined; // the file has it
    if (taken > 0) this.#onReplayed?.(taken);
  }

  #formatBatch(): Batch {
    const batch = new Batch();
    batch.put(this.tables.state, formatKey, new RecordWriter().u32(formatNumber).finish(1));
    return batch;
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
    if (this.#journal === undefined || record === undefined) return 0;
    return [...commitsBehind(this.#journal, TableSums.decode(Buffer.from(record), setsOfTables).encode())].length;
  }

  /** A copy of the file (`copyTo`) that has all that was acknowledged when this one was opened. */
  async completeCopy(folder: string): Promise<void> {
    if (this.#journal === undefined) return;
    const path = join(folder, journalFile);
    writeFileSync(path, this.#journal, { mode: ownerOnly });
    await (await Store.open({ folder })).close();
    rmSync(path);
  }

  /** The newest commit, without free pages, into an existing empty folder; neither readers nor the writer wait for it. */
  async copyTo(folder: string): Promise<void> {
    try {
      await this.#root.backup(folder, true);
    } catch (error) {
      throw new StoreNotCopied((error as Error).message);
    }
  }

  /** Of the file, and of what in it holds records: free pages are used again before it grows. */
  sizes(): { readonly fileBytes: number; readonly usedBytes: number } {
    const pages = this.#sets.flatMap((set) => Object.values(set)).reduce((sum, table) => sum + table.pages, 0);
    return { fileBytes: statSync(this.#file, { throwIfNoEntry: false })?.size ?? 0, usedBytes: pages * limits.pageSizeBytes };
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
    await this.#files.writer?.close();
    await this.#room?.close();
    this.#files.stretches?.close();
    await closeFile(this.#root);
    this.#opening.close();
  }
}

async function closeFile(root: RootDatabase): Promise<void> {
  await root.close();
  forgetDatabases(root);
}

function rekey(batch: Batch, name: TableName, former: Tables, present: Tables): void {
  const [from, to] = [former, present].map((tables) => tables[name] as Table<unknown>) as [Table<unknown>, Table<unknown>];
  for (const { key, value } of from.all()) {
    batch.remove(from, key);
    batch.put(to, key, value);
  }
}

function soundFile(folder: string): CheckedFile | undefined {
  const checked = checkFile(folder, {
    wholeBytesMax: limits.startCheckBytesMax,
    logBytesMax: limits.startCheckLogBytesMax,
    withJournal: true,
  });
  if (checked && isFailure(checked)) throw new StoreDamaged(checked.error.text);
  return checked?.ok;
}

/** Without room for it commits are written to the file alone; so they are where it is not known what the system makes of a flush. */
function openJournal(folder: string): Journal | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    return Journal.open(folder);
  } catch (error) {
    if (isNoRoom(error)) return undefined;
    throw error;
  }
}

const ownerOnly = 0o600; // it holds the node's keys

function openFile(path: string, { readOnly, flushes }: { readonly readOnly: boolean; readonly flushes: boolean }): RootDatabase {
  requireAddresses();
  return open({
    path,
    readOnly,
    noSubdir: false,
    permissionsMode: ownerOnly,
    mapSize: limits.mapSizeBytes,
    pageSize: limits.pageSizeBytes,
    encoding: "binary",
    keyEncoder: textKey,
    maxDbs: setsOfTables.perSet * setsOfTables.sets,
    // Data before meta page: recovery then needs nothing but the file.
    overlappingSync: false,
    noSync: !flushes,
    // Batches say themselves what belongs together. lmdb's own batching by turn drops a promise, whose rejection nobody could handle.
    eventTurnBatching: false,
    // So that what comes behind a batch makes lmdb begin, however small the batch is.
    txnStartThreshold: 1,
  } as never);
}
