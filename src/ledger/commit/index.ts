/** The only writer: groups of jobs, the end of the ledger that they move, small facts kept beside it. */
export { decodeDigest, readHistoryEnd, walkHistory } from "./history.js";
export { type CommitJob, type CommitOptions, CommitQueue, Committer, type SteppedJob } from "./commit.js";
export type { CommitGroup, CommitMember, Place } from "./commit-group.js";
export { contractSettlement } from "./contract-settlement.js";
export { Impediments } from "./impediments.js";
export { type Concerned, LedgerEnd } from "./ledger-end.js";
export { keepNote, readNote } from "./notes.js";
export { OwedWrites } from "./owed-writes.js";
export { readLedgerEnd } from "./read-ledger-end.js";
export { type MergingSizes, usualSizes } from "./run-merging.js";
export { type LateIndex, RunSettlement } from "./run-settlement.js";
