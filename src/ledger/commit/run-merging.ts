/**
 * Keeps the runs of an index few: those of a level are merged to one of the next. As entries change merges go on, all of them by a piece
 * after so many changes, so that they cost every change the same and are done before the next ones are due. What is merged is removed
 * likewise, and so is the oldest run once nothing of it counts. Each commit says how far merges are: another start goes on there.
 */
import { stackOf } from "../../base/error-text.js";
import type { Exclusive } from "../../base/exclusive.js";
import type { Log } from "../../base/log.js";
import { isFailure, ok } from "../../base/result.js";
import type { Turns } from "../../base/turns.js";
import { limits } from "../../config.js";
import type { RunKey } from "../../store/index.js";
import type { Answer, Offset } from "../model/index.js";
import {
  isMerging,
  OldestRun,
  type RunList,
  type Runs,
  type RunSizes,
  withMerged,
  withMergesDue,
  withoutLoose,
  withoutRun,
} from "../runs/index.js";
import type { CommitGroup } from "./commit-group.js";
import type { Committer } from "./commit.js";

/** An index that is in runs. */
export interface RunIndex<V> {
  readonly runs: Runs<V>;
  /** They have all that came up to here. */
  readonly settledTo: Offset;
  /** Writes both down. */
  tell(group: CommitGroup, settledTo: Offset, list: RunList): void;
  /** What a merge may leave out, of sources that have all that came behind an offset; undefined: nothing. */
  readonly isOver: ((value: V, from: Offset) => boolean) | undefined;
}

export interface MergingSizes extends RunSizes {
  /** After how many changes a merge goes on by a piece. */
  readonly changesPerPiece: number;
  /** How many pieces of a merge one commit may have, when many are due. */
  readonly piecesPerCommit: number;
  /** That are removed for each piece, and each level. */
  readonly recordsPerPiece: number;
  /** Of the oldest run, that are looked at for each piece. */
  readonly entriesPerPiece: number;
}

export const usualSizes: MergingSizes = {
  runsPerLevel: limits.runsPerLevel,
  bucketBytes: limits.runBucketBytes,
  bucketsPerPiece: limits.runBucketsPerPiece,
  changesPerPiece: limits.runChangesPerPiece,
  piecesPerCommit: limits.runPiecesPerCommit,
  recordsPerPiece: limits.runRecordsPerPiece,
  entriesPerPiece: limits.runEntriesPerPiece,
};

/** Beside whoever writes runs of the same index. */
export interface RunWriting {
  /** Held by whoever changes the list of runs. */
  readonly one: Exclusive;
  /** The number of a run that is written part by part, and of use once it is listed. */
  underWay(): number | undefined;
}

export interface RunMergingContext {
  readonly committer: Pick<Committer, "commitPlain">;
  readonly turns: Turns;
  readonly log: Log;
}

/** No run is older than the oldest. */
const fromTheBeginning = 0;

interface RunRecord {
  readonly key: RunKey;
  readonly record: Buffer;
}

export class RunMerging<V> {
  readonly #context: RunMergingContext;
  readonly #index: RunIndex<V>;
  readonly #sizes: MergingSizes;
  readonly #writing: RunWriting;
  readonly #oldest: OldestRun<V>;
  /** What came since the last piece: at first enough, so that also a ledger that is started again and again gets on. */
  #changes: number;
  #running: Promise<void> | undefined;
  #isClosed = false;

  constructor(context: RunMergingContext, index: RunIndex<V>, sizes: MergingSizes, writing: RunWriting) {
    this.#context = context;
    this.#index = index;
    this.#sizes = sizes;
    this.#writing = writing;
    this.#oldest = new OldestRun(index.runs);
    this.#changes = sizes.changesPerPiece;
  }

  /** So many more entries changed. */
  goOn(changes: number): void {
    this.#changes += changes;
    if (this.#changes < this.#sizes.changesPerPiece || this.#running !== undefined || this.#isClosed) return;
    const failed = (error: string): void =>
      this.#context.log.error(`runs of ${this.#index.runs.table.name} are not merged for now`, { error });
    this.#running = this.#writing.one
      .run(() => this.#catchUp())
      .then(
        (done) => isFailure(done) && failed(done.error.cause),
        (error: unknown) => failed(stackOf(error)),
      )
      .then(() => (this.#running = undefined));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#running;
  }

  /** As far as it is due now: a settlement, for which this may have waited, has its turn again behind it. */
  async #catchUp(): Answer<void> {
    const { changesPerPiece, piecesPerCommit } = this.#sizes,
      due = Math.floor(this.#changes / changesPerPiece);
    this.#changes -= due * changesPerPiece;
    for (let left = due; left > 0 && !this.#isClosed; left -= piecesPerCommit) {
      const done = await this.#step(Math.min(left, piecesPerCommit));
      if (isFailure(done)) return done;
    }
    return ok(undefined);
  }

  /** With one commit, of every merge some pieces; and as much is removed, as each level leaves behind what it takes. */
  async #step(pieces: number): Answer<void> {
    const { runs, settledTo } = this.#index,
      written: RunRecord[] = [],
      removed: RunKey[] = [];
    let list = withMergesDue(await this.#withoutOldest(runs.list, pieces), this.#sizes);
    for (const { target } of list.merges) list = await this.#merge(list, target.number, pieces, written);
    list = this.#remove(list, pieces, removed);
    if (list === runs.list && removed.length === 0) return ok(undefined);
    const job = (group: CommitGroup): void => {
      for (const { key, record } of written) group.batch.insert(runs.table, key, record);
      for (const key of removed) group.batch.remove(runs.table, key);
      this.#index.tell(group, settledTo, list);
    };
    const done = await this.#context.committer.commitPlain(job, { isToldEarly: false, isPatient: true });
    if (isFailure(done)) return done;
    runs.adopt(list);
    return done;
  }

  /** Where nothing of it counts any more: it does not wait until there are as many runs as make a merge. */
  async #withoutOldest(list: RunList, pieces: number): Promise<RunList> {
    const { isOver } = this.#index,
      run = list.runs[0];
    if (isOver === undefined || run === undefined || isMerging(list, run)) return list;
    const looked = this.#oldest.isOver(run, (value) => isOver(value, fromTheBeginning), pieces * this.#sizes.entriesPerPiece);
    return (await this.#context.turns.through(looked)) ? withoutRun(list, run) : list;
  }

  /** Gives the list as these pieces leave it. */
  async #merge(before: RunList, number: number, pieces: number, written: RunRecord[]): Promise<RunList> {
    const { runs, isOver } = this.#index;
    let list = before;
    for (let left = pieces; left > 0; left--) {
      const merge = list.merges.find(({ target }) => target.number === number);
      if (merge === undefined) break;
      const piece = await this.#context.turns.through(runs.mergePiece(merge, isOver));
      for (const { part, record } of piece.records) written.push({ key: { run: number, part }, record });
      list = withMerged(list, merge, piece);
    }
    return list;
  }

  /** Of runs that were loose before: what this commit makes loose is still in the list of whoever reads before it is durable. */
  #remove(list: RunList, pieces: number, removed: RunKey[]): RunList {
    const { table, list: known } = this.#index.runs,
      underWay = this.#writing.underWay(),
      levels = 1 + (known.runs[0]?.level ?? 0);
    let left = levels * pieces * this.#sizes.recordsPerPiece,
      after = list;
    for (const run of known.loose) {
      if (left === 0) break;
      if (run === underWay) continue;
      const keys = table.keys({ start: { run, part: 0 }, end: { run: run + 1, part: 0 }, limit: left });
      removed.push(...keys);
      if (keys.length < left) after = withoutLoose(after, run);
      left -= keys.length;
    }
    return after;
  }
}
