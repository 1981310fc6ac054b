/** A command's way to an offset: places in flight, interpretation, commit of what came of it. */
export { Acceptances } from "./acceptances.js";
export { answeredEarly } from "./answered-early.js";
export { AutomaticAssignments } from "./automatic-assignments.js";
export { commitInterpreted, type Telling, type Told, toldLate, toldOf } from "./commit-interpreted.js";
export { InFlight, type Place } from "./in-flight.js";
export { ledgerTimeTolerance, ledgerTimeTooFar, waitFor } from "./ledger-time.js";
export { type ReassigningContext, Reassignments } from "./reassignments.js";
export { findRoute, readableOn, type Route } from "./routing.js";
export { lackedBy, lackText, seenBy } from "./hosted-vetting.js";
export { fromInterpretFailure, notVetted } from "./selection-errors.js";
export type { EarlierRefusal } from "./contention.js";
export { perhapsPrescribed, prescribedBy } from "./prescription.js";
export { recordFacts } from "./record-facts.js";
export { acceptanceOf, duplicateProblem, unknowablePeriod } from "./repetition.js";
export {
  bringTogether,
  informeesOf,
  isChosenAgain,
  recordRejection,
  type SubmissionContext,
  Submissions,
  unknownPartiesProblem,
} from "./submission.js";
export { type Submitted, type ToBeRead, type UnreadSubmission, UnreadSubmissions } from "./unread-submissions.js";
export { type CommitOutcome, type ExternallySigned, type Submitting } from "./transaction-commit.js";
