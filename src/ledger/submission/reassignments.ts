/**
 * Moving contracts between synchronizers. This node has one, so that every reassignment ends in the answer that a participant
 * with one synchronizer gives: nothing can leave it, and nothing ever left another one. Nothing is recorded.
 */
import { assert } from "../../base/assert.js";
import {
  hexBytes, invalidArgument, invalidField, isContractIdText, type LedgerErrorData, ledgerStringProblem, missingField,
  missingUserId, ofSubmission, type Party, partyProblem, uniqueIdentifierProblem, userIdProblem, whileRouting,
} from "../model/index.js";

interface Unassign { readonly kind: "unassign"; readonly contractId: string; readonly source: string; readonly target: string }
interface Assign { readonly kind: "assign"; readonly reassignmentId: string; readonly source: string; readonly target: string }
export type ReassignmentCommand = Unassign | Assign | { readonly kind: "empty" };

export interface ReassignmentSubmission {
  readonly userId: string;
  readonly commandId: string;
  readonly submissionId: string;
  readonly workflowId: string;
  readonly submitter: Party;
  readonly commands: readonly ReassignmentCommand[];
}

type Problem = LedgerErrorData | undefined;

/** Field rules in the order of Canton's `CommandsValidator`, then those of its `ReassignmentCommandsBatch`, then what is connected. */
export function refuseReassignment(submission: ReassignmentSubmission, synchronizerId: string): LedgerErrorData {
  const malformed = checkFields(submission);
  if (malformed) return ofSubmission(malformed, submission.submissionId);
  return whileRouting(invalidArgument(batchProblem(submission.commands) ?? connectionProblem(submission.commands[0]!, synchronizerId)));
}

function checkFields({ userId, commandId, submissionId, workflowId, submitter, commands }: ReassignmentSubmission): Problem {
  if (userId === "") return missingUserId();
  const problem = field("submitter", partyProblem(submitter)) ?? field("user_id", userIdProblem(userId)) ?? field("command_id", ledgerStringProblem(commandId))
    ?? field("submission_id", ledgerStringProblem(submissionId)) ?? field("workflow_id", workflowId === "" ? undefined : ledgerStringProblem(workflowId));
  return problem ?? firstProblem(commands, checkCommand);
}

function checkCommand(command: ReassignmentCommand): Problem {
  if (command.kind === "empty") return missingField("command");
  const problem = checkSynchronizer("source", command.source) ?? checkSynchronizer("target", command.target);
  if (problem) return problem;
  if (command.kind === "assign") return isReassignmentId(command.reassignmentId) ? undefined : invalidField("reassignment_id", "Invalid reassignment ID");
  if (command.contractId === "") return missingField("contract_id");
  return isContractIdText(command.contractId) ? undefined : invalidField("contract_id", `cannot parse ContractId "${command.contractId}"`);
}

const field = (name: string, problem: string | undefined): Problem => (problem === undefined ? undefined : invalidField(name, problem));
const checkSynchronizer = (name: string, id: string): Problem => (id === "" ? missingField(name) : field(name, uniqueIdentifierProblem(id)));

/** A version byte, 00 so far, and a hash. */
const isReassignmentId = (text: string): boolean => {
  const bytes = hexBytes(text);
  return bytes !== undefined && bytes.length > 1 && bytes[0] === 0;
};

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

function connectionProblem(command: ReassignmentCommand, synchronizerId: string): string {
  assert(command.kind !== "empty", "an empty command was refused as a field");
  const needed = command.kind === "assign" ? [command.target] : [command.source, command.target];
  const unconnected = needed.find((id) => id !== synchronizerId);
  if (unconnected !== undefined) return `Unable to resolve ${unconnected} to a connected synchronizer`;
  return command.kind === "assign"
    ? `Cannot find reassignment data for reassignment ${command.reassignmentId}: unknown reassignment id`
    : `Cannot unassign contract ${command.contractId}: source and target synchronizers are the same`;
}

function firstProblem<T>(items: readonly T[], check: (item: T) => Problem): Problem {
  for (const item of items) {
    const problem = check(item);
    if (problem) return problem;
  }
  return undefined;
}
