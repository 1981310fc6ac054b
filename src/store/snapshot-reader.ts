/** What a worker reads: records of one pinned commit, without their meaning. Release it as soon as the task is done. */
import { assert } from "../base/assert.js";
import type { PinnedTables, Store } from "./store.js";
import { offsetMax } from "./keys.js";
import type { Tables } from "./tables.js";

export class SnapshotReader {
  readonly #pinned: PinnedTables;
  /** The number of the participant whose tables it reads. */
  readonly set: number;
  /** Of this commit, by participant. */
  readonly #readers: (SnapshotReader | undefined)[];
  /** It is at least as new. */
  #provenOffset = 0;

  private constructor(pinned: PinnedTables, set: number, readers: (SnapshotReader | undefined)[]) {
    this.#pinned = pinned;
    this.set = set;
    this.#readers = readers;
    readers[set] = this;
  }

  /** Pins the newest commit, which must not be older than `atOffset`. */
  static pin(store: Store, atOffset: number, set = 0): SnapshotReader {
    return new SnapshotReader(store.pin(), set, []).#notOlderThan(atOffset);
  }

  /** The same commit, by the tables of another participant, or the same. Asked for each of a batch, so that it looks once. */
  of(set: number, atOffset: number): SnapshotReader {
    return (this.#readers[set] ?? new SnapshotReader(this.#pinned, set, this.#readers)).#notOlderThan(atOffset);
  }

  #notOlderThan(atOffset: number): this {
    if (atOffset <= this.#provenOffset) return this;
    if (!this.#has(atOffset)) {
      const { lastOffset } = this;
      assert(lastOffset >= atOffset, `a snapshot at ${lastOffset} is not older than the offset asked for, ${atOffset}`);
    }
    this.#provenOffset = atOffset;
    return this;
  }

  get tables(): Tables {
    return this.#pinned.tablesOf(this.set);
  }
  #has(offset: number): boolean {
    return this.tables.completions.has(offset) || this.tables.updates.has(offset);
  }

  get lastOffset(): number {
    const last = { start: offsetMax, end: 0, limit: 1, reverse: true },
      { updates, completions } = this.tables;
    return Math.max(updates.keys(last)[0] ?? 0, completions.keys(last)[0] ?? 0);
  }
  release(): void {
    this.#pinned.release();
  }
}
