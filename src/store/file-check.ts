/**
 * Whether the file can be served from: that LMDB can go through it (`page-walk.ts`), that free pages are free, and that the tables
 * hold exactly what was written into them (`table-sums.ts`). What records hold is checked by those who read them.
 */
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fail, ok, type Result } from "../base/result.js";
import { limits } from "../config.js";
import { newestMeta, type MetaPage } from "./meta-pages.js";
import { PageDamage, PageFile, u32, u64 } from "./page-file.js";
import { PageWalk, tableHead, type Entry } from "./page-walk.js";
import { commitsIn, journalFile, readJournal, strayCommits } from "./journal.js";
import { formatKey, isKnownFormat, uncountedFormatNumber, unknownFormat } from "./format.js";
import { CorruptRecord, RecordReader, unseal } from "./records.js";
import { EntryHash, TableSums } from "./table-sums.js";
import { fileNames, setsOfTables, tableNumber, tableOf, type TableName } from "./tables.js";
import { sumsKey } from "./writer.js";

/** As LMDB names them in a folder. */
export const dataFile = "data.mdb",
  lockFile = "lock.mdb";

export interface CheckedFile {
  /** Of all that was gone through. */
  readonly sums: TableSums;
  /** False where only its head was looked at. */
  readonly isWhole: boolean;
  /** Whether the file says itself what it should hold; those of format 3 do not. */
  readonly isCounted: boolean;
}

/** Of a file that was gone through: whether one of these tables of the first participant has an entry. */
export const holdsAny = ({ sums }: CheckedFile, tables: readonly TableName[]): boolean =>
  tables.some((name) => sums.entriesOf(tableNumber(name)) > 0);

export interface FileDamage {
  /** A sentence. */
  readonly text: string;
  /** A commit came in between: what was read may have been of two of them. */
  readonly isChanging: boolean;
}

const stateTable = fileNames.indexOf("state");

export interface FileCheckOptions {
  /** Of a larger file only the head is looked at: its newest commit, its size, its list of tables; if it says itself what it holds. */
  readonly wholeBytesMax?: number;
  /** In a larger file the leaves of the log are left to its readers, who notice what is missing. */
  readonly logBytesMax?: number;
  /**
   * This process has it open. Its lock file is left alone then: whoever closes any descriptor of a file gives up all locks that the
   * process has on it (POSIX), and without them others take our readers for dead, and write over what they read.
   */
  readonly isOpenHere?: boolean;
  /** Nobody writes meanwhile: whether the journal beside it is its own is looked at, too. */
  readonly withJournal?: boolean;
}

const log: readonly TableName[] = ["updates", "completions", "instances"];

/** Whether there is anything to open: LMDB takes no file without bytes for reading. */
export function hasFile(folder: string): boolean {
  return (statSync(join(folder, dataFile), { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/** Undefined where there is no file yet. Throws StoreFormatError where the file is of a format that this program does not know. */
export function checkFile(
  folder: string,
  { wholeBytesMax = Infinity, logBytesMax = Infinity, isOpenHere = false, withJournal = false }: FileCheckOptions = {},
): Result<CheckedFile, FileDamage> | undefined {
  const path = join(folder, dataFile),
    last = isOpenHere ? 0 : lastCommitOfLock(folder);
  const journal = withJournal ? readJournal(folder) : undefined;
  if (!hasFile(folder)) return goneWith(path, last, journal === undefined ? 0 : commitsIn(journal));
  const file = new PageFile(path);
  let commit: number | undefined;
  try {
    const meta = settledMeta(file);
    commit = meta.commit;
    if (last > commit) throw new PageDamage(undefined, `it ends with commit ${commit}, but commit ${last} was written to it. ${putBack}`);
    const { bytes } = file, // behind the meta page: what that tells of was written before it, and made the file longer
      withoutEnd = bytes < (meta.lastPage + 1) * meta.pageBytes; // whether anything is missing is told by all the rest
    const check = new FileCheck({ file, bytes, meta }, bytes <= logBytesMax),
      checked = check.run({ headOnly: bytes > wholeBytesMax && !withoutEnd });
    const strays = journal === undefined ? 0 : strayCommits(journal, check.told);
    if (strays > 0)
      throw new PageDamage(
        undefined,
        `${strays} commits in ${journalFile} beside it do not follow on what it has: one before them is damaged there, or it was put back from a copy. ${doWithout}`,
      );
    return ok(checked);
  } catch (error) {
    if (!(error instanceof PageDamage || error instanceof CorruptRecord)) throw error;
    return fail({ text: sentence(path, file, error), isChanging: commit !== undefined && isPast(file, commit) });
  } finally {
    file.close();
  }
}

/** Where something was written to a file that has no bytes: a new ledger would take its place. `lastCommit`: by the lock file. */
function goneWith(path: string, lastCommit: number, journaled: number): Result<never, FileDamage> | undefined {
  if (lastCommit === 0 && journaled === 0) return undefined;
  const gone = existsSync(path) ? "empty" : "not there",
    had = lastCommit > 0 ? `commit ${lastCommit} was written to it` : `${journalFile} beside it has ${journaled} commits of it`,
    advice = `Put it back from a copy and remove ${lockFile} and ${journalFile} beside it, or name another folder for a new ledger`;
  return fail({ text: `${path} is damaged: it is ${gone}, but ${had}. ${advice}.`, isChanging: false });
}

const doWithout = `Who can do without them removes ${lockFile} and ${journalFile} beside it`;

const putBack = `If it was put back from a copy, remove ${lockFile} and ${journalFile} beside it`;

function isPast(file: PageFile, commit: number): boolean {
  try {
    return newestMeta(file).commit !== commit;
  } catch {
    return false; // told already
  }
}

function sentence(path: string, file: PageFile, error: PageDamage | CorruptRecord): string {
  if (error instanceof CorruptRecord || error.page === undefined) return `${path} is damaged: ${error.message}.`;
  return `${path} is damaged at page ${error.page} (byte ${error.page * pageBytesOf(file)}): ${error.message}.`;
}

const pageBytesOf = (file: PageFile): number => {
  try {
    return newestMeta(file).pageBytes;
  } catch {
    return limits.pageSizeBytes;
  }
};

/** A writer may change one page after the other was read; of a file at rest the same is read again. */
function settledMeta(file: PageFile): MetaPage {
  for (let tries = 1; ; tries++) {
    try {
      return newestMeta(file);
    } catch (error) {
      if (tries === limits.metaReadsMax) throw error;
    }
  }
}

const lockMagic = 0xbeefc0de,
  lastCommitAt = 8;

/** The lock file names the newest commit too, and is only ever written after it. */
function lastCommitOfLock(folder: string): number {
  const lock = join(folder, lockFile);
  if (!existsSync(lock)) return 0;
  const bytes = readFileSync(lock);
  return bytes.length >= lastCommitAt + 8 && u32(bytes, 0) === lockMagic ? u64(bytes, lastCommitAt) : 0;
}

class FileCheck {
  readonly #walk: PageWalk;
  readonly #hash = new EntryHash();
  readonly #sums = new TableSums(setsOfTables);
  #toldRecord: Buffer | undefined;
  #told: TableSums | undefined;
  #format: number | undefined;
  #stranger: PageDamage | undefined;

  readonly #meta: MetaPage;

  constructor(
    { file, bytes, meta }: { readonly file: PageFile; readonly bytes: number; readonly meta: MetaPage },
    private withLog: boolean,
  ) {
    const { pageBytes, lastPage, commit } = meta;
    this.#meta = meta;
    this.#walk = new PageWalk({ file, bytes, pageBytes, lastPage, commit });
  }

  /**
   * What the file says its tables hold, as this program would write it; of one that says nothing, that they hold nothing. After `run`. The
   * file's own record may be of one with fewer tables, and commits behind it of this one.
   */
  get told(): Buffer {
    return (this.#told ?? new TableSums(setsOfTables)).encode();
  }

  run({ headOnly }: { readonly headOnly: boolean }): CheckedFile {
    const heads = new Map<number, ReturnType<typeof tableHead>>();
    this.#walk.tree({
      name: "list of tables",
      head: this.#meta.tables,
      holdsTables: true,
      onEntry: (entry) => this.#onTable(entry, heads),
    });
    // First of all: a later format may have tables, and may count them in a way, that nobody knows here.
    const state = heads.get(stateTable);
    if (state !== undefined) this.#table(stateTable, state);
    if (this.#format !== undefined && !isKnownFormat(this.#format)) throw unknownFormat(this.#format);
    if (this.#stranger !== undefined) throw this.#stranger;
    if (this.#toldRecord !== undefined) this.#told = TableSums.decode(this.#toldRecord, setsOfTables);
    if (headOnly && this.#told !== undefined) return { sums: this.#sums, isWhole: false, isCounted: true };
    this.withLog ||= this.#told === undefined; // to be counted now
    heads.delete(stateTable);
    for (const [index, head] of [...heads].sort(([left], [right]) => left - right)) this.#table(index, head);
    this.#checkFreePages();
    this.#checkSums();
    return { sums: this.#sums, isWhole: true, isCounted: this.#told !== undefined };
  }

  #table(index: number, head: ReturnType<typeof tableHead>): void {
    const onEntry = this.#isCounted(index) ? (entry: Entry): void => this.#add(index, entry) : undefined;
    this.#walk.tree({ name: `table ${fileNames[index]}`, head, onEntry });
  }

  #isCounted(index: number): boolean {
    return this.withLog || !log.includes(tableOf(index));
  }

  #onTable(entry: Entry, heads: Map<number, ReturnType<typeof tableHead>>): void {
    const name = entry.page.toString("utf8", entry.keyFrom, entry.keyTo);
    if (!entry.isTable) {
      if (name === sumsKey) this.#toldRecord = recordOf(entry);
      return;
    }
    const index = fileNames.indexOf(name.replace(/\0$/, "")),
      head = tableHead(entry);
    if (index >= 0 && head.flags === 0) heads.set(index, head);
    else this.#stranger ??= new PageDamage(undefined, `there is no table ${JSON.stringify(name)} of kind ${head.flags}`);
  }

  #add(table: number, entry: Entry): void {
    const { page, keyFrom, keyTo, valueBytes, checksum } = entry;
    this.#hash.of(page, keyFrom, keyTo, valueBytes, checksum);
    this.#sums.add(table, this.#hash);
    if (table === stateTable && page.toString("utf8", keyFrom, keyTo) === formatKey)
      this.#format = new RecordReader(unseal(recordOf(entry), 1, "state")).u32();
  }

  /** What is listed as free is written over one day. */
  #checkFreePages(): void {
    const claim = (page: number): void => this.#walk.claim(page, (why) => `the list of free pages names ${why}`);
    const onEntry = (entry: Entry): void => visitFreePages(entry, claim);
    this.#walk.tree({ name: "list of free pages", head: this.#meta.freePages, hasNumbers: true, needsValues: true, onEntry });
  }

  #checkSums(): void {
    if (this.#told === undefined) {
      if (this.#format === undefined || this.#format <= uncountedFormatNumber) return;
      throw new PageDamage(undefined, "what its tables should hold is not told any more");
    }
    for (const [index, name] of fileNames.entries()) {
      if (!this.#isCounted(index) || this.#told.isSame(index, this.#sums)) continue;
      const should = this.#told.entriesOf(index),
        has = this.#sums.entriesOf(index);
      const other = `does not hold the ${should} entries that were written to it`;
      const told = should === has ? other : `should hold ${should} entries, not ${has}`;
      throw new PageDamage(undefined, `table ${name} ${told}`);
    }
  }
}

const recordOf = ({ value, valueFrom, valueBytes }: Entry): Buffer => Buffer.from(value.subarray(valueFrom, valueFrom + valueBytes));

/** A count, then pages, of which a negative number before one says that so many follow one another. Zeros are room. */
function visitFreePages({ value, valueFrom, valueBytes }: Entry, visit: (page: number) => void): void {
  const words = Math.floor(valueBytes / 8),
    listed = words === 0 ? 0 : u64(value, valueFrom);
  if (listed >= Math.max(words, 1)) throw new PageDamage(undefined, `the list of free pages names ${listed} pages in ${words} words`);
  for (let index = 1; index <= listed; index++) {
    const at = valueFrom + 8 * index,
      word = value.readBigInt64LE(at);
    if (word > 0n) visit(Number(word));
    else if (word < 0n && index < listed) {
      const first = u64(value, at + 8),
        pages = Number(-word);
      for (let page = first; page < first + pages; page++) visit(page);
      index++;
    }
  }
}
