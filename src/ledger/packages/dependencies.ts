/**
 * What is vetted needs what it was built with vetted beside it, windows aside; stable packages and those that have only helpers in them are
 * no exceptions. Uploads need no such check: all packages of a DAR are vetted at once, and none of them refers to one that the DAR lacks.
 */
import type { PackageSummary } from "../interpretation/index.js";
import { ledgerError, type LedgerErrorData, setOf } from "../model/index.js";

export interface VettingDifference {
  /** Vetted for no time before. A package whose window alone changes was checked when it came. */
  readonly added: readonly PackageSummary[];
  readonly removed: readonly PackageSummary[];
  readonly staying: readonly PackageSummary[];
}

export function checkDependencies(
  difference: VettingDifference,
  known: (packageId: string) => PackageSummary | undefined,
): LedgerErrorData | undefined {
  const unvetted = new Set([...missingBelowAdded(difference, known), ...removedBelowOthers(difference)]);
  if (unvetted.size === 0) return undefined;
  return ledgerError("TOPOLOGY_DEPENDENCIES_NOT_VETTED", "Package vetting failed due to dependencies not being vetted", {
    context: { unvetted: setOf([...unvetted]) },
  });
}

/** What comes needs everything below it, whoever else was vetted without. */
function missingBelowAdded(
  { added, staying }: VettingDifference,
  known: (packageId: string) => PackageSummary | undefined,
): readonly string[] {
  const vetted = new Set([...added, ...staying].map(({ packageId }) => packageId)),
    needed = new Set(added.map(({ packageId }) => packageId));
  // Grows while it is walked.
  for (const id of needed) for (const dependency of known(id)?.dependencies ?? []) needed.add(dependency);
  return [...needed].filter((id) => !vetted.has(id));
}

/** What goes is looked for directly below what will be vetted: between the two may be what was unvetted before. */
function removedBelowOthers({ added, removed, staying }: VettingDifference): readonly string[] {
  const used = new Set([...added, ...staying].flatMap(({ dependencies }) => dependencies));
  return removed.map(({ packageId }) => packageId).filter((id) => used.has(id));
}
