/** What a worker reads: records of one pinned commit, without their meaning. Release it as soon as the task is done. */
import { assert } from "../base/assert.js";
import type { PinnedTables, Store } from "./environment.js";
import { offsetMax } from "./keys.js";
import type { Tables } from "./tables.js";

export class SnapshotReader {
  readonly #pinned: PinnedTables;

  private constructor(pinned: PinnedTables) { this.#pinned = pinned; }

  /** Pins the newest commit, which must not be older than `atOffset`. */
  static pin(store: Store, atOffset: number): SnapshotReader {
    const reader = new SnapshotReader(store.pin());
    assert(reader.#has(atOffset) || reader.lastOffset >= atOffset, `a snapshot at ${reader.lastOffset} is not older than the offset asked for, ${atOffset}`);
    return reader;
  }

  get tables(): Tables { return this.#pinned.tables; }
  #has(offset: number): boolean { return offset === 0 || this.tables.completions.has(offset) || this.tables.updates.has(offset); }

  get lastOffset(): number {
    const last = { start: offsetMax, end: 0, limit: 1, reverse: true }, { updates, completions } = this.tables;
    return Math.max(updates.keys(last)[0] ?? 0, completions.keys(last)[0] ?? 0);
  }
  release(): void { this.#pinned.release(); }
}
