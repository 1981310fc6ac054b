/** Attends to one trigger: looks what is due, has it done, and remembers what failed. */
import { microsOf, microsPerSecond } from "../../base/clock.js";
import { stackOf } from "../../base/error-text.js";
import type { Log } from "../../base/log.js";
import { isFailure, type Result } from "../../base/result.js";
import { limits } from "../../config.js";
import type { LedgerErrorData, Offset } from "../../ledger/index.js";
import { isLost, type Submitted, type Submitter, takenCodes, wasTaken } from "../submitter.js";
import { Retries } from "./retries.js";
import type { Economy, Task, Trigger } from "./trigger.js";

export interface AttendantOptions {
  readonly trigger: Trigger;
  readonly submitter: Submitter;
  /** Ledger time. */
  readonly nowMicros: () => bigint;
  readonly log: Log;
  readonly observe?: ((trigger: string, outcome: string, lagSeconds: number) => void) | undefined;
}

export interface Moment {
  /** Ledger time when the turn began, and the node's clock then. */
  readonly now: bigint;
  readonly ms: number;
  readonly ledgerEnd: Offset;
  /** Somebody waits until nothing is due. */
  readonly isAwaited: boolean;
  /** He waits, and but for what rests nothing is. */
  readonly isLast: boolean;
}

export interface Attended {
  readonly hasActed: boolean;
  /** Something is left that was not tried yet. */
  readonly hasUntried: boolean;
  /** Ledger time at which more falls due though nothing happens. */
  readonly nextAt: bigint | undefined;
}

interface Look {
  readonly now: bigint;
  readonly ledgerEnd: Offset;
  readonly ms: number;
  /** What is due next, as it said then. */
  readonly nextAt: bigint | undefined;
}

type Problem = Pick<LedgerErrorData, "code" | "cause" | "resources"> & Partial<Pick<LedgerErrorData, "category">>;
type Attempt = "done" | "nothing left" | Problem;

const microsPerMilli = 1_000;

export class Attendant {
  readonly #options: AttendantOptions;
  readonly #retries = new Retries();
  /** The last; undefined: there may be more to do than it said. */
  #look: Look | undefined;
  /** Until when it does not look, as it looked for long and had nothing to do: there may be many contracts that are nobody's here. */
  #spareUntilMs = 0;
  #obstacle: string | undefined;

  constructor(options: AttendantOptions) {
    this.#options = options;
  }

  /** When something that failed may be tried again; Infinity: nothing failed. */
  retryAtMs(): number {
    return this.#retries.nextMs();
  }

  async attend(economy: Economy, moment: Moment): Promise<Attended> {
    if (this.#isResting(moment)) return { hasActed: false, hasUntried: false, nextAt: this.#look?.nextAt };
    try {
      return await this.#attend(economy, moment);
    } catch (error) {
      // a bug of ours; the node serves others
      const {
          log,
          trigger: { name },
        } = this.#options,
        waitMs = this.#retries.failed(name, performance.now());
      log.error("a trigger of automation threw", { trigger: name, error: stackOf(error), waitMs });
      return { hasActed: false, hasUntried: false, nextAt: undefined };
    }
  }

  #isResting({ now, ledgerEnd, isAwaited, isLast }: Moment): boolean {
    const nowMs = performance.now(),
      { name, restSeconds = 0, restsAnyway } = this.#options.trigger;
    if (this.#retries.isWaiting(name, nowMs) || (!isAwaited && nowMs < this.#spareUntilMs)) return true;
    const look = this.#look;
    if (look === undefined || this.retryAtMs() <= nowMs || (look.nextAt !== undefined && now >= look.nextAt)) return false;
    const isSameLedger = ledgerEnd === look.ledgerEnd;
    // What another's failure woke us for need not make all look at all that there is.
    if (isSameLedger && !isAwaited && nowMs < look.ms + limits.automationIdleMs) return true;
    // What came since the look may have fallen due: who waits until nothing is due is not told so before it was seen.
    return now < look.now + microsOf(restSeconds) && (isSameLedger || !isLast || restsAnyway === true);
  }

  async #attend(economy: Economy, moment: Moment): Promise<Attended> {
    const { now, ledgerEnd } = moment,
      ms = performance.now(),
      isWaiting = (key: string): boolean => this.#retries.isWaiting(key, ms);
    const { tasks, nextAt, isSequential, obstacle } = await this.#options.trigger.due(economy, now, isWaiting),
      lookedMs = performance.now();
    this.#tell(obstacle);
    this.#retries.keep(new Set(tasks.flatMap(({ key, keys = [key] }) => keys)), ms);
    // Those that came to nothing before do not keep the others waiting.
    const untried = tasks.filter(({ key }) => !isWaiting(key)).sort((a, b) => this.#retries.inVain(a.key) - this.#retries.inVain(b.key));
    const chosen = untried.slice(0, limits.automationTasksMax);
    let hasActed = false;
    for (const task of chosen) {
      if (this.#retries.isWaiting(task.key, ms)) continue; // another of the same key failed just now
      if (await this.#act(task, moment)) hasActed = true;
      if (hasActed && isSequential) break;
    }
    const hasUntried = untried.slice(chosen.length).some(({ key }) => this.#retries.inVain(key) === 0);
    // What is left of a trigger that rests is done in the next turn.
    this.#look = hasActed || hasUntried || this.#isOvertaken(moment) ? undefined : { now, ledgerEnd, ms, nextAt };
    this.#spareUntilMs = hasActed || hasUntried ? 0 : lookedMs + (lookedMs - ms) * limits.automationSparingMin;
    return { hasActed, hasUntried, nextAt };
  }

  /** Whether anything was done. Of a batch that is refused as much is done as can be, in a few attempts. */
  async #act(task: Task, moment: Moment): Promise<boolean> {
    let hasActed = false,
      halvings = limits.automationHalvingsMax;
    const left = [task];
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const attempt = await this.#attempt(next);
      if (attempt === "nothing left") this.#retries.skipped(next.key);
      else if (attempt === "done") {
        hasActed = true;
        this.#observe(next, moment, "ok");
        this.#retries.succeeded(next.key, performance.now());
      } else if (next.halves && halvings > 0 && mayBeOfOne(attempt)) {
        halvings--;
        left.unshift(...next.halves());
        this.#options.log.debug("automation halves what was refused", { trigger: this.#options.trigger.name, code: attempt.code });
      } else this.#failed(next, moment, attempt);
    }
    return hasActed;
  }

  async #attempt(task: Task): Promise<Attempt> {
    const { key, instead } = task,
      {
        trigger: { name },
        submitter,
        log,
      } = this.#options;
    let done = await this.#submit(task);
    // Wallets pay from the same holdings meanwhile: with what is left now it may go. A batch is made of what there was.
    const attemptsMax = task.halves ? 1 : limits.paymentAttemptsMax;
    for (let attempt = 1; attempt < attemptsMax && done && isFailure(done) && wasTaken(done.error, key); attempt++)
      done = await this.#submit(task);
    const other = done && isFailure(done) ? instead?.(done.error) : undefined;
    if (other !== undefined) done = await submitter.submit(other);
    if (done === undefined) return "nothing left";
    const problem = isFailure(done) ? done.error : undone(task.problemOf?.(done.ok));
    if (problem === undefined) log.debug("automation did what was due", { trigger: name, offset: done.ok?.offset });
    return problem ?? "done";
  }

  /** Whether somebody moved time since the turn began: further than it goes by itself, and than what failed would wait. */
  #isOvertaken({ now, ms }: Moment): boolean {
    const passedMs = performance.now() - ms;
    return this.#options.nowMicros() - now > BigInt(Math.ceil((passedMs + limits.automationRetryMs) * microsPerMilli));
  }

  #failed(task: Task, moment: Moment, problem: Problem): void {
    const { key, keys = [key] } = task,
      { trigger, log } = this.#options,
      nowMs = performance.now();
    this.#observe(task, moment, problem.code);
    if (this.#isOvertaken(moment)) {
      // It was made for a time that is over: in that of now it may go.
      for (const each of keys) this.#retries.skipped(each);
      log.debug("automation was overtaken by time", { trigger: trigger.name, about: key, code: problem.code, cause: problem.cause });
      return;
    }
    const waitMs = Math.max(...keys.map((each) => this.#retries.failed(each, nowMs)));
    const fields = { trigger: trigger.name, about: key, code: problem.code, cause: problem.cause, waitMs };
    if (isLost(problem, key)) log.debug("automation came too late", fields);
    else log.warn("automation failed and will try again", fields);
  }

  #observe({ since }: Task, { now }: Moment, outcome: string): void {
    this.#options.observe?.(this.#options.trigger.name, outcome, Number(now - since) / Number(microsPerSecond));
  }

  /** Undefined: there is nothing left to do. */
  async #submit({ submission }: Task): Promise<Result<Submitted, LedgerErrorData> | undefined> {
    const made = await submission();
    return made && this.#options.submitter.submit(made);
  }

  #tell(obstacle: string | undefined): void {
    const {
        log,
        trigger: { name },
      } = this.#options,
      isNew = obstacle !== this.#obstacle;
    if (obstacle !== undefined && isNew) log.warn("automation cannot do what is due", { trigger: name, reason: obstacle });
    this.#obstacle = obstacle;
  }
}

/** What went through and did nothing, as what failed is told. */
const undone = (cause: string | undefined): Problem | undefined =>
  cause === undefined ? undefined : { code: "NOT_DONE", cause, resources: [] };

/** Whether it may be about one contract of many: an overloaded node, or one that stops, refuses whatever it is asked. */
const mayBeOfOne = ({ category, code }: Problem): boolean => takenCodes.has(code) || category === undefined || category > lastOfTheNode;
/** Of Canton's categories of errors those before are of the node's state: that it is overloaded, or in a hurry. */
const lastOfTheNode = 3;
