/** Attends to one trigger: looks what is due, has it done, and remembers what failed. */
import type { Log } from "../../base/log.js";
import { isFailure, type Result } from "../../base/result.js";
import { limits } from "../../config.js";
import type { LedgerErrorData } from "../../ledger/index.js";
import { type Submitted, type Submitter, wasTaken } from "../submitter.js";
import { Retries } from "./retries.js";
import type { Economy, Task, Trigger } from "./trigger.js";

export interface AttendantOptions {
  readonly trigger: Trigger;
  readonly submitter: Submitter;
  readonly log: Log;
  readonly observe?: ((trigger: string, outcome: string, lagSeconds: number) => void) | undefined;
}

export interface Attended {
  readonly hasActed: boolean;
  /** Ledger time at which more falls due though nothing happens. */
  readonly nextAt: bigint | undefined;
}

const microsPerSecond = 1_000_000n;

export class Attendant {
  readonly #options: AttendantOptions;
  readonly #retries = new Retries();
  /** When it was looked at last, and what is due next as it said then. */
  #look: { readonly at: bigint; readonly nextAt: bigint | undefined } | undefined;
  #obstacle: string | undefined;

  constructor(options: AttendantOptions) {
    this.#options = options;
  }

  /** When something that failed may be tried again; Infinity: nothing failed. */
  retryAtMs(): number {
    return this.#retries.nextMs();
  }

  async attend(economy: Economy, now: bigint): Promise<Attended> {
    if (this.#isResting(now)) return { hasActed: false, nextAt: this.#look?.nextAt };
    try {
      return await this.#attend(economy, now);
    } catch (error) {
      // a bug of ours; the node serves others
      const {
          log,
          trigger: { name },
        } = this.#options,
        waitMs = this.#retries.failed(name, performance.now());
      const told = error instanceof Error ? (error.stack ?? error.message) : String(error);
      log.error("a trigger of automation threw", { trigger: name, error: told, waitMs });
      return { hasActed: false, nextAt: undefined };
    }
  }

  #isResting(now: bigint): boolean {
    const nowMs = performance.now(),
      { name, restSeconds = 0 } = this.#options.trigger;
    if (this.#retries.isWaiting(name, nowMs)) return true;
    const look = this.#look;
    if (look === undefined || this.retryAtMs() <= nowMs) return false;
    return now < look.at + BigInt(restSeconds) * microsPerSecond && (look.nextAt === undefined || now < look.nextAt);
  }

  async #attend(economy: Economy, now: bigint): Promise<Attended> {
    const nowMs = performance.now(),
      isWaiting = (key: string): boolean => this.#retries.isWaiting(key, nowMs);
    const { tasks, nextAt, isSequential, obstacle } = await this.#options.trigger.due(economy, now, isWaiting);
    this.#tell(obstacle);
    this.#retries.keep(new Set(tasks.map(({ key }) => key)), nowMs);
    const untried = tasks.filter(({ key }) => !isWaiting(key));
    let hasActed = false;
    for (const task of untried.slice(0, isSequential ? 1 : limits.automationTasksMax)) if (await this.#act(task, now)) hasActed = true;
    // What is left of a trigger that rests is done in the next turn.
    this.#look = hasActed ? undefined : { at: now, nextAt };
    return { hasActed, nextAt };
  }

  /** Whether it was done. */
  async #act(task: Task, now: bigint): Promise<boolean> {
    const { key, since, instead } = task,
      {
        trigger: { name },
        submitter,
        log,
        observe,
      } = this.#options;
    let done = await this.#submit(task);
    // Wallets pay from the same holdings meanwhile: with what is left now it may go.
    for (let attempt = 1; attempt < limits.paymentAttemptsMax && done && isFailure(done) && wasTaken(done.error, key); attempt++)
      done = await this.#submit(task);
    const other = done && isFailure(done) ? instead?.(done.error) : undefined;
    if (other !== undefined) done = await submitter.submit(other);
    if (done === undefined) return false;
    const problem = isFailure(done) ? done.error : undone(task.problemOf?.(done.ok));
    observe?.(name, problem?.code ?? "ok", Number(now - since) / Number(microsPerSecond));
    if (problem === undefined) {
      log.debug("automation did what was due", { trigger: name, offset: done.ok?.offset });
      this.#retries.succeeded(key, performance.now());
      return true;
    }
    const waitMs = this.#retries.failed(key, performance.now());
    log.warn("automation failed and will try again", { trigger: name, about: key, code: problem.code, cause: problem.cause, waitMs });
    return false;
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
const undone = (cause: string | undefined) => (cause === undefined ? undefined : { code: "NOT_DONE", cause });
