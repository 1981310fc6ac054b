/** Tables whose keys are hashes, as sorted runs of packed buckets: they cost the same however large they grow. */
export { findingsOfRuns } from "./check-runs.js";
export { isRunKey, type RunKind } from "./entries.js";
export { OldestRun } from "./oldest-run.js";
export { type Piece, PieceWriter } from "./piece-writer.js";
export {
  bucketsFor,
  decodeSettled,
  encodeSettled,
  isMerging,
  type Merge,
  noRuns,
  piecesOf,
  type Run,
  type RunList,
  type RunSizes,
  type Settled,
  withBegun,
  withMerged,
  withMergesDue,
  withoutLoose,
  withoutRun,
  withRun,
} from "./run-list.js";
export { Runs } from "./runs.js";
export { type SortedEntries, WaitingEntries } from "./waiting-entries.js";
