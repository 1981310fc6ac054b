/**
 * Jobs that wait for engine threads. Submissions that are waiting go to a free thread together, because sending a message costs
 * more than running a small command. A watchdog stands outside: a thread that does not answer in time is terminated and
 * replaced; it holds no lock and writes nothing that others need, so nothing else notices.
 *
 * A command that is slow keeps its thread until its deadline, but others do not wait for it: what came with it in one
 * message is taken back, and while it runs a reserve thread stands in for the one that it holds.
 */
import type { Log } from "../base/log.js";
import type { Spans } from "../base/spans.js";
import { limits } from "../config.js";
import { Batch, type Job, taskOf } from "./job.js";
import type { WorkerReplies, WorkerReply, WorkerTask } from "./messages.js";
import { unpackOutcomes } from "./packed-interpretations.js";
import { EngineClosed, StoodStill, type Threads } from "./threads.js";
import { type Verdict, verdictOf } from "./verdict.js";
import { Watchdog } from "./watchdog.js";

export type EngineThreads = Threads<WorkerTask, WorkerReply>;

export interface JobQueueOptions {
  /** So many of them as there may be are always there. */
  readonly threads: EngineThreads;
  readonly threadsMax: number;
  /** They stand in for others that slow jobs hold. */
  readonly reserve: EngineThreads;
  readonly log: Log;
  readonly spans: Spans | undefined;
}

export class JobQueue {
  readonly #threads: EngineThreads;
  readonly #threadsMax: number;
  readonly #reserve: EngineThreads;
  readonly #log: Log;
  readonly #spans: Spans | undefined;
  readonly #watchdogs: Watchdog[] = [];
  #waiting: Job[] = [];
  #running = 0;
  #runningOnReserve = 0;
  /** Of those that run, on whatever thread. */
  #slow = 0;
  #submissionsRunning = 0;
  #scheduled = false;
  #keepsWarm = false;
  #isClosed = false;
  readonly #warmThreads = new Set<number>();

  constructor({ threads, threadsMax, reserve, log, spans }: JobQueueOptions) {
    this.#threads = threads;
    this.#threadsMax = threadsMax;
    this.#reserve = reserve;
    this.#log = log;
    this.#spans = spans;
  }

  get load(): { readonly waiting: number; readonly running: number; readonly runningOnReserve: number } {
    return { waiting: this.#waiting.length, running: this.#running, runningOnReserve: this.#runningOnReserve };
  }

  /** Submissions that threads are at, and no slow ones: most of them ask for a commit in a moment. */
  get submissionsRunning(): number {
    return this.#submissionsRunning;
  }

  add(job: Job): void {
    if (this.#isClosed) return job.reject(new EngineClosed());
    if (this.#spans !== undefined) job.sinceMs = performance.now();
    this.#waiting.push(job);
    this.#schedule();
  }

  /** Whenever nothing else is to be done, threads get ready for what is vetted: at the start, and those that replace others. */
  keepWarm(): void {
    this.#keepsWarm = true;
    this.#schedule();
  }
  get keepsWarm(): boolean {
    return this.#keepsWarm;
  }

  /** What still waits is rejected: a thread that began with it now would outlive its pool. */
  close(): void {
    this.#isClosed = true;
    this.#keepsWarm = false;
    for (const job of this.#waiting.splice(0)) job.reject(new EngineClosed());
  }

  /** Reserve threads stand in for as many as slow commands hold. */
  #free(): number {
    return (
      Math.max(0, this.#threadsMax - this.#running) + Math.max(0, Math.min(this.#slow, limits.reserveThreadsMax) - this.#runningOnReserve)
    );
  }

  /** Waits for the end of the event turn, so that the requests of one turn travel together. */
  #schedule(): void {
    if (this.#scheduled || this.#free() === 0) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#handOut();
      if (this.#keepsWarm && this.#running === 0) this.#warm();
    });
  }

  #handOut(): void {
    while (this.#waiting.length > 0 && this.#free() > 0) void this.#run(this.#takeBatch());
  }

  #takeBatch(): Job[] {
    const fairShare = Math.ceil(this.#waiting.length / this.#free());
    const untilAlone = this.#waiting.findIndex(({ alone }) => alone);
    const size = untilAlone === 0 ? 1 : Math.min(limits.interpretBatchMax, fairShare, untilAlone < 0 ? Infinity : untilAlone);
    return this.#waiting.splice(0, size);
  }

  async #run(jobs: readonly Job[]): Promise<void> {
    const batch = this.#begin(jobs),
      { watchdog } = batch,
      threads = batch.isOnReserve ? this.#reserve : this.#threads;
    const beginMs = this.#spans === undefined ? 0 : performance.now();
    try {
      const progress = watchdog.watch({
        deadlineMs: jobs[0]!.deadlineMs,
        onSlow: () => this.#onSlow(batch),
        isGiven: () => threads.isSettled,
      });
      const reply = await threads.ask(taskOf(jobs, progress), watchdog.controller);
      this.#leaveThread(batch);
      // It does not stand still while its answers are looked at; where fewer wait, some more may come in this turn.
      if (this.#waiting.length >= jobs.length) this.#handOut();
      const outcomes = jobs[0]!.work.kind === "interpret" ? unpackOutcomes(reply as WorkerReplies["interpret"]) : [reply];
      if (this.#spans !== undefined) tellSpans(this.#spans, batch.answered, beginMs);
      batch.answer(outcomes);
    } catch (error) {
      this.#onFailure(batch, error);
    } finally {
      this.#leaveThread(batch);
      this.#schedule();
    }
  }

  #begin(jobs: readonly Job[]): Batch {
    const batch = new Batch(jobs, this.#watchdogs.pop() ?? new Watchdog(), this.#running >= this.#threadsMax);
    if (batch.isOnReserve) this.#runningOnReserve++;
    else this.#running++;
    this.#submissionsRunning += batch.submissions;
    return batch;
  }

  /** False when the slow one ended meanwhile. */
  #onSlow(batch: Batch): boolean {
    const others = batch.keepSlow();
    if (others === undefined) return false;
    this.#slow++;
    this.#submissionsRunning -= batch.submissions;
    this.#waiting.unshift(...others);
    this.#schedule();
    return true;
  }

  /** Once: its thread is there for others before its answers are looked at. */
  #leaveThread(batch: Batch): void {
    if (!batch.isOnThread) return;
    batch.isOnThread = false;
    const { watchdog } = batch;
    watchdog.rest();
    if (!watchdog.isSpent) this.#watchdogs.push(watchdog);
    if (batch.isOnReserve) this.#runningOnReserve--;
    else this.#running--;
    if (batch.isSlow) this.#slow--;
    else this.#submissionsRunning -= batch.submissions;
  }

  /** Of a slow one those that came with it were taken back. */
  #onFailure(batch: Batch, error: unknown): void {
    const { answered: jobs } = batch;
    if (this.#isClosed) return jobs.forEach((job) => job.reject(new EngineClosed()));
    if (error instanceof StoodStill) this.#log.warn("an engine worker was replaced", { reason: error.message });
    const verdict = verdictOf(batch, error);
    switch (verdict.kind) {
      case "again":
        this.#waiting.unshift(...jobs.map((job) => askedAgain(job, verdict)));
        break;
      case "stopped":
        jobs[0]!.stopped(verdict.error, verdict.part);
        break;
      case "failed":
        jobs[0]!.reject(error);
    }
  }

  /** All threads at once, or the idle one would get what was meant for another. Commands that come meanwhile wait for a slice. */
  #warm(): void {
    const { threads } = this.#threads;
    if (threads.every(({ threadId }) => this.#warmThreads.has(threadId))) return;
    this.#running = this.#threadsMax;
    const slice: WorkerTask = { kind: "warm" },
      controllers = threads.map(() => new AbortController()),
      rest = this.#watchWarming(controllers);
    Promise.all(controllers.map((controller) => this.#threads.ask(slice, controller) as Promise<WorkerReplies["warm"]>))
      .then((replies) => {
        for (const { threadId, isDone } of replies) if (isDone) this.#warmThreads.add(threadId);
      })
      .catch((error: Error) => {
        if (!this.#keepsWarm) return; // closed meanwhile
        this.#keepsWarm = false;
        this.#log.warn("the engine is not warmed up any more", { reason: error.message });
      })
      .finally(() => {
        rest();
        this.#running = 0;
        this.#schedule();
      });
  }

  /** Where a slice does not end, for which others wait, reserve threads stand in; ends when it is called. */
  #watchWarming(controllers: readonly AbortController[]): () => void {
    let ranMs = 0,
      slow = 0;
    const timer = setInterval(() => {
      if (!this.#threads.isSettled) return;
      ranMs += limits.slowCommandMs;
      if (ranMs >= limits.darDeadlineMs) return controllers.forEach((controller) => controller.abort(new StoodStill()));
      if (ranMs < limits.threadStandsStillMs || slow > 0) return;
      slow = this.#threadsMax;
      this.#slow += slow;
      this.#schedule();
    }, limits.slowCommandMs);
    return () => {
      clearInterval(timer);
      this.#slow -= slow;
    };
  }
}

const askedAgain = (job: Job, { isLost, forgetsConstants }: Extract<Verdict, { kind: "again" }>): Job => ({
  ...job,
  alone: true,
  timesLost: (job.timesLost ?? 0) + (isLost ? 1 : 0),
  forgetsConstants,
});

function tellSpans(spans: Spans, jobs: readonly Job[], beginMs: number): void {
  const endMs = performance.now();
  for (const { work, sinceMs } of jobs) {
    if (!("request" in work) || work.request === undefined || !("traceparent" in work.request)) continue;
    spans.step("queue", work.request.traceparent, sinceMs!, beginMs);
    spans.step("interpret", work.request.traceparent, beginMs, endMs);
  }
}
