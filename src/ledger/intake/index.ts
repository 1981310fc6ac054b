/** What a submission says before anything is done about it: its fields and their rules, its change id and whether that was accepted. */
export { AcceptanceIndex, packedAcceptance, settledAcceptancesKey } from "./acceptance-index.js";
export type { Accepted, Admission, CommandSubmission } from "./command-submission.js";
export {
  type Acceptance,
  type ChangeId,
  changeKey,
  changeText,
  decodeAcceptance,
  type DeduplicationTimes,
  duplicateCommand,
  effectivePeriod,
  encodeAcceptance,
  isInside,
  type LongestPeriod,
  longestPeriodOf,
  noPeriod,
  periodProblem,
  readAcceptance,
  signedForMicros,
} from "./deduplication.js";
export { askedLedgerTime, timeText } from "./ledger-time.js";
export { type NamingContext, namingProblem } from "./named-packages.js";
export { factsOfPlain, type PlainSubmission, requestOfPlain, type SubmissionReader } from "./plain-submission.js";
export {
  type Assign,
  checkReassignment,
  type ReassignmentCommand,
  type ReassignmentSubmission,
  reassignmentRefused,
  type Unassign,
} from "./reassignment-fields.js";
export { whileReading, whileRunning } from "./submission-log.js";
export { checkExecution, checkLedgerTime, checkSubmission, refusalOfLarge } from "./submission-fields.js";
