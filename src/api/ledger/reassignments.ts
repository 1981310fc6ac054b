import { randomUUID } from "node:crypto";
import { fail, ok, type Result } from "../../base/result.js";
import { actAs, type Caller, type RequiredClaim } from "../../auth/index.js";
import type { Ledger, ReassignmentCommand as LedgerCommand, ReassignmentSubmission, UpdateFormatRequest } from "../../ledger/index.js";
import { jsonBody } from "../body.js";
import type { RequestFailure } from "../errors.js";
import { ofSubmission, whileUntraced } from "../failures.js";
import { json, operation } from "../operation.js";
import type { Trace } from "../trace.js";
import { spliced } from "../wire.js";
import { admitCommand, formatProblem } from "./commands.js";
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
    summary: "Moves contracts between synchronizers and answers with the reassignment.",
    claims: ({ body }) => [...reassignmentClaims(body.reassignmentCommands), ...eventFormatClaims(body.eventFormat)],
    admit: admitCommand,
    body: jsonBody(typia.createValidate<SubmitAndWaitForReassignmentRequest>(), typia.createAssert<SubmitAndWaitForReassignmentRequest>()),
    reply: json<JsSubmitAndWaitForReassignmentResponse>(),
    handle: async ({ ledger }, { body, caller, trace, admission }) => {
      const submission = reassignmentOf(body.reassignmentCommands ?? {}, caller, trace),
        format = formatOf(ledger, body.eventFormat);
      if (format.error !== undefined) return fail(ofSubmission(format.error, submission.submissionId));
      const accepted = await ledger.reassign(submission, admission);
      if (accepted.error !== undefined) return fail(ofSubmission(accepted.error, submission.submissionId));
      // What a format hides is not found, though it happened, as a node that asks itself tells it; without one there are no events.
      const reassignment = await ledger.readUpdate({
        by: { updateId: accepted.ok.updateId },
        format: format.ok,
        form: "reassignment",
        emptyWhenHidden: body.eventFormat == null,
      });
      return reassignment.error === undefined
        ? ok(spliced<JsSubmitAndWaitForReassignmentResponse>(`{"reassignment":${reassignment.ok}}`))
        : fail(whileUntraced(reassignment.error));
    },
  }),

  submitReassignmentAsync: operation({
    route: "POST /v2/commands/async/submit-reassignment",
    summary: "Moves contracts between synchronizers; the outcome is a completion.",
    claims: ({ body }) => reassignmentClaims(body.reassignmentCommands),
    admit: admitCommand,
    body: jsonBody(typia.createValidate<SubmitReassignmentRequest>(), typia.createAssert<SubmitReassignmentRequest>()),
    reply: json<SubmitReassignmentResponse>(),
    handle: async ({ ledger }, { body, caller, trace, admission }) => {
      const submission = reassignmentOf(body.reassignmentCommands ?? {}, caller, trace),
        accepted = await ledger.reassignAsync(submission, admission);
      return accepted.error === undefined ? ok({}) : fail(ofSubmission(accepted.error, submission.submissionId));
    },
  }),
};

const reassignmentClaims = (wire: ReassignmentCommands | null | undefined): readonly [RequiredClaim, ...RequiredClaim[]] => [
  { kind: "authenticated" },
  { kind: "user", userId: wire?.userId ?? "" },
  ...actAs([wire?.submitter ?? ""]),
];

function reassignmentOf(wire: ReassignmentCommands, caller: Caller, trace: Trace): ReassignmentSubmission {
  return {
    userId: wire.userId || (caller.userId ?? ""),
    commandId: wire.commandId ?? "",
    submissionId: wire.submissionId || randomUUID(),
    workflowId: wire.workflowId ?? "",
    submitter: wire.submitter ?? "",
    trace: trace.context,
    commands: (wire.commands ?? []).map(commandOf),
  };
}

function commandOf({ command }: ReassignmentCommand): LedgerCommand {
  if (command === undefined || "Empty" in command) return { kind: "empty" };
  if ("AssignCommand" in command) {
    const { reassignmentId = "", source = "", target = "" } = command.AssignCommand.value;
    return { kind: "assign", reassignmentId, source, target };
  }
  const { contractId = "", source = "", target = "" } = command.UnassignCommand.value;
  return { kind: "unassign", contractId, source, target };
}

function formatOf(ledger: Ledger, wire: EventFormat | null | undefined): Result<UpdateFormatRequest, RequestFailure> {
  const none = { includeTransactions: undefined, includeReassignments: undefined, includeTopologyEvents: undefined };
  if (wire == null) return ok(none);
  const asked = { ...none, includeReassignments: eventFormatOf(wire) },
    problem = formatProblem(ledger, asked, "update");
  return problem === undefined ? ok(asked) : fail(problem);
}
