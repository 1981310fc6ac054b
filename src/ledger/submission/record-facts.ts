/** What records of a transaction need that its interpretation does not give, where they may be made before its commit. */
import type { LedgerEnd } from "../commit/index.js";
import type { RecordFacts } from "../interpretation/index.js";
import type { InFlight } from "./in-flight.js";
import type { CommitContext, Submitting } from "./transaction-commit.js";

type Network = Pick<CommitContext, "others" | "synchronizers">;

interface Progress {
  readonly ledgerEnd: Pick<LedgerEnd, "promised">;
  readonly inFlight: Pick<InFlight, "underWay">;
}

/** Records are not made early of what others may see. */
export const mayConcernOthers = ({ others, synchronizers }: Network): boolean => others.length > 0 || synchronizers.all.length > 1;

/** Of the offset that a command is likely to get, behind all that are under way. */
export const offsetDigits = ({ ledgerEnd, inFlight }: Progress): number => String(ledgerEnd.promised + inFlight.underWay).length;

export function recordFacts(
  { submission, submissionId, changeKey, deduplication }: Submitting,
  context: Network & Progress,
): RecordFacts | undefined {
  if (mayConcernOthers(context)) return undefined;
  const { userId, commandId, workflowId, trace } = submission;
  return {
    userId,
    commandId,
    submissionId,
    workflowId,
    trace,
    deduplication,
    changeKey,
    synchronizerIdJson: context.synchronizers.idJson(0),
    offsetDigits: offsetDigits(context),
  };
}
