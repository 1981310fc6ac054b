/**
 * Texts of neighbouring offsets in a file, each with a comma behind it, and beside it a file with an entry for every offset
 * behind the one where the segment begins: where its text ends, and a checksum of all texts up to there. An offset without a text
 * has an empty one, so that a place is found without a search; texts that follow one another are checked in one go, by the
 * checksum that goes on from the one before them.
 */
import { closeSync, openSync, readSync } from "node:fs";
import { open, rm, stat, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { assert } from "../../base/assert.js";
import { SpareMemory } from "../../base/spare-memory.js";
import { limits } from "../../config.js";
import type { Offset } from "../../ledger/index.js";

/** A text is not the one that was written. */
export class PrintedDamaged extends Error {
  override readonly name = "PrintedDamaged";
}

/** Texts that follow one another, with a comma between each two and none behind the last. `memory`: what they lie in. */
export interface PrintedRun {
  readonly bytes: Buffer;
  readonly memory: Buffer;
  readonly count: number;
  readonly last: Offset;
}

/** A text in memory with others: from `from` to before `to`. */
export interface TextPlace {
  readonly bytes: Buffer;
  readonly from: number;
  readonly to: number;
}

/** Of what is read; who reads gives it back. */
export const printedMemory = new SpareMemory(limits.scanSpareBytesMax);

/** What lies where in the files, and what is printed: with a change of it those that are there are printed anew. */
export const segmentLayout = 5;

/** The end of the text in its file, the CRC-32 of the file up to there, and a checksum of the entry; u32, the lower byte first. */
const entryBytes = 12,
  crcAt = 4,
  checksumAt = 8,
  ownerOnly = 0o600;
const comma = Buffer.from(",");

export const segmentName = /^(\d{1,16})\.(?:text|index)$/;

/** Up to where a text goes, and what is before it. */
interface TextEnd {
  readonly end: number;
  readonly crc: number;
}
const noText: TextEnd = { end: 0, crc: 0 };

function writeEntry(entries: Buffer, at: number, number: number, { end, crc }: TextEnd): void {
  entries.writeUInt32LE(end, at);
  entries.writeUInt32LE(crc, at + crcAt);
  entries.writeUInt32LE(entryChecksum(number, end, crc), at + checksumAt);
}

/** `number`: of the entry in its file. */
function readEntry(entries: Buffer, at: number, number: number): TextEnd {
  const entry = soundEntry(entries, at, number);
  if (entry === undefined) throw new PrintedDamaged(`entry ${number} of an index is damaged`);
  return entry;
}

/** Undefined: it is damaged. */
function soundEntry(entries: Buffer, at: number, number: number): TextEnd | undefined {
  const end = entries.readUInt32LE(at),
    crc = entries.readUInt32LE(at + crcAt);
  return entries.readUInt32LE(at + checksumAt) === entryChecksum(number, end, crc) ? { end, crc } : undefined;
}

/** In a few operations, as hundreds are read for a page: multiplied and shifted as MurmurHash3 ends. */
function entryChecksum(number: number, end: number, crc: number): number {
  let mixed = Math.imul(number ^ 0x9e3779b9, 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13) ^ end, 0xc2b2ae35);
  mixed = Math.imul(mixed ^ (mixed >>> 16) ^ crc, 0x85ebca6b);
  return (mixed ^ (mixed >>> 13)) >>> 0;
}

/** Offsets that are read in one go, with what lies between them; and how many bytes at most. */
const neighbourOffsets = 64,
  neighbourBytesMax = 4 * 1024 * 1024;

interface Files {
  readonly text: FileHandle;
  readonly index: FileHandle;
}

/** Their descriptors. */
interface OpenFiles {
  readonly index: number;
  readonly text: number;
}

export class PrintedSegment {
  readonly #paths: { readonly text: string; readonly index: string };
  #entries: number;
  #last: TextEnd;
  #writing: Files | undefined;
  /** Opened by the first who reads a few texts. */
  #reading: OpenFiles | undefined;

  private constructor(
    folder: string,
    readonly begin: Offset,
    entries: number,
    last: TextEnd,
  ) {
    this.#paths = { text: join(folder, `${begin}.text`), index: join(folder, `${begin}.index`) };
    this.#entries = entries;
    this.#last = last;
  }

  static async create(folder: string, begin: Offset): Promise<PrintedSegment> {
    const segment = new PrintedSegment(folder, begin, 0, noText);
    segment.#writing = await openBoth(segment.#paths, "w+");
    return segment;
  }

  /** Undefined: its files are not what a writer leaves that was stopped between two writes, by their sizes and the last entry. */
  static async open(folder: string, begin: Offset): Promise<PrintedSegment | undefined> {
    const empty = new PrintedSegment(folder, begin, 0, noText),
      sizes = await empty.#sizes();
    if (sizes === undefined) return undefined;
    const entries = Math.floor(sizes.index / entryBytes),
      last = entries === 0 ? noText : soundEntry(await empty.#readEntries(entries - 1, 1), 0, entries - 1);
    return last && last.end <= sizes.text ? new PrintedSegment(folder, begin, entries, last) : undefined;
  }

  /** What was printed up to here is in it. */
  get end(): Offset {
    return this.begin + this.#entries;
  }
  get bytes(): number {
    return this.#last.end;
  }

  /** Of the next offsets, in order; undefined: there is nothing to be told of it. */
  async append(texts: readonly (Buffer | undefined)[]): Promise<void> {
    const files = (this.#writing ??= await openBoth(this.#paths, "r+")),
      entries = Buffer.alloc(texts.length * entryBytes),
      pieces: Buffer[] = [];
    let { end, crc } = this.#last;
    texts.forEach((text, index) => {
      if (text !== undefined) {
        pieces.push(text, comma);
        end += text.length + comma.length;
        crc = crc32(comma, crc32(text, crc));
      }
      writeEntry(entries, index * entryBytes, this.#entries + index, { end, crc });
    });
    await writeAll(files.text, Buffer.concat(pieces), this.#last.end);
    await writeAll(files.index, entries, this.#entries * entryBytes);
    this.#entries += texts.length;
    this.#last = { end, crc };
  }

  /** At most `max` texts of offsets behind one that is not before the begin; those there are. */
  async read(after: Offset, max: number): Promise<PrintedRun> {
    assert(after >= this.begin && max > 0, "a segment is asked for what may be in it");
    const entriesEnd = this.#entries;
    let at = after - this.begin,
      count = 0,
      begin: TextEnd | undefined,
      to = noText,
      last = after;
    while (at < entriesEnd && count < max) {
      const before = begin === undefined && at > 0 ? 1 : 0,
        asked = Math.min(entriesEnd - at, max);
      const entries = await this.#readEntries(at - before, asked + before);
      if (begin === undefined) begin = to = before === 1 ? readEntry(entries, 0, at - 1) : noText;
      for (let entry = before; entry < asked + before && count < max; entry++, at++) {
        const next = readEntry(entries, entry * entryBytes, at);
        last = this.begin + at + 1;
        if (next.end === to.end) continue;
        if (next.end < to.end) throw new PrintedDamaged(`the entry of offset ${last} is behind the one of the offset before`);
        to = next;
        count++;
      }
    }
    return { ...(await this.#readTexts(begin ?? noText, to)), count, last };
  }

  async #readTexts(begin: TextEnd, to: TextEnd): Promise<Pick<PrintedRun, "bytes" | "memory">> {
    const length = Math.max(0, to.end - begin.end),
      memory = printedMemory.take(length),
      texts = memory.subarray(0, length);
    await readAll(this.#paths.text, begin.end, texts);
    if (length > 0) this.#check(texts, begin, to);
    return { bytes: texts.subarray(0, Math.max(0, length - comma.length)), memory };
  }

  #check(texts: Buffer, begin: TextEnd, to: TextEnd): void {
    if (crc32(texts, begin.crc) !== to.crc)
      throw new PrintedDamaged(`the texts from byte ${begin.end} to ${to.end} of the segment of offset ${this.begin} are damaged`);
  }

  /**
   * The texts of offsets that rise, empty where there is none; for a few of them, as it reads at once. Neighbours cost one
   * read, and whoever lies alone two. `used`: takes the memory that they lie in.
   */
  readAt(offsets: readonly Offset[], used: Buffer[]): readonly TextPlace[] {
    const texts: TextPlace[] = [],
      files = (this.#reading ??= openForReading(this.#paths));
    for (let from = 0; from < offsets.length;) {
      let to = from + 1;
      while (to < offsets.length && offsets[to]! - offsets[to - 1]! <= neighbourOffsets) to++;
      this.#readNeighbours(files, offsets.slice(from, to), texts, used);
      from = to;
    }
    return texts;
  }

  #readNeighbours(files: OpenFiles, offsets: readonly Offset[], texts: TextPlace[], used: Buffer[]): void {
    const first = offsets[0]! - this.begin - 1,
      last = offsets.at(-1)! - this.begin - 1,
      before = Math.max(0, first - 1);
    assert(first >= 0 && last < this.#entries, "a segment is asked for what is in it");
    const entries = readNow(files.index, before * entryBytes, Buffer.allocUnsafe((last - before + 1) * entryBytes));
    const endAt = (entry: number): TextEnd => (entry < 0 ? noText : readEntry(entries, (entry - before) * entryBytes, entry));
    const begin = endAt(first - 1),
      end = endAt(last),
      { end: from } = begin,
      { end: to } = end;
    if (to < from) throw new PrintedDamaged(`the entry of offset ${offsets.at(-1)} lies before that of ${offsets[0]}`);
    if (to - from > neighbourBytesMax && offsets.length > 1) {
      for (const offset of offsets) this.#readNeighbours(files, [offset], texts, used);
      return;
    }
    const memory = printedMemory.take(to - from);
    this.#check(readNow(files.text, from, memory.subarray(0, to - from)), begin, end);
    used.push(memory);
    let reached = { entry: first - 1, end: from };
    for (const offset of offsets) {
      const entry = offset - this.begin - 1,
        start = (reached.entry === entry - 1 ? reached.end : endAt(entry - 1).end) - from;
      reached = { entry, end: endAt(entry).end };
      texts.push({ bytes: memory, from: start, to: Math.max(start, reached.end - from - comma.length) });
    }
  }

  #readEntries(from: number, count: number): Promise<Buffer> {
    return readAll(this.#paths.index, from * entryBytes, Buffer.allocUnsafe(count * entryBytes));
  }

  async #sizes(): Promise<{ readonly text: number; readonly index: number } | undefined> {
    const [text, index] = await Promise.all([this.#paths.text, this.#paths.index].map((path) => stat(path).catch(() => undefined)));
    return text && index && { text: text.size, index: index.size };
  }

  /** No more is written to it for now, nor read. */
  async close(): Promise<void> {
    const files = this.#writing,
      reading = this.#reading;
    this.#writing = this.#reading = undefined;
    if (reading) for (const file of [reading.index, reading.text]) closeSync(file);
    if (files) await Promise.all([files.text.close(), files.index.close()]);
  }

  async remove(): Promise<void> {
    await this.close();
    await Promise.all([this.#paths.text, this.#paths.index].map((path) => rm(path, { force: true })));
  }
}

async function openBoth(paths: { readonly text: string; readonly index: string }, flags: "r+" | "w+"): Promise<Files> {
  const text = await open(paths.text, flags, ownerOnly);
  try {
    return { text, index: await open(paths.index, flags, ownerOnly) };
  } catch (error) {
    await text.close();
    throw error;
  }
}

function openForReading(paths: { readonly text: string; readonly index: string }): OpenFiles {
  const index = openSync(paths.index, "r");
  try {
    return { index, text: openSync(paths.text, "r") };
  } catch (error) {
    closeSync(index);
    throw error;
  }
}

async function writeAll(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let at = 0; at < bytes.length;) at += (await file.write(bytes, at, bytes.length - at, position + at)).bytesWritten;
}

/** All of `bytes`. */
function readNow(file: number, position: number, bytes: Buffer): Buffer {
  const { length } = bytes;
  for (let at = 0; at < length;) {
    const read = readSync(file, bytes, at, length - at, position + at);
    if (read === 0) throw new PrintedDamaged(`a file ends before byte ${position + length}`);
    at += read;
  }
  return bytes;
}

async function readAll(path: string, position: number, bytes: Buffer): Promise<Buffer> {
  const file = await open(path, "r"),
    { length } = bytes;
  try {
    for (let at = 0; at < length;) {
      const { bytesRead } = await file.read(bytes, at, length - at, position + at);
      if (bytesRead === 0) throw new PrintedDamaged(`${path} ends before byte ${position + length}`);
      at += bytesRead;
    }
    return bytes;
  } finally {
    await file.close();
  }
}
