import { randomUUID } from "node:crypto";
import { fail, isFailure } from "../../base/result.js";
import { actAs, type Caller, type RequiredClaim } from "../../auth/index.js";
import type { Ledger, ReassignmentCommand as LedgerCommand, ReassignmentSubmission } from "../../ledger/index.js";
import { jsonBody } from "../body.js";
import type { RequestFailure } from "../errors.js";
import { ofSubmission } from "../failures.js";
import { json, operation } from "../operation.js";
import { formatProblem } from "./commands.js";
import { eventFormatClaims } from "./format-claims.js";
import { eventFormatOf } from "./formats.js";
import type { EventFormat } from "./types/formats.js";
import type {
  JsSubmitAndWaitForReassignmentResponse,
  ReassignmentCommand,
  ReassignmentCommands,
  SubmitAndWaitForReassignmentRequest,
  SubmitReassignmentRequest,
  SubmitReassignmentResponse,
} from "./types/reassignments.js";

export const reassignmentOperations = {
  submitAndWaitForReassignment: operation({
    route: "POST /v2/commands/submit-and-wait-for-reassignment",
    summary: "Moves contracts between synchronizers and answers with the reassignment; this node has one, so it says why not.",
    claims: ({ body }) => [...reassignmentClaims(body.reassignmentCommands), ...eventFormatClaims(body.eventFormat)],
    body: jsonBody(typia.createValidate<SubmitAndWaitForReassignmentRequest>(), typia.createAssert<SubmitAndWaitForReassignmentRequest>()),
    reply: json<JsSubmitAndWaitForReassignmentResponse>(),
    handle: ({ ledger }, { body, caller }) => {
      const submission = reassignmentOf(body.reassignmentCommands ?? {}, caller);
      const malformed = body.eventFormat == null ? undefined : eventFormatProblem(ledger, body.eventFormat);
      return fail(malformed === undefined ? ledger.refuseReassignment(submission) : ofSubmission(malformed, submission.submissionId));
    },
  }),

  submitReassignmentAsync: operation({
    route: "POST /v2/commands/async/submit-reassignment",
    summary: "Moves contracts between synchronizers; this node has one, so it says why not.",
    claims: ({ body }) => reassignmentClaims(body.reassignmentCommands),
    body: jsonBody(typia.createValidate<SubmitReassignmentRequest>(), typia.createAssert<SubmitReassignmentRequest>()),
    reply: json<SubmitReassignmentResponse>(),
    handle: ({ ledger }, { body, caller }) => fail(ledger.refuseReassignment(reassignmentOf(body.reassignmentCommands ?? {}, caller))),
  }),
};

const reassignmentClaims = (wire: ReassignmentCommands | null | undefined): readonly [RequiredClaim, ...RequiredClaim[]] =>
  [{ kind: "authenticated" }, { kind: "user", userId: wire?.userId ?? "" }, ...actAs([wire?.submitter ?? ""])];

function reassignmentOf(wire: ReassignmentCommands, caller: Caller): ReassignmentSubmission {
  return {
    userId: wire.userId || (caller.userId ?? ""),
    commandId: wire.commandId ?? "",
    submissionId: wire.submissionId || randomUUID(),
    workflowId: wire.workflowId ?? "",
    submitter: wire.submitter ?? "",
    commands: (wire.commands ?? []).map(commandOf),
  };
}

function commandOf({ command }: ReassignmentCommand): LedgerCommand {
  if (command == null || "Empty" in command) return { kind: "empty" };
  if ("AssignCommand" in command) {
    const { reassignmentId = "", source = "", target = "" } = command.AssignCommand.value;
    return { kind: "assign", reassignmentId, source, target };
  }
  const { contractId = "", source = "", target = "" } = command.UnassignCommand.value;
  return { kind: "unassign", contractId, source, target };
}

function eventFormatProblem(ledger: Ledger, wire: EventFormat): RequestFailure | undefined {
  const format = eventFormatOf(wire);
  if (isFailure(format)) return format.error;
  return formatProblem(ledger, { includeTransactions: undefined, includeReassignments: format.ok, includeTopologyEvents: undefined }, "update");
}
