/**
 * The engine pool, main side. Submissions that are waiting go to a free thread together, because sending a message costs
 * more than running a small command. A watchdog stands outside: a thread that does not answer in time is terminated and
 * replaced; it holds no lock and writes nothing that others need, so nothing else notices.
 *
 * A command that is slow keeps its thread until its deadline, but others do not wait for it: what came with it in one
 * message is taken back, and while it runs a reserve thread stands in for the one that it holds.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { assert } from "../base/assert.js";
import { Damage, found, Unwritable } from "../base/damage.js";
import type { Log } from "../base/log.js";
import { fail, isFailure, ok } from "../base/result.js";
import type { Spans } from "../base/spans.js";
import { limits } from "../config.js";
import type {
  Disclosed,
  InterfaceViewReply,
  InterfaceViewRequest,
  InterpretRequest,
  PrepareRequest,
  ReplayRequest,
  SignedRequest,
  UnreadOutcome,
  UnreadRequest,
  ValuePosition,
} from "../ledger/engine/index.js";
import { fromEngineError, type Interpreter, ledgerError, type LedgerErrorData } from "../ledger/index.js";
import { type TypeDescription, interpretationError } from "../lf/index.js";
import { isUsed, runningIndex, takeBack, type SharedProgress } from "./batch-progress.js";
import { engineThreadsDefault } from "./engine-threads-default.js";
import type {
  CommandTask,
  DisclosedOutcome,
  NewPackage,
  PackagePair,
  PrepareOutcome,
  ReplayOutcome,
  SignedOutcome,
  UpgradeOutcome,
  WorkerReplies,
  WorkerReply,
  WorkerSettings,
  WorkerTask,
} from "./messages.js";
import { packRequests, unpackedTransaction, unpackOutcomes, type InterpretOutcome, type PlacedRequest } from "./packed-interpretations.js";
import { NoThread, Threads } from "./threads.js";
import type { WorkerEnding, WorkerWarning } from "./warnings.js";
import { Watchdog } from "./watchdog.js";

export interface EnginePoolOptions extends WorkerSettings {
  readonly workers: number | undefined;
  readonly log: Log;
  readonly spans?: Spans | undefined;
  /** The module of its threads, where they know forms of submissions (`thread.ts`). */
  readonly threads?: URL;
}

/** What waits for a free thread. */
type Work = ({ readonly kind: "interpret" } & PlacedRequest) | Exclude<CommandTask, { kind: "interpret" }>;

interface Job {
  readonly work: Work;
  readonly deadlineMs: number;
  /** Only plain interpretations go in batches; and after its batch failed each runs alone, so that only the culprit is blamed. */
  readonly alone: boolean;
  readonly resolve: (reply: never) => void;
  /** Its thread was stopped while it was at this part of it. */
  readonly stopped: (error: LedgerErrorData, part: number) => void;
  readonly reject: (error: unknown) => void;
  /** How often it was lost with a thread. */
  readonly timesLost?: number;
  /** It lacked memory where others had been before: what they left is forgotten first. */
  readonly forgetsConstants?: boolean;
  /** When it began to wait, by `performance.now()`, where somebody wants spans. */
  sinceMs?: number;
}

class DeadlinePassed extends Error {}

const closed = (): Error => new Error("the engine is closed");

type EngineThreads = Threads<WorkerTask, WorkerReply>;
const ping: WorkerTask = { kind: "ping" };

/** The pool as one participant has it. */
export interface ParticipantEngine extends Interpreter {
  /** `added`: those that are not stored yet. */
  checkUpgrades(pairs: readonly PackagePair[], added: readonly NewPackage[]): Promise<UpgradeOutcome>;
}

/** Without saying of whom it is asked as by the first participant. */
export class EnginePool implements ParticipantEngine {
  readonly #threads: EngineThreads;
  readonly #reserve: EngineThreads;
  /**
   * DARs are read elsewhere, by a thread that gives way to all others: a large one must not hold up commands, and its memory goes with the
   * idle thread. Before there are commands a small one does not wait for a thread of its own.
   */
  readonly #darReader: EngineThreads;
  readonly #threadsMax: number;
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

  constructor(options: EnginePoolOptions) {
    const workers = options.workers ?? engineThreadsDefault();
    this.#log = options.log;
    this.#spans = options.spans;
    this.#threadsMax = workers;
    const { dataFolder, contractMode, isOwnProcess = false } = options;
    const workerData: WorkerSettings = { dataFolder, contractMode, isOwnProcess };
    const common = {
      filename: fileURLToPath(options.threads ?? new URL("./worker.js", import.meta.url)),
      workerData,
    };
    this.#threads = new Threads({ ...common, minThreads: workers, maxThreads: workers, atomics: "sync" }, ping);
    this.#reserve = new Threads(
      { ...common, minThreads: 0, maxThreads: limits.reserveThreadsMax, idleTimeout: limits.reserveIdleMs, atomics: "sync" },
      ping,
    );
    const behind: WorkerSettings = { ...workerData, givesWayBy: limits.darReaderNice };
    this.#darReader = new Threads(
      { ...common, workerData: behind, minThreads: 0, maxThreads: 1, idleTimeout: limits.darReaderIdleMs },
      ping,
    );
    for (const pool of this.#pools) {
      pool.on("error", (error: Error) => options.log.warn("an engine worker was replaced", { reason: error.message }));
      pool.on("message", (message: WorkerWarning | WorkerEnding) => {
        if ("ending" in message) {
          const { isDamage, place, problem } = message.ending;
          found(isDamage ? new Damage(place, problem) : new Unwritable(place, problem));
        } else options.log.warn("an engine worker warns", { reason: message.warning });
      });
    }
  }

  get load(): { readonly waiting: number; readonly running: number; readonly runningOnReserve: number; readonly darsWaiting: number } {
    return {
      waiting: this.#waiting.length,
      running: this.#running,
      runningOnReserve: this.#runningOnReserve,
      darsWaiting: this.#darReader.queueSize,
    };
  }

  /** Submissions that threads are at, and no slow ones: most of them ask for a commit in a moment. */
  get submissionsRunning(): number {
    return this.#submissionsRunning;
  }

  get #pools(): readonly EngineThreads[] {
    return [this.#threads, this.#reserve, this.#darReader];
  }

  /** `participant`: its number. */
  of(participant: number): ParticipantEngine {
    return {
      interpret: (request) => this.interpret(request, participant),
      interpretUnread: (unread) => this.interpretUnread(unread, participant),
      prepare: (request) => this.prepare(request, participant),
      replay: (request) => this.replay(request, participant),
      checkDisclosed: (contracts) => this.checkDisclosed(contracts),
      readSigned: (request) => this.readSigned(request),
      readDar: (bytes) => this.readDar(bytes, participant),
      listDar: (bytes) => this.listDar(bytes, participant),
      checkUpgrades: (pairs, added) => this.checkUpgrades(pairs, added, participant),
      computeViews: (requests) => this.computeViews(requests, participant),
      describeTypes: (positions) => this.describeTypes(positions, participant),
      describePackage: (packageId) => this.describePackage(packageId, participant),
    };
  }

  interpret(request: InterpretRequest, participant = 0): Promise<InterpretOutcome> {
    return this.#outcome({ kind: "interpret", participant, request }, false);
  }
  interpretUnread(unread: UnreadRequest, participant = 0): Promise<UnreadOutcome> {
    return new Promise((resolve, reject) => {
      const stopped = (refusal: LedgerErrorData): void => resolve({ refusal });
      this.#add({
        work: { kind: "interpret", participant, unread },
        deadlineMs: limits.interpretDeadlineMs,
        alone: false,
        resolve,
        stopped,
        reject,
      });
    });
  }
  prepare(request: PrepareRequest, participant = 0): Promise<PrepareOutcome> {
    return this.#outcome({ kind: "prepare", participant, request }, true);
  }
  async replay(request: ReplayRequest, participant = 0): Promise<ReplayOutcome> {
    const reply = await this.#outcome<WorkerReplies["replay"]>({ kind: "replay", participant, request }, true);
    return isFailure(reply) ? reply : ok(unpackedTransaction(reply.ok));
  }
  checkDisclosed(contracts: Disclosed): Promise<DisclosedOutcome> {
    return this.#outcome({ kind: "checkDisclosed", contracts }, true);
  }
  readSigned(request: SignedRequest): Promise<SignedOutcome> {
    return this.#outcome({ kind: "readSigned", request }, true);
  }

  #outcome<O>(work: Work, alone: boolean): Promise<O> {
    return new Promise((resolve, reject) => {
      this.#add({ work, deadlineMs: limits.interpretDeadlineMs, alone, resolve, stopped: (error) => resolve(fail(error) as O), reject });
    });
  }

  #add(job: Job): void {
    if (this.#isClosed) return job.reject(closed());
    if (this.#spans !== undefined) job.sinceMs = performance.now();
    this.#waiting.push(job);
    this.#schedule();
  }

  /** `bytes` may be given away. */
  async readDar(bytes: Uint8Array, participant = 0): ReturnType<Interpreter["readDar"]> {
    try {
      return await this.#onDarReader({ kind: "readDar", participant, bytes }, wholeMemory(bytes), this.#readerFor(bytes));
    } catch (error) {
      const message = whyNotRead(error as Error);
      this.#log.warn("a DAR could not be read", { reason: message });
      if (error instanceof NoThread) return fail(ledgerError("SERVICE_NOT_RUNNING", message)); // nothing is wrong with the DAR
      return fail({ phase: "archive", code: "DAR_PARSE_ERROR", class: "LimitExceeded", message });
    }
  }

  /** A warm engine has been asked for commands; and who read other DARs knows most of this one. */
  #readerFor({ byteLength }: Uint8Array): EngineThreads {
    const isForReader = this.#keepsWarm || byteLength > limits.darBytesBeforeReadyMax || this.#darReader.threads.length > 0;
    return isForReader ? this.#darReader : this.#threads;
  }

  /** By the thread that will be asked for upgrades among them. `bytes` may be given away. */
  async listDar(bytes: Uint8Array, participant = 0): ReturnType<Interpreter["listDar"]> {
    try {
      const listed = await this.#onDarReader({ kind: "listDar", participant, bytes }, wholeMemory(bytes));
      return isFailure(listed) ? fail(listed.error.message) : listed;
    } catch (error) {
      return fail(whyNotRead(error as Error));
    }
  }

  checkUpgrades(pairs: readonly PackagePair[], added: readonly NewPackage[], participant = 0): Promise<UpgradeOutcome> {
    return this.#onDarReader({ kind: "checkUpgrades", participant, pairs, added });
  }

  /** Where DARs are read: no command waits for it. */
  describePackage(packageId: string, participant = 0): Promise<WorkerReplies["describePackage"]> {
    return this.#onDarReader({ kind: "describePackage", participant, packageId });
  }

  async #onDarReader<K extends "readDar" | "listDar" | "checkUpgrades" | "describePackage">(
    task: Extract<WorkerTask, { kind: K }>,
    transferList: ArrayBuffer[] = [],
    threads = this.#darReader,
  ): Promise<WorkerReplies[K]> {
    const controller = new AbortController(),
      deadline = setTimeout(() => controller.abort(new DeadlinePassed()), limits.darDeadlineMs).unref();
    try {
      return (await threads.ask(task, controller, transferList)) as WorkerReplies[K];
    } finally {
      clearTimeout(deadline);
    }
  }

  /** Goes through the node's file: what is wrong with it, as a sentence. On a thread that may be held for long. */
  checkFile(): Promise<WorkerReplies["checkFile"]> {
    return this.#reserve.ask({ kind: "checkFile" }, new AbortController()) as Promise<WorkerReplies["checkFile"]>;
  }

  /** A view that takes too long has failed; the others are computed without it. */
  async computeViews(requests: readonly InterfaceViewRequest[], participant = 0): Promise<readonly InterfaceViewReply[]> {
    const replies = new Map<InterfaceViewRequest, InterfaceViewReply>();
    for (;;) {
      const open = requests.filter((request) => !replies.has(request));
      const answer = await this.#views(open, participant);
      if ("stopped" in answer) replies.set(open[answer.part]!, { error: answer.stopped });
      else {
        open.forEach((request, index) => replies.set(request, answer.views[index]!));
        return requests.map((request) => replies.get(request)!);
      }
    }
  }

  describeTypes(positions: readonly ValuePosition[], participant = 0): Promise<readonly (TypeDescription | undefined)[]> {
    return new Promise((resolve, reject) => {
      this.#add({
        work: { kind: "describeTypes", participant, positions },
        deadlineMs: limits.interpretDeadlineMs,
        alone: true,
        resolve,
        stopped: (error) => reject(new Error(error.cause)),
        reject,
      });
    });
  }

  #views(
    requests: readonly InterfaceViewRequest[],
    participant: number,
  ): Promise<{ readonly views: readonly InterfaceViewReply[] } | { readonly stopped: LedgerErrorData; readonly part: number }> {
    return new Promise((resolve, reject) => {
      this.#add({
        work: { kind: "computeViews", participant, requests },
        deadlineMs: limits.viewDeadlineMs,
        alone: true,
        resolve: (views: readonly InterfaceViewReply[]) => resolve({ views }),
        stopped: (stopped, part) => resolve({ stopped, part }),
        reject,
      });
    });
  }

  /** Whenever nothing else is to be done, threads get ready for what is vetted: at the start, and those that replace others. */
  keepWarm(): void {
    this.#keepsWarm = true;
    this.#schedule();
  }

  /** What still waits is rejected: a thread that began with it now would outlive the pool. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#keepsWarm = false;
    for (const job of this.#waiting.splice(0)) job.reject(closed());
    await Promise.race([Promise.all(this.#pools.map(allLoaded)), sleep(limits.workerLoadMaxMs, undefined, { ref: false })]);
    await Promise.all(this.#pools.map((pool) => pool.destroy()));
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
    const isReserve = this.#running >= this.#threadsMax;
    if (isReserve) this.#runningOnReserve++;
    else this.#running++;
    const watchdog = this.#watchdogs.pop() ?? new Watchdog();
    const submissions = jobs[0]!.work.kind === "interpret" ? jobs.length : 0;
    this.#submissionsRunning += submissions;
    /** The only one of them that this thread still answers for. */
    let slow: Job | undefined;
    const onSlow = (): boolean => {
      const index = runningIndex(watchdog.progress) ?? 0;
      if (jobs.length > 1 && !takeBack(watchdog.progress, index)) return false;
      slow = jobs.length > 1 ? jobs[index]! : jobs[0]!;
      this.#slow++;
      this.#submissionsRunning -= submissions;
      this.#waiting.unshift(...jobs.filter((job) => job !== slow));
      this.#schedule();
      return true;
    };
    const beginMs = this.#spans === undefined ? 0 : performance.now();
    let isOn = true;
    const leaveThread = (): void => {
      if (!isOn) return;
      isOn = false;
      watchdog.rest();
      if (!watchdog.isSpent) this.#watchdogs.push(watchdog);
      if (isReserve) this.#runningOnReserve--;
      else this.#running--;
      if (slow !== undefined) this.#slow--;
      else this.#submissionsRunning -= submissions;
    };
    try {
      const progress = watchdog.watch({ deadlineMs: jobs[0]!.deadlineMs, onSlow });
      const reply = await (isReserve ? this.#reserve : this.#threads).ask(taskOf(jobs, progress), watchdog.controller);
      leaveThread();
      // It does not stand still while its answers are looked at; where fewer wait, some more may come in this turn.
      if (this.#waiting.length >= jobs.length) this.#handOut();
      const outcomes = jobs[0]!.work.kind === "interpret" ? unpackOutcomes(reply as WorkerReplies["interpret"]) : [reply];
      if (this.#spans !== undefined) tellSpans(this.#spans, slow === undefined ? jobs : [slow], beginMs);
      jobs.forEach((job, index) => {
        if (slow === undefined || slow === job) job.resolve(outcomes[index] as never);
      });
    } catch (error) {
      this.#onFailure(slow === undefined ? jobs : [slow], watchdog, error as Error & { code?: string });
    } finally {
      leaveThread();
      this.#schedule();
    }
  }

  /**
   * A thread was lost, with the results that it had not sent. Who is to blame is known when one ran too long, or alone. Who takes no
   * more than it may is asked again: the thread may have been lost by itself, and nothing has had an effect yet. So is who had too little
   * memory where others had been before, and what they left is forgotten first: whether a command is refused must not depend on others.
   */
  #onFailure(jobs: readonly Job[], watchdog: Watchdog, error: Error & { code?: string }): void {
    const again = (forgetsConstants = false): void => {
      this.#waiting.unshift(...jobs.map((job) => ({ ...job, alone: true, timesLost: (job.timesLost ?? 0) + 1, forgetsConstants })));
    };
    if (this.#isClosed) return jobs.forEach((job) => job.reject(closed()));
    if (jobs.length > 1) return again();
    const [culprit] = jobs;
    const exceeded = watchdog.hasBarked ? deadlineExceeded(culprit!.deadlineMs) : limitExceededBy(error),
      part = runningIndex(watchdog.progress) ?? 0,
      mayHaveLackedMemory = !watchdog.hasBarked && (isUsed(watchdog.progress) || part > 0),
      isAskedAgain =
        exceeded === undefined
          ? (culprit!.timesLost ?? 0) < limits.threadsLostMax
          : mayHaveLackedMemory && culprit!.forgetsConstants !== true;
    if (isAskedAgain) again(mayHaveLackedMemory);
    else if (exceeded !== undefined) culprit!.stopped(exceeded, part);
    else culprit!.reject(error);
  }

  /** All threads at once, or the idle one would get what was meant for another. Commands that come meanwhile wait for a slice. */
  #warm(): void {
    const { threads } = this.#threads;
    if (threads.every(({ threadId }) => this.#warmThreads.has(threadId))) return;
    this.#running = this.#threadsMax;
    const slice: WorkerTask = { kind: "warm" };
    Promise.all(threads.map(() => this.#threads.ask(slice, new AbortController()) as Promise<WorkerReplies["warm"]>))
      .then((replies) => {
        for (const { threadId, isDone } of replies) if (isDone) this.#warmThreads.add(threadId);
      })
      .catch((error: Error) => {
        if (!this.#keepsWarm) return; // closed meanwhile
        this.#keepsWarm = false;
        this.#log.warn("the engine is not warmed up any more", { reason: error.message });
      })
      .finally(() => {
        this.#running = 0;
        this.#schedule();
      });
  }
}

function tellSpans(spans: Spans, jobs: readonly Job[], beginMs: number): void {
  const endMs = performance.now();
  for (const { work, sinceMs } of jobs) {
    if (!("request" in work) || work.request === undefined || !("traceparent" in work.request)) continue;
    spans.step("queue", work.request.traceparent, sinceMs!, beginMs);
    spans.step("interpret", work.request.traceparent, beginMs, endMs);
  }
}

function taskOf(jobs: readonly Job[], progress: SharedProgress): WorkerTask {
  const requests = jobs.map(({ work }) => work).filter((work) => work.kind === "interpret"),
    [{ work, forgetsConstants = false } = assert(false, "a job") as never] = jobs;
  if (requests.length === jobs.length) return { kind: "interpret", requests: packRequests(requests), progress, forgetsConstants };
  assert(work.kind !== "interpret" && jobs.length === 1, "only plain interpretations go in batches");
  return { ...work, progress, forgetsConstants };
}

/**
 * A thread that is stopped while it loads its modules takes the process with it (Node.js 20: a fatal error in the module
 * loader), so before they are stopped all are let finish. Piscina counts those of its start as ready before they are; to
 * ask others would only make it start more.
 */
async function allLoaded(pool: EngineThreads): Promise<void> {
  if (pool.minThreads > 0) await Promise.allSettled(pool.threads.map(() => pool.ask(ping, new AbortController())));
  while (pool.idleThreads < pool.threads.length) await sleep(5);
}

const whyNotRead = (error: Error): string =>
  error instanceof DeadlinePassed
    ? `reading the DAR took more than ${limits.darDeadlineMs} ms`
    : `reading the DAR failed: ${error.message}`;

/**
 * Memory that holds nothing else is given away, as a copy of a large DAR takes long; then nobody can read it here any more. No
 * bytes are not: all requests without a body share them.
 */
const wholeMemory = ({ buffer, byteLength }: Uint8Array): ArrayBuffer[] =>
  buffer instanceof ArrayBuffer && byteLength > 0 && buffer.byteLength === byteLength ? [buffer] : [];

const limitExceeded = (message: string, limit: string): LedgerErrorData =>
  fromEngineError(interpretationError("LimitExceeded", message, { limit }));
const deadlineExceeded = (deadlineMs: number): LedgerErrorData =>
  limitExceeded(`Interpretation took more than ${deadlineMs} ms and was stopped.`, "interpretDeadlineMs");

/** Undefined when the thread was lost in another way. */
const limitExceededBy = (error: Error & { code?: string }): LedgerErrorData | undefined =>
  error.code === "ERR_WORKER_OUT_OF_MEMORY"
    ? limitExceeded(`Interpretation needed more than ${limits.workerOldGenerationMb} MB and was stopped.`, "workerOldGenerationMb")
    : undefined;
