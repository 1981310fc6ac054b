/** Whether a command was accepted before, in the period for which it asks that it was not. */
import { type Acceptance, type CommandSubmission, duplicateCommand, effectivePeriod, isInside, periodProblem } from "../intake/index.js";
import type { EffectiveDeduplication, LedgerClock, LedgerErrorData, Offset, Party } from "../model/index.js";
import type { Acceptances } from "./acceptances.js";

interface RepetitionContext {
  readonly acceptances: Acceptances;
  readonly clock: Pick<LedgerClock, "nowMicros">;
  readonly pruning: { readonly offset: Offset };
}

interface Asking {
  readonly submission: Pick<CommandSubmission, "userId" | "commandId" | "deduplication">;
  readonly actAs: readonly Party[];
  /** The last one of its change. */
  readonly acceptance: Acceptance | undefined;
}

/** As it is now; `deduplication`: as completions tell it. */
export function acceptanceOf(
  { deduplication: period }: Asking["submission"],
  changeKey: string,
  { acceptances, clock, pruning }: RepetitionContext,
): { readonly acceptance: Acceptance | undefined; readonly deduplication: EffectiveDeduplication } {
  const acceptance = acceptances.get(changeKey);
  return { acceptance, deduplication: effectivePeriod(period, acceptance, acceptances.timesAt(clock.nowMicros()), pruning) };
}

export function duplicateProblem({ submission, actAs, acceptance }: Asking, context: RepetitionContext): LedgerErrorData | undefined {
  const { userId, commandId, deduplication: period } = submission,
    { acceptances, clock } = context;
  return acceptance && isInside(acceptance, period, acceptances.timesAt(clock.nowMicros()))
    ? duplicateCommand({ userId, commandId, actAs }, acceptance)
    : undefined;
}

/** Of one that is no duplicate: whether that can be known for all of the period. */
export function unknowablePeriod({ submission, actAs, acceptance }: Asking, context: RepetitionContext): LedgerErrorData | undefined {
  const { userId, commandId, deduplication: period } = submission,
    { acceptances, clock, pruning } = context;
  return periodProblem({ change: { userId, commandId, actAs }, period, acceptance }, acceptances.timesAt(clock.nowMicros()), pruning);
}
