/** Goes through runs in the order of their entries. */
import { type RunKey, type Table, unseal } from "../../store/index.js";
import { bucketVersion, EntryPlace, type HashedKeys } from "./entries.js";
import type { RunShape } from "./run-list.js";

/** One run, from a bucket on. It is at an entry from its first `next` on, until that is false. */
export class RunCursor extends EntryPlace {
  readonly #table: Table<RunKey>;
  readonly #run: RunShape;
  #bucket: number;

  constructor(table: Table<RunKey>, run: RunShape, kind: HashedKeys, firstBucket = 0) {
    super(kind);
    this.#table = table;
    this.#run = run;
    this.#bucket = firstBucket;
  }

  override next(): boolean {
    if (this.record.length > 0 && super.next()) return true;
    while (this.#bucket < this.#run.buckets) {
      const key = { run: this.#run.number, part: this.#bucket++ },
        record = this.#table.read(key);
      if (record !== undefined && this.begin(unseal(record, bucketVersion, this.#table.name, key))) return true;
    }
    return false;
  }
}

/** Several as one: of a key only the newest. */
export class NewestEntries {
  /** From the newest on, each at an entry. */
  #cursors: RunCursor[];
  #current: RunCursor | undefined;

  /** `cursors`: from the newest on, before their first entries. */
  constructor(cursors: readonly RunCursor[], isWanted: (entry: EntryPlace) => boolean = () => true) {
    this.#cursors = cursors.filter((cursor) => {
      let isThere = cursor.next();
      while (isThere && !isWanted(cursor)) isThere = cursor.next();
      return isThere;
    });
  }

  /** It is valid until the next. */
  next(): EntryPlace | undefined {
    const last = this.#current;
    if (last !== undefined && !last.next()) this.#leave(last);
    let first: RunCursor | undefined;
    for (let index = 0; index < this.#cursors.length; index++) {
      const cursor = this.#cursors[index]!;
      if (first === undefined) {
        first = cursor;
        continue;
      }
      const order = cursor.compare(first);
      if (order < 0) first = cursor;
      else if (order === 0) {
        // A newer run has the key, too.
        if (!cursor.next()) this.#leave(cursor);
        index--; // once more, where it is now, or the one that is in its place
      }
    }
    this.#current = first;
    return first;
  }

  #leave(gone: RunCursor): void {
    this.#cursors = this.#cursors.filter((cursor) => cursor !== gone);
  }
}
