/** What becomes of jobs whose thread gave no answers to them. */
import { limits } from "../config.js";
import { fromEngineError, type LedgerErrorData } from "../ledger/index.js";
import { interpretationError } from "../lf/index.js";
import { isUsed, runningIndex } from "./batch-progress.js";
import type { Job } from "./job.js";
import { hadTooLittleMemory } from "./threads.js";
import { isThrownByTask } from "./thrown.js";
import type { Watchdog } from "./watchdog.js";

export interface FailedBatch {
  readonly answered: readonly Pick<Job, "deadlineMs" | "timesLost" | "forgetsConstants">[];
  readonly watchdog: Pick<Watchdog, "hasBarked" | "progress">;
}

export type Verdict =
  /** Each alone; `isLost`: with its thread. */
  | { readonly kind: "again"; readonly isLost: boolean; readonly forgetsConstants: boolean }
  /** It took more than it may, at this part of it. */
  | { readonly kind: "stopped"; readonly error: LedgerErrorData; readonly part: number }
  /** The error is all that is known. */
  | { readonly kind: "failed" };

/**
 * Who is to blame is known when one ran too long, or alone: of what a task throws, as of a lost thread, others in its message are
 * innocent, and nothing has had an effect yet. Alone, who takes no more than it may is asked again: the thread may have been lost by
 * itself. So is who had too little memory where others had been before, and what they left is forgotten first: whether a command is
 * refused must not depend on others. What a task throws alone it would throw again.
 */
export function verdictOf({ answered, watchdog }: FailedBatch, error: unknown): Verdict {
  const isLost = !isThrownByTask(error);
  if (answered.length > 1) return { kind: "again", isLost, forgetsConstants: false };
  const { deadlineMs, timesLost = 0, forgetsConstants = false } = answered[0]!,
    part = runningIndex(watchdog.progress) ?? 0,
    isAmongOthers = isUsed(watchdog.progress) || part > 0;
  if (watchdog.hasBarked) return { kind: "stopped", error: deadlineExceeded(deadlineMs), part };
  if (hadTooLittleMemory(error))
    return isAmongOthers && !forgetsConstants
      ? { kind: "again", isLost, forgetsConstants: true }
      : { kind: "stopped", error: memoryExceeded(), part };
  return isLost && timesLost < limits.threadsLostMax ? { kind: "again", isLost, forgetsConstants: isAmongOthers } : { kind: "failed" };
}

const limitExceeded = (message: string, limit: string): LedgerErrorData =>
  fromEngineError(interpretationError("LimitExceeded", message, { limit }));
const deadlineExceeded = (deadlineMs: number): LedgerErrorData =>
  limitExceeded(`Interpretation took more than ${deadlineMs} ms and was stopped.`, "interpretDeadlineMs");
const memoryExceeded = (): LedgerErrorData =>
  limitExceeded(`Interpretation needed more than ${limits.workerOldGenerationMb} MB and was stopped.`, "workerOldGenerationMb");
