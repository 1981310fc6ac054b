/** What waits for an engine thread, and what one is at. */
import { assert } from "../base/assert.js";
import type { LedgerErrorData } from "../ledger/index.js";
import { runningIndex, takeBack, type SharedProgress } from "./batch-progress.js";
import type { CommandTask, WorkerTask } from "./messages.js";
import { packRequests, type PlacedRequest } from "./packed-interpretations.js";
import type { Watchdog } from "./watchdog.js";

export type Work = ({ readonly kind: "interpret" } & PlacedRequest) | Exclude<CommandTask, { kind: "interpret" }>;

export interface Job {
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

/** Jobs that went to a thread in one message, while it is at them. */
export class Batch {
  readonly jobs: readonly Job[];
  readonly watchdog: Watchdog;
  readonly isOnReserve: boolean;
  /** How many of them are submissions: all or none. */
  readonly submissions: number;
  isOnThread = true;
  #slow: Job | undefined;

  constructor(jobs: readonly Job[], watchdog: Watchdog, isOnReserve: boolean) {
    this.jobs = jobs;
    this.watchdog = watchdog;
    this.isOnReserve = isOnReserve;
    this.submissions = jobs[0]!.work.kind === "interpret" ? jobs.length : 0;
  }

  get isSlow(): boolean {
    return this.#slow !== undefined;
  }

  /** Those that its thread answers for: a slow one alone. */
  get answered(): readonly Job[] {
    return this.#slow === undefined ? this.jobs : [this.#slow];
  }

  /** The job that runs stays alone. Gives all others, as none has its answer yet; undefined when it ended meanwhile. */
  keepSlow(): readonly Job[] | undefined {
    const { jobs, watchdog } = this,
      index = runningIndex(watchdog.progress) ?? 0;
    if (jobs.length > 1 && !takeBack(watchdog.progress, index)) return undefined;
    const slow = jobs.length > 1 ? jobs[index]! : jobs[0]!;
    this.#slow = slow;
    return jobs.filter((job) => job !== slow);
  }

  /** `replies`: by job, as its thread gave them. */
  answer(replies: readonly unknown[]): void {
    this.jobs.forEach((job, index) => {
      if (this.#slow === undefined || this.#slow === job) job.resolve(replies[index] as never);
    });
  }
}

export function taskOf(jobs: readonly Job[], progress: SharedProgress): WorkerTask {
  const requests = jobs.map(({ work }) => work).filter((work) => work.kind === "interpret"),
    [{ work, forgetsConstants = false } = assert(false, "a job") as never] = jobs;
  if (requests.length === jobs.length) return { kind: "interpret", requests: packRequests(requests), progress, forgetsConstants };
  assert(work.kind !== "interpret" && jobs.length === 1, "only plain interpretations go in batches");
  return { ...work, progress, forgetsConstants };
}
