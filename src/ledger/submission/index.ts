/** A command's way to an offset: field rules, change ids, places in flight, interpretation, commit of what came of it. */
export type { Accepted, Admission, CommandSubmission } from "./command-submission.js";
export {
  changeKey, decodeAcceptance, deduplicationMaxMicros, duplicateCommand, effectivePeriod, isInside, periodProblem,
  readAcceptance,
} from "./deduplication.js";
export { InFlight, type Place } from "./in-flight.js";
export { type ReassignmentCommand, type ReassignmentSubmission, refuseReassignment } from "./reassignments.js";
export { fromInterpretFailure, notVetted } from "./selection-errors.js";
export { answeredEarly, askedLedgerTime, reachLedgerTime, type SubmissionContext, Submissions } from "./submission.js";
export { checkSubmission, refusalOfLarge } from "./submission-fields.js";
export { commitRejection, commitTransaction, type ExternallySigned, type Submitting } from "./transaction-commit.js";
