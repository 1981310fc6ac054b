/** Reads updates by offset; keeps those read lately, as most readers want the same recent ones. */
import { damaged } from "../../base/damage.js";
import { placeText, type Tables } from "../../store/index.js";
import type { Offset } from "../model/index.js";
import { type CachedRecord, UpdateCache } from "./update-cache.js";
import { UpdateKinds } from "./update-kinds.js";
import { PartyLists, textStartOf, unsealUpdate, UpdateMarks, type UpdateRecord } from "../records/index.js";

export class UpdateLog {
  readonly #tables: Pick<Tables, "updates">;
  readonly #cache = new UpdateCache();
  readonly #parties = new PartyLists();
  readonly #kinds = new UpdateKinds();

  constructor(tables: Pick<Tables, "updates">) {
    this.#tables = tables;
  }

  /** What is in memory of an offset. */
  kept(offset: Offset): CachedRecord | undefined {
    return this.#cache.find(offset);
  }

  /** Undefined where the offset has no update (a rejection, or nothing). `found`: what is kept of it. */
  find(offset: Offset, found = this.kept(offset)): UpdateMarks | undefined {
    const update = found ? new UpdateMarks(found.bytes, found.head, this.#parties, found.text) : this.#read(offset);
    if (!update) return undefined;
    if (update.offset !== offset) throw damaged(placeText("updates", { offset }), `the update of offset ${update.offset} lies here`);
    return update;
  }

  /** For who needs it beyond this turn of the event loop, as what is kept of it may be overwritten in a later one. */
  held(update: UpdateMarks): UpdateMarks {
    return this.isKept(update) ? update.copy(this.#parties) : update;
  }

  /** Whether it lies in memory that may be used again in a later turn of the event loop. */
  isKept({ bytes }: UpdateMarks): boolean {
    return this.#cache.owns(bytes);
  }

  /** Of what was committed just now: its record need not be in the file. */
  of({ record }: UpdateRecord): UpdateMarks {
    return new UpdateMarks(record, 0, this.#parties);
  }

  /** Of an offset at which others say that there is one. */
  get(offset: Offset, found = this.kept(offset)): UpdateMarks {
    const update = this.find(offset, found);
    if (!update) throw damaged(placeText("updates", { offset }), "an index leads here, but there is no update");
    return update;
  }

  #read(offset: Offset): UpdateMarks | undefined {
    const record = this.#tables.updates.readShared(offset);
    if (!record) return undefined;
    unsealUpdate(record, offset);
    if (!this.#cache.takes(record)) return new UpdateMarks(Buffer.from(record), 0, this.#parties);
    const kind = this.#kinds.of(new UpdateMarks(record, 0, this.#parties)),
      { bytes, head, text } = this.#cache.add(offset, record, textStartOf(record), kind);
    return new UpdateMarks(bytes, head, this.#parties, text);
  }
}
