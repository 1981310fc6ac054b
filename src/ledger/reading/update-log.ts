/** Reads updates by offset; keeps those read lately, as most readers want the same recent ones. */
import { damaged } from "../../base/damage.js";
import { placeText, type Tables } from "../../store/index.js";
import type { Offset } from "../model/index.js";
import { UpdateCache } from "./update-cache.js";
import { PartyLists, textStartOf, unsealUpdate, UpdateMarks } from "../records/index.js";

export class UpdateLog {
  readonly #tables: Pick<Tables, "updates">;
  readonly #cache = new UpdateCache();
  readonly #parties = new PartyLists();

  constructor(tables: Pick<Tables, "updates">) {
    this.#tables = tables;
  }

  /** Undefined where the offset has no update (a rejection, or nothing). */
  find(offset: Offset): UpdateMarks | undefined {
    const found = this.#cache.find(offset),
      update = found ? new UpdateMarks(found.bytes, found.head, this.#parties, found.text) : this.#read(offset);
    if (!update) return undefined;
    if (update.offset !== offset) throw damaged(placeText("updates", { offset }), `the update of offset ${update.offset} lies here`);
    return update;
  }

  /** Of an offset at which others say that there is one. */
  get(offset: Offset): UpdateMarks {
    const update = this.find(offset);
    if (!update) throw damaged(placeText("updates", { offset }), "an index leads here, but there is no update");
    return update;
  }

  /** Whether it is in memory. */
  keeps(offset: Offset): boolean {
    return this.#cache.find(offset) !== undefined;
  }

  #read(offset: Offset): UpdateMarks | undefined {
    const record = this.#tables.updates.readShared(offset);
    if (!record) return undefined;
    unsealUpdate(record, offset);
    if (!this.#cache.takes(record)) return new UpdateMarks(Buffer.from(record), 0, this.#parties);
    const { bytes, head, text } = this.#cache.add(offset, record, textStartOf(record));
    return new UpdateMarks(bytes, head, this.#parties, text);
  }
}
