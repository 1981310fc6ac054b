/** Keeping what is there: pruning, verification, backup. */
export { type Backup, backUpLedger } from "./backup.js";
export { pruneLedger } from "./prune-ledger.js";
export { Pruning } from "./pruning.js";
export { type Progress, verifyLedger, type VerifyReport } from "./verify.js";
