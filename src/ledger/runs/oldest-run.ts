/** Whether anything of the oldest run still counts. What is over stays so: none is looked at twice, and one that is not stands for all behind it. */
import type { Steps } from "../../base/steps.js";
import { limits } from "../../config.js";
import { RecordReader } from "../../store/index.js";
import { RunCursor } from "./run-cursor.js";
import type { Run } from "./run-list.js";
import type { Runs } from "./runs.js";

interface Looked {
  readonly run: number;
  /** At the first entry that was not over when it was looked at last. */
  readonly cursor: RunCursor;
}

export class OldestRun<V> {
  readonly #runs: Runs<V>;
  #looked: Looked | undefined;

  constructor(runs: Runs<V>) {
    this.#runs = runs;
  }

  /** Looks at so many more of its entries, at most. */
  *isOver(run: Run, isOver: (value: V) => boolean, entries: number): Steps<boolean> {
    const { kind } = this.#runs,
      cursor = this.#cursorIn(run);
    for (let seen = 1; cursor !== undefined && seen <= entries; seen++) {
      if (seen % limits.commitStepEvents === 0) yield;
      if (!isOver(kind.read(new RecordReader(cursor.record, cursor.valueAt)))) return false;
      if (cursor.next()) continue;
      this.#looked = undefined; // should the run stay, as what removes it is not written, all are looked at again
      return true;
    }
    return cursor === undefined;
  }

  /** Undefined where it has no entry. */
  #cursorIn(run: Run): RunCursor | undefined {
    if (this.#looked?.run === run.number) return this.#looked.cursor;
    const cursor = new RunCursor(this.#runs.table, run, this.#runs.kind);
    if (!cursor.next()) return undefined;
    this.#looked = { run: run.number, cursor };
    return cursor;
  }
}
