/** Opens the file. The main thread opens it for writing, once; workers open it read-only. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { open, type RootDatabase } from "lmdb";
import { assert } from "../base/assert.js";
import { Closing } from "../base/closing.js";
import { flushToDisk } from "../base/flush-to-disk.js";
import { isNoRoom } from "../base/no-room.js";
import { isFailure } from "../base/result.js";
import { Turns } from "../base/turns.js";
import { limits } from "../config.js";
import { requireAddresses } from "./address-space.js";
import { Batch } from "./batch.js";
import { checkFile, dataFile, hasFile, type CheckedFile } from "./file-check.js";
import { formatKey, formatNumber, isKnownFormat, migrate, setsKey, StoreFormatError, unknownFormat } from "./format.js";
import { Journal, journalFile, readJournal } from "./journal.js";
import { replay } from "./journal-replay.js";
import { textKey } from "./keys.js";
import { fillLockFile, makeLockFile } from "./lock-file.js";
import { NamedFile } from "./named-file.js";
import { OpeningLock } from "./opening-lock.js";
import { RecordReader, RecordWriter, unseal } from "./records.js";
import { noRoomIn, roomForNewFile, StorageRoom } from "./room.js";
import { closeFile, sizesOf, Store, type StoreParts } from "./store.js";
import { StretchFile } from "./stretch.js";
import type { Table } from "./table.js";
import { openTables, setOf, setsOfTables, type TableName, tableOf, type Tables } from "./tables.js";
import { StoreWriter } from "./writer.js";

/** The file does not hold what was written to it, or not in a way that can be read. */
export class StoreDamaged extends Error {
  override readonly name = "StoreDamaged";
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

/** A file is checked before it is opened for writing; those who only read come after, or check it themselves. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { folder, readOnly = false } = options;
  if (readOnly && !hasFile(folder)) throw new StoreFormatError(`There is no ledger in ${folder}.`);
  const checked = readOnly ? undefined : soundFile(folder);
  if (checked?.isCounted === false && !checked.sums.isEmpty) await options.proveUncounted?.();
  if (!readOnly) mkdirSync(folder, { recursive: true });
  const missing = readOnly || hasFile(folder) ? undefined : roomForNewFile(folder);
  if (missing !== undefined) throw new StoreNeedsRoom(missing);
  try {
    return await openChecked(options, checked);
  } catch (error) {
    throw asNeedsRoom(folder, error);
  }
}

async function openChecked(options: StoreOptions, checked: CheckedFile | undefined): Promise<Store> {
  const { folder, readOnly = false, keepsReserve = false, flushes = true, readsJournal = !readOnly, warn } = options,
    isThere = hasFile(folder);
  (readOnly ? makeLockFile : fillLockFile)(folder);
  const opening = new OpeningLock(folder),
    closing = new Closing(() => undefined); // of what is open before there is a store that closes it
  closing.add(() => opening.close());
  try {
    let journal: Buffer | undefined;
    const root = await opening.during(() => {
      if (readsJournal) journal = readJournal(folder);
      return openFile(folder, { readOnly, flushes });
    });
    closing.add(() => closeFile(root));
    let sets: readonly Tables[] = [];
    const room = readOnly ? undefined : new StorageRoom({ folder, keepsReserve, sizes: () => sizesOf(folder, sets) }),
      stretches = room && new StretchFile(join(folder, dataFile));
    if (stretches) closing.add(() => stretches.close());
    const writer = room && new StoreWriter(root, { room, turns: options.turns ?? new Turns(limits.turnMs), opening });
    if (writer) closing.add(() => writer.close());
    const file = { root, files: { writer, stretches }, opening };
    const first = await opening.during(() => openTables(root, file.files, 0)), // those that are new are made by commits of their own
      named = room && keepsReserve ? new NamedFile(join(folder, dataFile)) : undefined;
    sets = [first];
    sets = await openSets(file, first, { ...options, checked, journal });
    if (flushes) writer?.goAhead(openJournal(folder)); // now that nothing in it counts, also where it was made by an earlier version
    room?.begin();
    root.resetReadTxn();
    if (!isThere && flushes) flushToDisk(folder);
    return new Store({
      ...file,
      folder,
      sets,
      room,
      named,
      isProven: checked?.isWhole !== false,
      journal: writer ? undefined : journal,
      warn,
    });
  } catch (error) {
    await closing.close().catch(() => undefined); // who opens it is told what was wrong before
    throw error;
  }
}

/** What is open of it before its tables are. */
type OpenFile = Pick<StoreParts, "root" | "files" | "opening">;

interface ToOpenSets extends Pick<StoreOptions, "sets" | "onReplayed"> {
  readonly checked: CheckedFile | undefined;
  readonly journal: Buffer | undefined;
}

/**
 * The tables of all participants: once the file has what only the journal had, and the present format, if it is opened for writing. Empty
 * tables count for nothing, so it does not matter when a process is killed in here.
 */
async function openSets(file: OpenFile, first: Tables, options: ToOpenSets): Promise<readonly Tables[]> {
  const { checked, journal, sets: asked = 1, onReplayed } = options,
    { writer } = file.files,
    found = await formatOf(first, writer),
    known = knownSets(first),
    count = writer ? Math.max(known, asked) : known;
  assert(count <= setsOfTables.sets, `a file has at most ${setsOfTables.sets} sets of tables`);
  const stored = await openFurther(file, found === formatNumber ? [first] : [], { count: known, format: found });
  if (writer && journal) await takeFromJournal(journal, writer, stored, onReplayed); // its commits come before any that is made here
  const format = writer && checked && found !== formatNumber ? await migrateFile(file, writer, { found, first, stored, checked }) : found,
    sets = await openFurther(file, format === found ? stored : [first], { count, format });
  if (count === known) return sets;
  const batch = new Batch();
  batch.put(first.state, setsKey, new RecordWriter().u32(count).finish(1));
  await batch.flush();
  return sets;
}

/** A new file gets the present one. */
async function formatOf(first: Tables, writer: StoreWriter | undefined): Promise<number> {
  const record = first.state.read(formatKey);
  if (!record) {
    if (!writer) throw new StoreFormatError("the ledger has not been initialised yet");
    await formatBatch(first).flush();
    return formatNumber;
  }
  const found = new RecordReader(unseal(record, 1, "state")).u32();
  if (!isKnownFormat(found)) throw unknownFormat(found);
  return found;
}

function formatBatch(first: Tables): Batch {
  const batch = new Batch();
  batch.put(first.state, formatKey, new RecordWriter().u32(formatNumber).finish(1));
  return batch;
}

function knownSets(first: Tables): number {
  const record = first.state.read(setsKey);
  return record ? new RecordReader(unseal(record, 1, "state")).u32() : 1;
}

/** Those that are open, and more behind them, as a file of this format has them. */
const openFurther = (
  { root, files, opening }: OpenFile,
  open: readonly Tables[],
  { count, format }: { readonly count: number; readonly format: number },
): Promise<readonly Tables[]> =>
  opening.during(() => Array.from({ length: count }, (_, set) => open[set] ?? openTables(root, files, set, format)));

async function takeFromJournal(
  journal: Buffer,
  writer: StoreWriter,
  sets: readonly Tables[],
  onReplayed: StoreOptions["onReplayed"],
): Promise<void> {
  const tableAt = (number: number): Table<never> => sets[setOf(number)]![tableOf(number)] as Table<never>;
  const taken = await replay(journal, writer, tableAt);
  if (taken === undefined) throw new StoreDamaged(`${journalFile}: a commit in it does not fit to the file`);
  if (taken > 0) onReplayed?.(taken);
}

interface FormerFile {
  /** Its format. */
  readonly found: number;
  /** The first set by the present format, and all by the one that was found. */
  readonly first: Tables;
  readonly stored: readonly Tables[];
  readonly checked: CheckedFile;
}

/** Gives the format that the file has from now on. */
async function migrateFile({ root, files, opening }: OpenFile, writer: StoreWriter, former: FormerFile): Promise<number> {
  const { found, first, stored, checked } = former,
    batch = formatBatch(first),
    { size } = batch;
  await opening.during(() =>
    migrate(found, {
      adoptSums: () => writer.adopt(checked.sums),
      rekey: (name) => {
        for (let set = 0; set < stored.length; set++) rekey(batch, name, stored[set]!, openTables(root, files, set));
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

function rekey(batch: Batch, name: TableName, former: Tables, present: Tables): void {
  const [from, to] = [former, present].map((tables) => tables[name] as Table<unknown>) as [Table<unknown>, Table<unknown>];
  for (const { key, value } of from.all()) {
    batch.remove(from, key);
    batch.put(to, key, value);
  }
}

/** A copy of the file (`Store.copyTo`) gets all that was acknowledged when that one was opened. */
export async function completeCopy({ journal }: Store, folder: string): Promise<void> {
  if (journal === undefined) return;
  const path = join(folder, journalFile);
  writeFileSync(path, journal, { mode: ownerOnly });
  await (await openStore({ folder })).close();
  rmSync(path);
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
