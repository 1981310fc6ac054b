/** Reads updates by offset; keeps those read again lately, as most readers want the same recent ones. */
import { BoundedMap } from "../../base/bounded-map.js";
import { damaged } from "../../base/damage.js";
import { limits } from "../../config.js";
import { placeText, type Tables } from "../../store/index.js";
import type { Offset } from "../model/index.js";
import { LargeRecords } from "./large-records.js";
import { type LoggedRecord, recordBytesMax, UpdateCache } from "./update-cache.js";
import { UpdateKinds } from "./update-kinds.js";
import { type FoundRecord, UpdateStretch } from "./update-stretch.js";
import { PartyLists, textStartOf, unsealUpdate, UpdateMarks, type UpdateRecord } from "../records/index.js";

export class UpdateLog {
  readonly #tables: Pick<Tables, "updates">;
  readonly #cache = new UpdateCache();
  readonly #large: LargeRecords;
  readonly #parties = new PartyLists();
  readonly #kinds = new UpdateKinds(this.#parties);
  readonly #stretch: UpdateStretch;
  /** Of which neighbours some were read, by their number. */
  readonly #read = new BoundedMap<number, true>(limits.updateNeighboursReadMax);
  /** Where the record lies that was read for passing last, by itself. */
  #passing: Buffer = Buffer.alloc(0);

  constructor(tables: Pick<Tables, "updates">, pruning: { readonly offset: Offset }) {
    this.#tables = tables;
    this.#large = new LargeRecords(pruning);
    this.#stretch = new UpdateStretch(tables);
  }

  /** Whether anybody read of these neighbours before; from now on somebody did. */
  wasRead(neighbours: number): boolean {
    if (this.#read.has(neighbours)) return true;
    this.#read.set(neighbours, true);
    return false;
  }

  /** For one who goes from update to update. */
  reader(): LogReader {
    return new LogReader(this);
  }

  /** What is in memory of an offset. */
  kept(offset: Offset): LoggedRecord | undefined {
    return this.#cache.find(offset) ?? this.#large.find(offset);
  }

  /** From the file, and kept from now on. */
  read(offset: Offset): LoggedRecord | undefined {
    const record = this.#unsealed(offset);
    if (record === undefined) return undefined;
    if (this.#cache.takes(record)) return this.#cache.add(offset, record, textStartOf(record), this.#kinds.of(record));
    const large = this.#copied(record);
    this.#large.add(offset, large);
    return large;
  }

  /**
   * The same without keeping it, which would drive out what others read: it lies there until the next one is read so, by whomever.
   * `isNear`: those behind it are likely to be asked for next.
   */
  readPassing(offset: Offset, isNear: boolean): LoggedRecord | undefined {
    const found = isNear ? this.#stretch.find(offset) : undefined;
    if (found !== undefined) return this.#logged(found);
    const record = this.#unsealed(offset);
    if (record === undefined) return undefined;
    if (!this.#cache.takes(record)) return this.#copied(record);
    if (this.#passing.length === 0) this.#passing = Buffer.allocUnsafeSlow(recordBytesMax);
    this.#passing.set(record, 0);
    return this.#logged({ bytes: this.#passing, head: 0, end: record.length });
  }

  #copied(record: Buffer): LoggedRecord {
    return this.#logged({ bytes: Buffer.from(record), head: 0, end: record.length });
  }

  #logged({ bytes, head, end }: FoundRecord): LoggedRecord {
    return { bytes, head, text: textStartOf(bytes, head), textEnd: end, kind: this.#kinds.of(bytes, head) };
  }

  /** A view that the next read of any table overwrites. */
  #unsealed(offset: Offset): Buffer | undefined {
    const record = this.#tables.updates.readShared(offset);
    return record && unsealUpdate(record, offset);
  }

  /** Undefined where the offset has no update (a rejection, or nothing). */
  find(offset: Offset): UpdateMarks | undefined {
    const record = this.kept(offset) ?? this.read(offset);
    return record && this.marksOf(record);
  }

  /** Of an offset at which others say that there is one. */
  get(offset: Offset): UpdateMarks {
    const update = this.find(offset);
    if (update === undefined) throw damaged(placeText("updates", { offset }), nothingThere);
    return update;
  }

  marksOf({ bytes, head, text }: LoggedRecord): UpdateMarks {
    return new UpdateMarks(bytes, head, this.#parties, text);
  }

  /** For who needs it beyond this turn of the event loop, as what is kept of it may be overwritten in a later one. */
  held(update: UpdateMarks): UpdateMarks {
    return this.isLent(update) ? update.copy(this.#parties) : update;
  }

  /** Whether it lies in memory that may be used again in a later turn of the event loop. */
  isLent({ bytes }: UpdateMarks): boolean {
    return bytes === this.#passing || this.#stretch.owns(bytes) || this.#cache.owns(bytes);
  }

  /** Of what was committed just now: its record need not be in the file. */
  of({ record }: UpdateRecord): UpdateMarks {
    return new UpdateMarks(record, 0, this.#parties);
  }
}

const nothingThere = "an index leads here, but there is no update";

/** So many offsets count as neighbours: whoever reads one of them reads the others. */
const neighbourOffsets = 64;

/**
 * Reads for one who goes from update to update, once. What nobody read before is not kept, as most of it nobody reads again; and who goes
 * through much more than can be kept leaves what others read where it is.
 */
class LogReader {
  readonly #log: UpdateLog;
  /** Of what it went through. */
  #bytes = 0;
  #last: Offset = 0;
  /** Small ones, until now. */
  #steps = 0;
  /** Where it is, and whether others were there before. */
  #neighbours = -1;
  #wasRead = false;
  #isPassing = false;

  constructor(log: UpdateLog) {
    this.#log = log;
  }

  /** Of an offset at which others say that there is an update; what it lies in may be others in a later turn. */
  get(offset: Offset): LoggedRecord {
    this.#moveTo(offset);
    const kept = this.#log.kept(offset);
    this.#isPassing = kept === undefined && (!this.#wasRead || this.#bytes > limits.logReaderKeptBytesMax);
    const record = kept ?? this.#read(offset);
    this.#bytes += record.textEnd - record.text;
    return record;
  }

  #moveTo(offset: Offset): void {
    const step = offset - this.#last,
      neighbours = Math.floor(offset / neighbourOffsets);
    this.#steps = step > 0 && step <= limits.logReaderStepMax ? this.#steps + 1 : 0;
    this.#last = offset;
    if (neighbours === this.#neighbours) return;
    this.#neighbours = neighbours;
    this.#wasRead = this.#log.wasRead(neighbours);
  }

  #read(offset: Offset): LoggedRecord {
    const record = this.#isPassing ? this.#log.readPassing(offset, this.#steps >= limits.logReaderStepsMin) : this.#log.read(offset);
    if (record === undefined) throw damaged(placeText("updates", { offset }), nothingThere);
    return record;
  }

  /** So much of what it goes through it got elsewhere. */
  pass(bytes: number): void {
    this.#bytes += bytes;
  }

  /** Whether what it read last is not kept: it lies where the next one may. */
  get isPassing(): boolean {
    return this.#isPassing;
  }
}

export type { LogReader };
