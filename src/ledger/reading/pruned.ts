/** Whether what a reader asks for was pruned. */
import { type LedgerErrorData, type Offset, prunedDataAccessed } from "../model/index.js";

const prunedPhrases = {
  updates: (range: string): string => `Transactions request ${range} precedes`,
  completions: (range: string): string => `Command completions request ${range} overlaps with`,
  outcomes: (range: string): string => `Outcomes request ${range} precedes`,
} as const;

/** A range without offsets asks for nothing that could be gone. `from`: exclusive. */
export function checkNotPruned(
  what: keyof typeof prunedPhrases,
  { from, to }: { readonly from: Offset; readonly to: Offset },
  pruned: Offset,
): LedgerErrorData | undefined {
  return from < pruned && from < to ? prunedDataAccessed(prunedPhrases[what](`from ${from + 1} to ${to}`), pruned) : undefined;
}
