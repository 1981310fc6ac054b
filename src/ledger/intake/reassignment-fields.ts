/** What may be asked of a reassignment, before it is held against the ledger. */
import {
  hexBytes,
  invalidArgument,
  invalidField,
  isContractIdText,
  type LedgerErrorData,
  ledgerStringProblem,
  missingField,
  missingUserId,
  ofSubmission,
  type Party,
  partyProblem,
  type TraceContext,
  uniqueIdentifierProblem,
  userIdProblem,
  whileRouting,
} from "../model/index.js";

export interface Unassign {
  readonly kind: "unassign";
  readonly contractId: string;
  readonly source: string;
  readonly target: string;
}
export interface Assign {
  readonly kind: "assign";
  readonly reassignmentId: string;
  readonly source: string;
  readonly target: string;
}
export type ReassignmentCommand = Unassign | Assign | { readonly kind: "empty" };

export interface ReassignmentSubmission {
  readonly userId: string;
  readonly commandId: string;
  readonly submissionId: string;
  readonly workflowId: string;
  readonly submitter: Party;
  readonly trace: TraceContext;
  readonly commands: readonly ReassignmentCommand[];
}

type Problem = LedgerErrorData | undefined;

/** Field rules in the order of Canton's `CommandsValidator`, then those of its `ReassignmentCommandsBatch`. */
export function checkReassignment(submission: ReassignmentSubmission): LedgerErrorData | undefined {
  const malformed = checkFields(submission);
  if (malformed) return ofSubmission(malformed, submission.submissionId);
  const batch = batchProblem(submission.commands);
  return batch === undefined ? undefined : reassignmentRefused(batch);
}

export const reassignmentRefused = (reason: string): LedgerErrorData => whileRouting(invalidArgument(reason));

function checkFields({ userId, commandId, submissionId, workflowId, submitter, commands }: ReassignmentSubmission): Problem {
  if (userId === "") return missingUserId();
  const problem =
    field("submitter", partyProblem(submitter))
    ?? field("user_id", userIdProblem(userId))
    ?? field("command_id", ledgerStringProblem(commandId))
    ?? field("submission_id", ledgerStringProblem(submissionId))
    ?? field("workflow_id", workflowId === "" ? undefined : ledgerStringProblem(workflowId));
  return problem ?? firstProblem(commands, checkCommand);
}

function checkCommand(command: ReassignmentCommand): Problem {
  if (command.kind === "empty") return missingField("command");
  const problem = checkSynchronizer("source", command.source) ?? checkSynchronizer("target", command.target);
  if (problem) return problem;
  if (command.kind === "assign")
    return isReassignmentId(command.reassignmentId) ? undefined : invalidField("reassignment_id", "Invalid reassignment ID");
  if (command.contractId === "") return missingField("contract_id");
  return isContractIdText(command.contractId) ? undefined : invalidField("contract_id", `cannot parse ContractId "${command.contractId}"`);
}

const field = (name: string, problem: string | undefined): Problem => (problem === undefined ? undefined : invalidField(name, problem));
const checkSynchronizer = (name: string, id: string): Problem =>
  id === "" ? missingField(name) : field(name, uniqueIdentifierProblem(id));

/** A version byte, 00 so far, and a hash, whose length nobody looks at. */
const isReassignmentId = (text: string): boolean => hexBytes(text)?.[0] === 0;

/** Either one assignment, or unassignments from one synchronizer to one other. */
function batchProblem([first, ...others]: readonly ReassignmentCommand[]): string | undefined {
  const invalid = (why: string): string => `The batch of reassignment commands was invalid: ${why}`;
  if (first === undefined) return invalid("no commands");
  if (first.kind !== "unassign") return others.length === 0 ? undefined : invalid("mixed assign with other commands");
  for (const other of others) {
    if (other.kind !== "unassign") return invalid("mixed assign with other commands");
    if (other.source !== first.source || other.target !== first.target) return invalid("differing synchronizers");
  }
  return undefined;
}

function firstProblem<T>(items: readonly T[], check: (item: T) => Problem): Problem {
  for (const item of items) {
    const problem = check(item);
    if (problem) return problem;
  }
  return undefined;
}
