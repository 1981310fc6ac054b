/** What the reference logs of a submission while it runs it: errors that it makes then carry it in their context. */
import { type ErrorCodeId, instantText, type LedgerErrorData, type LogValue, whileLogging } from "../model/index.js";
import type { CommandSubmission } from "./command-submission.js";
import { askedLength, isoDuration, type LongestPeriod } from "./deduplication.js";

type Logged = Pick<CommandSubmission, "actAs" | "readAs" | "commandId" | "userId" | "workflowId" | "deduplication">;

interface Submitted {
  readonly submissionId: string;
  /** Microseconds. */
  readonly submittedAt: bigint;
  readonly longest: LongestPeriod;
}

/** In the order of the reference, which is that of a hash map (`Commands to LoggingValue`). */
function commandsEntry(submission: Logged, { submissionId, submittedAt, longest }: Submitted): LogValue {
  const actAs = new Set(submission.actAs);
  return {
    readAs: [...new Set(submission.readAs)].filter((party) => !actAs.has(party)),
    deduplicationPeriod: periodEntry(submission.deduplication, longest),
    submittedAt: instantText(submittedAt),
    submissionId: submissionId === "" ? undefined : submissionId,
    actAs: [...actAs],
    commandId: submission.commandId,
    userId: submission.userId,
    workflowId: submission.workflowId === "" ? undefined : submission.workflowId,
  };
}

const periodEntry = (period: Logged["deduplication"], longest: LongestPeriod): LogValue =>
  period.kind === "offset"
    ? { offset: Number(period.offset) || undefined }
    : { duration: isoDuration(period.kind === "none" ? longest : askedLength(period)) };

/** What is wrong about its fields is found before it runs, wherever it shows here. */
const ofFields: ReadonlySet<string> = new Set<ErrorCodeId>(["INVALID_ARGUMENT", "INVALID_FIELD", "MISSING_FIELD"]);

/** What surrounds a submission does not log it. */
export const whileReading = <E extends LedgerErrorData>(error: E): E => (error.origin === undefined ? whileLogging(error) : error);

export const whileRunning = <E extends LedgerErrorData>(error: E, submission: Logged, submitted: Submitted): E =>
  error.origin !== undefined || ofFields.has(error.code)
    ? whileReading(error)
    : whileLogging(error, { commands: commandsEntry(submission, submitted) });
