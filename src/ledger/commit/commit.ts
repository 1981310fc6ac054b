/**
 * The only writer. Jobs of all participants wait in a queue; a group of them is applied one after the other and becomes one LMDB
 * transaction with one flush. A large job has steps, between which others have their turn on the event loop, but no other job in the
 * group. While
 * a group is flushed the next one gathers. After the flush the ledger ends move, then
 * the jobs' callers hear of it: nothing is visible or acknowledged before it is durable.
 */
import { assert, AssertionFailure } from "../../base/assert.js";
import { elapsedMs, type Clock } from "../../base/clock.js";
import { Ending } from "../../base/damage.js";
import { stackOf } from "../../base/error-text.js";
import type { Log } from "../../base/log.js";
import { fail, ok } from "../../base/result.js";
import type { Spans } from "../../base/spans.js";
import { isInSteps, type Steps } from "../../base/steps.js";
import { nextTurn, type Turns } from "../../base/turns.js";
import { limits } from "../../config.js";
import { RecordWriter, type Store, type WhoWaits, type WrittenAhead } from "../../store/index.js";
import type { CommitGroup, CommitMember } from "./commit-group.js";
import { CommitTransaction } from "./commit-transaction.js";
import { type Answer, type LedgerErrorData, nodeStopped, type Outcome, storageUnavailable } from "../model/index.js";

/**
 * Writes to the group and says what came of it, without awaiting. A throw is a bug: the job fails alone, as if it had never been
 * in the group.
 */
export type CommitJob<T> = (group: CommitGroup) => T;

export interface CommitOptions {
  /** It makes room, so it also goes where there is hardly any. */
  readonly removes?: boolean;
}

export interface SteppedOptions extends CommitOptions {
  /** Of what it is done for. */
  readonly traceparent?: string | null | undefined;
}

/** The same for what may be large, and then goes in steps. */
export type SteppedJob<T> = (group: CommitGroup) => T | Steps<T>;

/** What a job may do that reads nothing but what is in memory. */
export interface PlainOptions {
  /** Whether its caller may hear of it before readers find it. */
  readonly isToldEarly: boolean;
  /** Of one who hears of it with the readers: whether he need not hear of it soon. */
  readonly isPatient?: boolean;
}

interface Queued {
  readonly removes: boolean;
  /** Undefined: it reads what is in the file. */
  readonly plain?: PlainOptions | undefined;
  /** Of a job in steps the rest is left. */
  run(transaction: CommitTransaction): Steps<void> | undefined;
  resolve(): void;
  /** Nothing of the group is recorded. */
  refuse(why: LedgerErrorData): void;
  reject(error: unknown): void;
  readonly traceparent?: string | null | undefined;
  /** By `performance.now()`, where somebody wants spans. */
  readonly sinceMs: number;
}

/** A class, as commands are many: what each of them keeps is one object instead of a closure for each that may become of it. */
class PromisedJob<T> implements Queued {
  readonly promise: Answer<T>;
  readonly #member: CommitMember;
  /** Until it ran, as it runs once. */
  #job: ((group: CommitGroup) => T | Steps<T>) | undefined;
  readonly #isInSteps: ((done: T | Steps<T>) => done is Steps<T>) | undefined;
  #outcome: T | undefined;
  #settle!: (result: Outcome<T>) => void;
  #reject!: (error: unknown) => void;
  sinceMs = 0;

  constructor(
    member: CommitMember,
    job: (group: CommitGroup) => T | Steps<T>,
    readonly removes: boolean,
    readonly traceparent?: string | null,
    readonly plain?: PlainOptions,
    isInSteps?: (done: T | Steps<T>) => done is Steps<T>,
  ) {
    this.#member = member;
    this.#job = job;
    this.#isInSteps = isInSteps;
    this.promise = new Promise((settle, reject) => {
      this.#settle = settle;
      this.#reject = reject;
    });
  }

  run(transaction: CommitTransaction): Steps<void> | undefined {
    const job = this.#job;
    assert(job, "a job runs once");
    this.#job = undefined;
    const done = job(transaction.groupOf(this.#member));
    if (this.#isInSteps?.(done) === true) return this.#rest(done);
    this.#outcome = done as T;
    return undefined;
  }
  *#rest(steps: Steps<T>): Steps<void> {
    this.#outcome = yield* steps;
  }

  resolve(): void {
    this.#settle(ok(this.#outcome as T));
  }
  refuse(why: LedgerErrorData): void {
    this.#settle(fail(why));
  }
  reject(error: unknown): void {
    this.#reject(error);
  }
}

export interface CommitQueueOptions {
  readonly store: Pick<Store, "refresh">;
  readonly clock: Pick<Clock, "nowMicros">;
  readonly log: Log;
  /** Shared with whatever else runs on this thread. */
  readonly turns: Turns;
  readonly spans?: Spans | undefined;
  /** How many jobs are likely to be asked for in a moment. */
  readonly coming?: (() => number) | undefined;
}

/** The commits of one participant. */
export class Committer {
  readonly #queue: CommitQueue;
  readonly member: CommitMember;

  constructor(queue: CommitQueue, member: CommitMember) {
    this.#queue = queue;
    this.member = member;
    queue.join(member);
  }

  /** Resolves with the job's outcome once it is durable; that the storage cannot be written is an answer too. */
  commit<T>(job: CommitJob<T>, { removes = false }: CommitOptions = {}): Answer<T> {
    return this.#queue.enqueue(new PromisedJob<T>(this.member, job, removes));
  }

  /** Of what needs no file to be applied: it is durable sooner, and what comes after it does not wait for the file. */
  commitPlain<T>(job: CommitJob<T>, plain: PlainOptions, traceparent?: string | null): Answer<T> {
    return this.#queue.enqueue(new PromisedJob<T>(this.member, job, false, traceparent, plain));
  }

  commitInSteps<T extends object>(job: SteppedJob<T>, { removes = false, traceparent }: SteppedOptions = {}): Answer<T> {
    return this.#queue.enqueue(new PromisedJob<T>(this.member, job, removes, traceparent, undefined, isInSteps));
  }
}

/** The commits of all participants of a store, in one order. */
export class CommitQueue {
  readonly #options: CommitQueueOptions;
  readonly #turns: Turns;
  /** Of all groups, one after the other: memory that V8 sees come and go makes it collect more often. */
  readonly #writer = new RecordWriter(limits.commitChunkBytes);
  #queue: Queued[] = [];
  /** Of the groups under way. */
  #running: Promise<void> | undefined;
  /** Goes on with what waits for more. */
  #gathered: (() => void) | undefined;
  #closed = false;
  /** The process ends: what is on disk cannot be served any more, and nothing more is written. */
  #isLost = false;
  #refusedAtMs: number | undefined;
  /** Of the last that was recorded. */
  #recordTime = 0n;
  /** What is durable and not in the file yet, in its order. */
  #ahead: CommitTransaction[] = [];
  /** Resolves when the file has all that was ahead of it, or with false. */
  #inFile = Promise.resolve(true);
  #hurry: (who: WhoWaits) => void = () => undefined;

  constructor(options: CommitQueueOptions) {
    this.#options = options;
    this.#turns = options.turns;
  }

  /** Somebody waits for a commit. */
  get isBusy(): boolean {
    return this.#running !== undefined;
  }

  /** When the storage refused the last that was to be recorded, by `elapsedMs`; undefined: it took that. */
  get refusedAtMs(): number | undefined {
    return this.#refusedAtMs;
  }

  join({ ledgerEnd: { recordTime } }: CommitMember): void {
    if (recordTime > this.#recordTime) this.#recordTime = recordTime;
  }

  enqueue<T>(job: PromisedJob<T>): Answer<T> {
    if (this.#options.spans !== undefined) job.sinceMs = performance.now();
    if (this.#closed) job.refuse(this.#isLost ? storageUnavailable() : nodeStopped());
    else {
      this.#queue.push(job);
      if (this.#running === undefined) this.#running = this.#run();
      else if (this.#gathered !== undefined && !this.#areMoreComing()) this.#gathered();
    }
    return job.promise;
  }

  async #run(): Promise<void> {
    await nextTurn();
    while (this.#queue.length > 0) {
      if (this.#areMoreComing()) await this.#gather();
      await this.#runGroup(this.#nextGroup());
    }
    this.#running = undefined;
  }

  #areMoreComing(): boolean {
    const coming = this.#options.coming?.() ?? 0;
    return coming >= limits.groupCommitComingTimes * this.#queue.length;
  }

  /** A flush takes as long for few as for many, and the many would stand behind it. */
  #gather(): Promise<void> {
    return new Promise((resolve) => {
      this.#gathered = () => {
        this.#gathered = undefined;
        clearTimeout(timer);
        setImmediate(resolve); // those who come together ask one after the other
      };
      const timer = setTimeout(this.#gathered, limits.groupCommitWaitMs);
    });
  }

  /** What removes goes apart from what adds, which may be refused for want of room; what needs no file from what does. */
  #nextGroup(): readonly Queued[] {
    const { removes, plain } = this.#queue[0]!,
      isOther = (job: Queued): boolean => job.removes !== removes || (job.plain === undefined) !== (plain === undefined),
      other = this.#queue.findIndex(isOther);
    return this.#queue.splice(0, Math.min(limits.groupCommitSubmissionsMax, other < 0 ? this.#queue.length : other));
  }

  /** Its callers are told in the end that it is durable, before the next group begins. */
  async #runGroup(queued: readonly Queued[]): Promise<void> {
    const { clock, log, spans } = this.#options,
      goesAhead = this.#mayGoAhead(queued);
    if (this.#isLost || (!goesAhead && this.#ahead.length > 0 && !(await this.#isCaughtUp()))) {
      for (const job of queued) job.refuse(storageUnavailable());
      return;
    }
    const transaction = new CommitTransaction(clock, this.#writer, this.#recordTime, this.#ahead),
      start = transaction.savepoint();
    const jobs: Queued[] = [];
    for (const job of queued) {
      const isDone = this.#runJob(job, transaction);
      if (typeof isDone === "boolean" ? isDone : await isDone) jobs.push(job);
    }
    let writtenMs = 0;
    try {
      await this.#turns.through(transaction.finish());
      if (spans !== undefined) writtenMs = performance.now();
      if (goesAhead && transaction.batch.size > 0) {
        const ahead = await transaction.batch.flushAhead();
        if (ahead !== undefined) {
          this.#goAhead(transaction, jobs, ahead);
          return;
        }
        if (!(await this.#isCaughtUp())) throw new Error("the file cannot be written any more");
      }
      await transaction.batch.flush({ removes: queued[0]!.removes });
    } catch (error) {
      transaction.backTo(start);
      const isBug = error instanceof AssertionFailure;
      log.error(isBug ? "a commit failed before it was written" : "the storage refused a commit", {
        error: stackOf(error),
        jobs: jobs.length,
      });
      if (error instanceof Ending) this.#lose();
      // The journal may have what met its end on its way there: then a start finds it, and nobody is told that it is not recorded.
      if (error instanceof Ending && goesAhead) return;
      if (!isBug) this.#refusedAtMs = elapsedMs();
      for (const job of jobs) {
        if (isBug) job.reject(error);
        else job.refuse(storageUnavailable());
      }
      return;
    }
    this.#recordTime = transaction.recordTime;
    this.#refusedAtMs = undefined;
    this.#publish(transaction);
    if (spans !== undefined) tellSpans(spans, jobs, writtenMs);
    for (const job of jobs) job.resolve();
  }

  /** For many at once the file's flushes cost each of them less than to be written twice. */
  #mayGoAhead(queued: readonly Queued[]): boolean {
    if (queued[0]!.plain === undefined || queued.length > limits.journalSubmissionsMax) return false;
    return this.#ahead.length > 0 || queued.some(({ plain }) => plain!.isToldEarly);
  }

  #publish(transaction: CommitTransaction): void {
    this.#options.store.refresh();
    transaction.publish();
  }

  /** It is durable: the next group goes on behind it, while the file gets it. */
  #goAhead(transaction: CommitTransaction, jobs: readonly Queued[], { inFile, hurry }: WrittenAhead): void {
    this.#recordTime = transaction.recordTime;
    this.#refusedAtMs = undefined;
    this.#ahead = [...this.#ahead, transaction];
    transaction.promise(() => hurry("reader"));
    this.#hurry = hurry;
    if (jobs.some(({ plain }) => !plain!.isToldEarly && plain!.isPatient !== true)) hurry("reader");
    const tell = (isEarly: boolean): void => {
      for (const job of jobs) if (job.plain!.isToldEarly === isEarly) job.resolve();
    };
    const publish = (): true => {
      this.#ahead = this.#ahead.slice(1);
      this.#publish(transaction);
      tell(false);
      return true;
    };
    // The process ends then: of what is durable nobody is told that it is done, and nobody that it was refused.
    this.#inFile = inFile.then(publish, () => this.#lose());
    tell(true);
  }

  #lose(): false {
    this.#closed = this.#isLost = true;
    return false;
  }

  /** Once the file has what was ahead of it; false: it never will, and the process ends. */
  #isCaughtUp(): Promise<boolean> {
    this.#hurry("commit");
    return this.#inFile;
  }

  /** False when it failed: then nothing of it is in the group. */
  #runJob(job: Queued, transaction: CommitTransaction): boolean | Promise<boolean> {
    const before = transaction.savepoint();
    const failed = (error: unknown): false => {
      transaction.backTo(before);
      this.#options.log.error("a part of a commit failed before it was written", {
        error: stackOf(error),
      });
      job.reject(error);
      return false;
    };
    try {
      const steps = job.run(transaction),
        isOneStep = steps === undefined || steps.next().done === true;
      return isOneStep || this.#turns.through(steps).then(() => true, failed);
    } catch (error) {
      return failed(error);
    }
  }

  /** Waits for what is queued; later commits are refused. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#running;
    await this.#isCaughtUp();
    assert(this.#queue.length === 0, "a closed committer has nothing left");
  }
}

function tellSpans(spans: Spans, jobs: readonly Queued[], writtenMs: number): void {
  const durableMs = performance.now();
  for (const { traceparent, sinceMs } of jobs) {
    spans.step("commit", traceparent, sinceMs, writtenMs);
    spans.step("flush", traceparent, writtenMs, durableMs);
  }
}
