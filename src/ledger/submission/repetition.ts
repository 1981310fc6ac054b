/** Whether a command was accepted before, in the period for which it asks that it was not. */
import { type Acceptance, type CommandSubmission, duplicateCommand, effectivePeriod, isInside, periodProblem } from "../intake/index.js";
import type { EffectiveDeduplication, LedgerClock, LedgerErrorData, Offset, Party, Synchronizer, Synchronizers } from "../model/index.js";
import type { Acceptances } from "./acceptances.js";
import { toldBy } from "./verdicts.js";

interface RepetitionContext {
  readonly acceptances: Acceptances;
  readonly clock: Pick<LedgerClock, "nowMicros">;
  readonly pruning: { readonly offset: Offset };
  readonly synchronizers: Synchronizers;
}

interface Asking {
  readonly submission: Pick<CommandSubmission, "userId" | "commandId" | "deduplication" | "synchronizerId">;
  readonly actAs: readonly Party[];
  /** The last one of its change. */
  readonly acceptance: Acceptance | undefined;
}

/** As it is now; `deduplication`: as completions tell it. */
export function acceptanceOf(
  { deduplication: period }: Asking["submission"],
  changeKey: string,
  { acceptances, clock, pruning }: Omit<RepetitionContext, "synchronizers">,
): { readonly acceptance: Acceptance | undefined; readonly deduplication: EffectiveDeduplication } {
  const acceptance = acceptances.get(changeKey);
  return { acceptance, deduplication: effectivePeriod(period, acceptance, acceptances.timesAt(clock.nowMicros()), pruning) };
}

/** Where it would be, as far as that is known by then. */
const placeOf = ({ synchronizerId }: Asking["submission"], { synchronizers }: RepetitionContext): Synchronizer =>
  synchronizers.find(synchronizerId) ?? synchronizers.first;

export function duplicateProblem({ submission, actAs, acceptance }: Asking, context: RepetitionContext): LedgerErrorData | undefined {
  const { userId, commandId, deduplication: period } = submission,
    { acceptances, clock } = context;
  return acceptance && isInside(acceptance, period, acceptances.timesAt(clock.nowMicros()))
    ? toldBy(placeOf(submission, context), duplicateCommand({ userId, commandId, actAs }, acceptance))
    : undefined;
}

/** Of one that is no duplicate: whether that can be known for all of the period. */
export function unknowablePeriod({ submission, actAs, acceptance }: Asking, context: RepetitionContext): LedgerErrorData | undefined {
  const { userId, commandId, deduplication: period } = submission,
    { acceptances, clock, pruning } = context;
  const problem = periodProblem(
    { change: { userId, commandId, actAs }, period, acceptance },
    acceptances.timesAt(clock.nowMicros()),
    pruning,
  );
  return problem && toldBy(placeOf(submission, context), problem);
}
