/**
 * The only writer. Jobs wait in a queue; a group of them is applied in one turn of the event loop and so becomes one LMDB
 * transaction with one flush. While it is flushed the next group gathers. After the flush the ledger end moves, then
 * the jobs' callers hear of it: nothing is visible or acknowledged before it is durable.
 */
import { assert, AssertionFailure } from "../base/assert.js";
import type { Clock } from "../base/clock.js";
import type { Log } from "../base/log.js";
import { fail, ok, type Result } from "../base/result.js";
import { limits } from "../config.js";
import type { Store } from "../store/index.js";
import { CommitGroup } from "./commit-group.js";
import { storageUnavailable } from "./errors.js";
import type { LedgerEnd } from "./ledger-end.js";
import type { LedgerErrorData } from "./model.js";
import type { TemplateNames } from "./template-names.js";

/**
 * Writes to the group and says what came of it, without awaiting. A throw is a bug: the job fails alone, as if it had never been
 * in the group.
 */
export type CommitJob<T> = (group: CommitGroup) => T;

export interface CommitOptions {
  /** It makes room, so it also goes where there is hardly any. */
  readonly removes?: boolean;
}

interface Queued {
  readonly removes: boolean;
  readonly run: (group: CommitGroup) => void;
  readonly resolve: () => void;
  /** The storage refused to write; nothing of the group is recorded. */
  readonly refuse: () => void;
  readonly reject: (error: unknown) => void;
}

export interface CommitterOptions {
  readonly store: Store;
  readonly ledgerEnd: LedgerEnd;
  readonly templates: TemplateNames;
  readonly parties: { readonly count: number };
  readonly clock: Pick<Clock, "nowMicros">;
  readonly log: Log;
}

export class Committer {
  readonly #options: CommitterOptions;
  #queue: Queued[] = [];
  #isRunning = false;
  #closed = false;

  constructor(options: CommitterOptions) { this.#options = options; }

  /** Resolves with the job's outcome once it is durable; that the storage cannot be written is an answer too. */
  commit<T>(job: CommitJob<T>, { removes = false }: CommitOptions = {}): Promise<Result<T, LedgerErrorData>> {
    if (this.#closed) return Promise.resolve(fail(storageUnavailable()));
    return new Promise((resolve, reject) => {
      let outcome: T;
      this.#queue.push({ removes, run: (group) => { outcome = job(group); }, resolve: () => resolve(ok(outcome)), refuse: () => resolve(fail(storageUnavailable())), reject });
      if (!this.#isRunning) {
        this.#isRunning = true;
        setImmediate(() => void this.#run());
      }
    });
  }

  async #run(): Promise<void> {
    while (this.#queue.length > 0) await this.#runGroup(this.#nextGroup());
    this.#isRunning = false;
  }

  /** What removes goes apart from what adds, which may be refused for want of room. */
  #nextGroup(): readonly Queued[] {
    const { removes } = this.#queue[0]!, other = this.#queue.findIndex((job) => job.removes !== removes);
    return this.#queue.splice(0, Math.min(limits.groupCommitSubmissionsMax, other < 0 ? this.#queue.length : other));
  }

  async #runGroup(queued: readonly Queued[]): Promise<void> {
    const { store, ledgerEnd, templates, parties, clock, log } = this.#options, partiesBefore = parties.count;
    const group = new CommitGroup(store.tables, templates, ledgerEnd, clock), start = group.savepoint();
    const jobs = queued.filter((job) => this.#runJob(job, group));
    try {
      group.writeMarks();
      await group.batch.flush({ removes: queued[0]!.removes });
    } catch (error) {
      group.backTo(start);
      log.error("the storage refused a commit", { error: String(error), jobs: jobs.length });
      for (const job of jobs) { if (error instanceof AssertionFailure) job.reject(error); else job.refuse(); }
      return;
    }
    store.refresh();
    if (group.offset > ledgerEnd.offset) ledgerEnd.advance(group.offset, group.recordTime, parties.count > partiesBefore ? "all" : group.parties);
    for (const job of jobs) job.resolve();
  }

  /** False when it failed: then nothing of it is in the group. */
  #runJob(job: Queued, group: CommitGroup): boolean {
    const before = group.savepoint();
    try {
      job.run(group);
      return true;
    } catch (error) {
      group.backTo(before);
      this.#options.log.error("a part of a commit failed before it was written", { error: error instanceof Error ? error.stack ?? error.message : String(error) });
      job.reject(error);
      return false;
    }
  }

  /** Waits for what is queued; later commits are refused. */
  async close(): Promise<void> {
    this.#closed = true;
    while (this.#isRunning) await new Promise((resolve) => setImmediate(resolve));
    assert(this.#queue.length === 0, "a closed committer has nothing left");
  }
}
