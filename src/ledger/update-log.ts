/** Reads updates by offset; keeps those read lately, as most readers want the same recent ones. */
import { limits } from "../config.js";
import { assert } from "../base/assert.js";
import type { Tables } from "../store/index.js";
import type { Offset } from "./model.js";
import { decodeUpdate, type UpdateMarks } from "./update-record.js";

/** Two generations: when the young one is full it becomes the old one, and what was only in the old one before is dropped. */
export class UpdateLog {
  readonly #tables: Pick<Tables, "updates">;
  #young = new Map<Offset, UpdateMarks>();
  #old = new Map<Offset, UpdateMarks>();
  #youngBytes = 0;

  constructor(tables: Pick<Tables, "updates">) { this.#tables = tables; }

  /** Undefined where the offset has no update (a rejection, or nothing). */
  find(offset: Offset): UpdateMarks | undefined {
    const young = this.#young.get(offset);
    if (young) return young;
    const update = this.#old.get(offset) ?? this.#read(offset);
    if (update) this.#keep(update);
    return update;
  }

  get(offset: Offset): UpdateMarks {
    const update = this.find(offset);
    assert(update, `the update at offset ${offset} exists`);
    return update;
  }

  #read(offset: Offset): UpdateMarks | undefined {
    const record = this.#tables.updates.read(offset);
    return record && decodeUpdate(record, offset);
  }

  #keep(update: UpdateMarks): void {
    // One huge update must not drive out everything else.
    if (update.bytes.length > limits.updateCacheBytesMax / 8) return;
    this.#young.set(update.offset, update);
    this.#youngBytes += update.bytes.length;
    if (this.#youngBytes < limits.updateCacheBytesMax / 2) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#youngBytes = 0;
  }
}
