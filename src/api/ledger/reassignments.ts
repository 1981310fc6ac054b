import { declaredBody } from "../body.js";
import { json, later } from "../operation.js";
import type {
  JsSubmitAndWaitForReassignmentResponse,
  SubmitAndWaitForReassignmentRequest,
  SubmitReassignmentRequest,
  SubmitReassignmentResponse,
} from "./types/reassignments.js";

export const reassignmentOperations = {
  submitAndWaitForReassignment: later({
    route: "POST /v2/commands/submit-and-wait-for-reassignment",
    summary: "Moves contracts between synchronizers and answers with the reassignment.",
    body: declaredBody<SubmitAndWaitForReassignmentRequest>(),
    reply: json<JsSubmitAndWaitForReassignmentResponse>(),
  }),

  submitReassignmentAsync: later({
    route: "POST /v2/commands/async/submit-reassignment",
    summary: "Moves contracts between synchronizers; the outcome is a completion.",
    body: declaredBody<SubmitReassignmentRequest>(),
    reply: json<SubmitReassignmentResponse>(),
  }),
};
