/** What a worker reads: records of one pinned commit, without their meaning. Release it as soon as the task is done. */
import { assert } from "../base/assert.js";
import type { PinnedTables, Store } from "./environment.js";
import { offsetMax } from "./keys.js";
import type { Tables } from "./tables.js";

export class SnapshotReader {
  readonly #pinned: PinnedTables;
  /** The number of the participant whose tables it reads. */
  readonly set: number;

  private constructor(pinned: PinnedTables, set: number) {
    this.#pinned = pinned;
    this.set = set;
  }

  /** Pins the newest commit, which must not be older than `atOffset`. */
  static pin(store: Store, atOffset: number, set = 0): SnapshotReader { return SnapshotReader.#at(store.pin(), atOffset, set); }

  static #at(pinned: PinnedTables, atOffset: number, set: number): SnapshotReader {
    const reader = new SnapshotReader(pinned, set);
    assert(reader.#has(atOffset) || reader.lastOffset >= atOffset, `a snapshot at ${reader.lastOffset} is not older than the offset asked for, ${atOffset}`);
    return reader;
  }

  /** The same commit, by the tables of another participant. */
  of(set: number, atOffset: number): SnapshotReader { return SnapshotReader.#at(this.#pinned, atOffset, set); }

  get tables(): Tables { return this.#pinned.tablesOf(this.set); }
  #has(offset: number): boolean { return offset === 0 || this.tables.completions.has(offset) || this.tables.updates.has(offset); }

  get lastOffset(): number {
    const last = { start: offsetMax, end: 0, limit: 1, reverse: true }, { updates, completions } = this.tables;
    return Math.max(updates.keys(last)[0] ?? 0, completions.keys(last)[0] ?? 0);
  }
  release(): void { this.#pinned.release(); }
}
