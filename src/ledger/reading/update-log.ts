/** Reads updates by offset; keeps those read lately, as most readers want the same recent ones. */
import { damaged } from "../../base/damage.js";
import { limits } from "../../config.js";
import { placeText, type Tables } from "../../store/index.js";
import type { Offset } from "../model/index.js";
import { type LoggedRecord, UpdateCache } from "./update-cache.js";
import { type UpdateKind, UpdateKinds } from "./update-kinds.js";
import { offsetOf, PartyLists, textStartOf, unsealUpdate, UpdateMarks, type UpdateRecord } from "../records/index.js";

export class UpdateLog {
  readonly #tables: Pick<Tables, "updates">;
  readonly #cache = new UpdateCache();
  readonly #parties = new PartyLists();
  readonly #kinds = new UpdateKinds(this.#parties);
  /** Where the record lies that was read for passing last. */
  #passing: Buffer = Buffer.alloc(0);

  constructor(tables: Pick<Tables, "updates">) {
    this.#tables = tables;
  }

  /** What is in memory of an offset. */
  kept(offset: Offset): LoggedRecord | undefined {
    return this.#cache.find(offset);
  }

  /** From the file, and kept from now on. */
  read(offset: Offset): LoggedRecord | undefined {
    const record = this.#unsealed(offset);
    if (record === undefined) return undefined;
    const kind = this.#kinds.of(record),
      text = textStartOf(record);
    return this.#cache.takes(record) ? this.#cache.add(offset, record, text, kind) : whole(Buffer.from(record), text, kind);
  }

  /**
   * The same for who goes through more than can be kept, which is not to drive out what others read: it lies there until the next one is
   * read so, by whomever.
   */
  readPassing(offset: Offset): LoggedRecord | undefined {
    const record = this.#unsealed(offset);
    if (record === undefined) return undefined;
    const text = textStartOf(record),
      kind = this.#kinds.of(record);
    if (!this.#cache.takes(record)) return whole(Buffer.from(record), text, kind);
    if (this.#passing.length === 0) this.#passing = Buffer.allocUnsafeSlow(limits.updateCacheChunkBytes);
    this.#passing.set(record, 0);
    return { bytes: this.#passing, head: 0, text, textEnd: record.length, kind };
  }

  /** A view that the next read of any table overwrites. */
  #unsealed(offset: Offset): Buffer | undefined {
    const record = this.#tables.updates.readShared(offset);
    if (record === undefined) return undefined;
    unsealUpdate(record, offset);
    const found = offsetOf(record);
    if (found !== offset) throw damaged(placeText("updates", { offset }), `the update of offset ${found} lies here`);
    return record;
  }

  /** Undefined where the offset has no update (a rejection, or nothing). */
  find(offset: Offset): UpdateMarks | undefined {
    const record = this.kept(offset) ?? this.read(offset);
    return record && this.marksOf(record);
  }

  /** Of an offset at which others say that there is one. */
  get(offset: Offset): UpdateMarks {
    return this.marksOf(this.kept(offset) ?? there(this.read(offset), offset));
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
    return bytes === this.#passing || this.#cache.owns(bytes);
  }

  /** Of what was committed just now: its record need not be in the file. */
  of({ record }: UpdateRecord): UpdateMarks {
    return new UpdateMarks(record, 0, this.#parties);
  }
}

const whole = (bytes: Buffer, text: number, kind: UpdateKind | undefined): LoggedRecord => ({
  bytes,
  head: 0,
  text,
  textEnd: bytes.length,
  kind,
});

function there(record: LoggedRecord | undefined, offset: Offset): LoggedRecord {
  if (record === undefined) throw damaged(placeText("updates", { offset }), "an index leads here, but there is no update");
  return record;
}

/** Reads for one who goes from update to update. Who goes through much more than can be kept leaves what others read where it is. */
export class LogReader {
  readonly #log: UpdateLog;
  /** That were not in memory. */
  #bytes = 0;
  #wasKept = false;

  constructor(log: UpdateLog) {
    this.#log = log;
  }

  /** Of an offset at which others say that there is an update; what it lies in may be others in a later turn, or by the next call. */
  get(offset: Offset): LoggedRecord {
    const kept = this.#log.kept(offset);
    this.#wasKept = kept !== undefined;
    if (kept !== undefined) return kept;
    const isPassing = this.#bytes > limits.logReaderKeptBytesMax,
      record = there(isPassing ? this.#log.readPassing(offset) : this.#log.read(offset), offset);
    this.#bytes += record.textEnd - record.text;
    return record;
  }

  /** Whether what it read last was in memory. */
  get wasKept(): boolean {
    return this.#wasKept;
  }
}
