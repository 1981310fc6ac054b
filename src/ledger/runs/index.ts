/** Tables whose keys are hashes, as sorted runs of packed buckets: they cost the same however large they grow. */
export { findingsOfRuns } from "./check-runs.js";
export { isRunKey, type RunKind } from "./entries.js";
export { OldestRun } from "./oldest-run.js";
export { type Piece, PieceWriter } from "./piece-writer.js";
export {
  bucketsFor,
  isMerging,
  type Merge,
  noRuns,
  piecesOf,
  readRunList,
  type Run,
  type RunList,
  type RunSizes,
  withBegun,
  withMerged,
  withMergesDue,
  withoutLoose,
  withoutRun,
  withRun,
  writeRunList,
} from "./run-list.js";
export { Runs } from "./runs.js";
export { type SortedEntries, WaitingEntries } from "./waiting-entries.js";
