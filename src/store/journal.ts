/**
 * Commits ahead of the file. LMDB writes a commit to pages that lie apart and flushes twice, first these and then the page that makes them
 * count; the journal has all of it in one place, so that it is durable after one flush. Whoever asked is answered then; the file gets it
 * right afterwards, with what else came meanwhile, and a start writes what it has not got. The file is whole without its journal, which
 * never grows: a record's place is free once the file has it.
 *
 * A record begins with what the tables held before it and how many commits there were (`table-sums.ts`), so it shows by itself which one
 * comes next: no two commits have that in common. All that are whole are found wherever they lie, so that one that is damaged costs itself
 * at most, and is missed by those behind it.
 */
import { closeSync, constants, fstatSync, fsyncSync, ftruncateSync, openSync, readFileSync, rmSync, write, writeSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { crc32 } from "node:zlib";
import { flushToDisk } from "../base/flush-to-disk.js";
import { limits } from "../config.js";
import { keyBytesMax } from "./keys.js";
import { agree, commitNumberOf } from "./table-sums.js";
import type { Write, WriteKind } from "./write.js";

export const journalFile = "journal";

/** A commit as the journal has it. */
export interface JournaledCommit {
  /** The sums of the tables without it, as the file has them. */
  readonly before: Buffer;
  /** And with it. */
  readonly after: Buffer;
  readonly writes: readonly JournaledWrite[];
}

export interface JournaledWrite {
  readonly kind: WriteKind;
  /** Number of the table. */
  readonly table: number;
  readonly key: Buffer;
  readonly value: Buffer;
}

/** In which half a record is, until the file has it. */
export type JournalPlace = 0 | 1;

/** Where its bytes are kept. */
export interface JournalDevice {
  /** Resolves once the first `length` bytes are on disk. */
  write(bytes: Buffer, length: number, at: number): Promise<void>;
  remove(): void;
  close(): void;
}

/**
 * Two halves, each filled from its beginning on: while one has what the file has not got, the other is written. Each record begins with a
 * block of its own, so that none is written again beside another.
 */
export class Journal {
  readonly #device: JournalDevice;
  readonly #record = Buffer.allocUnsafeSlow(halfBytes);
  /** How many records of each half the file has not got. */
  readonly #held: [number, number] = [0, 0];
  #half: JournalPlace = 0;
  /** In the half. */
  #position = 0;

  constructor(device: JournalDevice) {
    this.#device = device;
  }

  static open(folder: string): Journal {
    return new Journal(openDevice(folder));
  }

  /** Resolves once it is on disk, one at a time; undefined at once where there is no room for it now. */
  append(writes: readonly Write[], before: Buffer, after: Buffer): Promise<JournalPlace> | undefined {
    const bytes = encode(this.#record, { before, after, writes });
    if (bytes === undefined) return undefined;
    if (this.#held[0] + this.#held[1] === 0) this.#position = 0;
    if (this.#position + bytes > halfBytes) {
      const other = this.#half === 0 ? 1 : 0;
      if (this.#held[other] > 0) return undefined;
      this.#half = other;
      this.#position = 0;
    }
    const half = this.#half,
      at = half * halfBytes + this.#position;
    this.#held[half]++;
    this.#position += Math.ceil(bytes / blockBytes) * blockBytes;
    return this.#device.write(this.#record, bytes, at).then(() => half);
  }

  /** The file has what was put there. */
  release(place: JournalPlace): void {
    this.#held[place]--;
  }

  /** Nothing more is written to it, and nothing that was is heeded any more. */
  abandon(): void {
    this.#device.close();
    this.#device.remove();
  }

  close(): void {
    this.#device.close();
  }
}

/** All of it, or nothing: what is left of the disk the ledger's own file may need. */
function grow(file: number, size: number): void {
  const zeros = Buffer.alloc(limits.journalBytes);
  try {
    for (let at = 0; at < zeros.length;) at += writeSync(file, zeros, at, undefined, at); // a write that is cut short says nothing
  } catch (error) {
    ftruncateSync(file, size);
    throw error;
  }
}

/** A file as large as it will ever be, so that what is flushed are its bytes alone. */
function openDevice(folder: string): JournalDevice {
  const path = join(folder, journalFile),
    file = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_DSYNC, ownerOnly);
  try {
    const { size } = fstatSync(file);
    if (size < limits.journalBytes) {
      grow(file, size);
      fsyncSync(file);
      flushToDisk(folder);
    }
  } catch (error) {
    closeSync(file);
    throw error;
  }
  return {
    async write(bytes, length, at) {
      const { bytesWritten } = await writeAt(file, bytes, 0, length, at);
      if (bytesWritten < length) throw new Error(`${bytesWritten} of ${length} bytes were written to the journal`);
    },
    close: () => closeSync(file),
    remove() {
      rmSync(path);
      flushToDisk(folder);
    },
  };
}

const writeAt = promisify(write);

const halfBytes = limits.journalBytes / 2,
  /** As long as it was in earlier versions. */
  formerBytes = 1024 * 1024,
  blockBytes = 4096,
  ownerOnly = 0o600;

const kinds: readonly WriteKind[] = ["put", "insert", "append", "remove"];

/**
 * A block that begins so begins a record; the last byte is its version. Of what a record has at the beginning of its other blocks the first
 * byte stands behind it, as `keptBytes` of which the second is 0: what somebody wrote, maybe to look like a record, is never at the beginning of one.
 */
const mark = 0x4a_52_4e_02,
  formerMark = 0x4a_52_4e_01,
  keptBytes = 2;

/** Of a record: mark, length without what is kept, and the checksum of all that follows it. Of a write: kind, table, and the length of its key. */
const recordHeadBytes = 4 + 4 + 4,
  writeHeadBytes = 1 + 4 + 4;

/** How many blocks of so many bytes begin in the middle. */
const innerBlocks = (bytes: number): number => Math.ceil(bytes / blockBytes) - 1;

/** Gives its length; undefined where it is longer than `target`. */
function encode(
  target: Buffer,
  { before, after, writes }: { before: Buffer; after: Buffer; writes: readonly Write[] },
): number | undefined {
  let at = recordHeadBytes;
  const put = (bytes: Uint8Array): boolean => {
    if (at + 4 + bytes.length > target.length) return false;
    target.writeUInt32LE(bytes.length, at);
    target.set(bytes, at + 4);
    at += 4 + bytes.length;
    return true;
  };
  if (!put(before) || !put(after)) return undefined;
  for (const { kind, table, key, value } of writes) {
    if (at + writeHeadBytes + keyBytesMax > target.length) return undefined;
    target[at] = kinds.indexOf(kind);
    target.writeUInt32LE(table.index, at + 1);
    const keyAt = at + writeHeadBytes,
      keyEnd = table.encodeKey(key, target, keyAt);
    target.writeUInt32LE(keyEnd - keyAt, at + 5);
    at = keyEnd;
    if (!put(value)) return undefined;
  }
  const end = at + innerBlocks(at) * keptBytes;
  if (end > target.length) return undefined;
  for (let block = blockBytes, kept = at; kept < end; block += blockBytes, kept += keptBytes) {
    target[kept] = target[block]!;
    target[kept + 1] = target[block] = 0;
  }
  target.writeUInt32BE(mark, 0);
  target.writeUInt32LE(at - recordHeadBytes, 4);
  target.writeUInt32LE(crc32(target.subarray(recordHeadBytes, end)), 8);
  return end;
}

interface FoundRecord {
  readonly commit: JournaledCommit;
  /** Behind its last byte. */
  readonly end: number;
}

/** Undefined where no whole record begins, as it was never written to its end, or is damaged. */
function recordAt(bytes: Buffer, start: number, isFormer = false): FoundRecord | undefined {
  if (start + recordHeadBytes > bytes.length || bytes.readUInt32BE(start) !== (isFormer ? formerMark : mark)) return undefined;
  const length = recordHeadBytes + bytes.readUInt32LE(start + 4),
    kept = isFormer ? 0 : innerBlocks(length),
    end = start + length + kept * keptBytes;
  if (end > bytes.length || bytes.readUInt32LE(start + 8) !== crc32(bytes.subarray(start + recordHeadBytes, end))) return undefined;
  const record = Buffer.from(bytes.subarray(start, end));
  for (let block = 1; block <= kept; block++) record[block * blockBytes] = record[length + (block - 1) * keptBytes]!;
  return { commit: commitOf(record.subarray(recordHeadBytes, length)), end };
}

function commitOf(bytes: Buffer): JournaledCommit {
  let at = 0;
  const take = (length: number): Buffer => bytes.subarray(at, (at += length)),
    next = (): Buffer => take(take(4).readUInt32LE());
  const before = next(),
    after = next(),
    writes: JournaledWrite[] = [];
  while (at < bytes.length) {
    const head = take(writeHeadBytes);
    writes.push({ kind: kinds[head[0]!]!, table: head.readUInt32LE(1), key: take(head.readUInt32LE(5)), value: next() });
  }
  return { before, after, writes };
}

const nextBlock = (at: number): number => Math.ceil(at / blockBytes) * blockBytes;

/** What the journal of a folder has, in no order; what it was before is among it. */
function* recordsOf(bytes: Buffer): Generator<JournaledCommit> {
  if (bytes.length <= formerBytes) return yield* formerRecordsOf(bytes);
  for (let at = 0; at < bytes.length;) {
    const record = recordAt(bytes, at);
    if (record !== undefined) yield record.commit;
    at = record === undefined ? at + blockBytes : nextBlock(record.end);
  }
}

/** Of earlier versions: what is behind the last one that is whole may be anything. */
function* formerRecordsOf(bytes: Buffer): Generator<JournaledCommit> {
  for (const half of [bytes.subarray(0, formerBytes / 2), bytes.subarray(formerBytes / 2)])
    for (let record = recordAt(half, 0, true); record !== undefined; record = recordAt(half, nextBlock(record.end), true))
      yield record.commit;
}

/** The bytes of a folder's journal; undefined where it has none. */
export function readJournal(folder: string): Buffer | undefined {
  try {
    return readFileSync(join(folder, journalFile));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** How many commits the journal of a folder has, whether its file has them or not. */
export const commitsIn = (journal: Buffer): number => [...recordsOf(journal)].length;

/**
 * How many commits of the journal come later than all that a file has, and do not go on from it: it is another file than the journal was
 * written beside, as those that its own has not got follow one another without a gap. `sums`: as the file has them.
 */
export function strayCommits(journal: Buffer, sums: Buffer): number {
  const following = new Set([...commitsBehind(journal, sums)].map(({ after }) => commitNumberOf(after))),
    isStray = ({ after }: JournaledCommit): boolean =>
      commitNumberOf(after) > commitNumberOf(sums) && !following.has(commitNumberOf(after));
  return [...recordsOf(journal)].filter(isStray).length;
}

/** What a file is to get of its journal, one commit after the other. `sums`: as the file has them. */
export function* commitsBehind(journal: Buffer, sums: Buffer): Generator<JournaledCommit> {
  const records = [...recordsOf(journal)];
  for (let held = sums; ;) {
    const at = records.findIndex(({ before }) => agree(before, held)),
      next = at < 0 ? undefined : records.splice(at, 1)[0];
    if (next === undefined) return;
    held = next.after;
    yield next;
  }
}
