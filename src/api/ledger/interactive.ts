import { declaredBody } from "../body.js";
import { json, later } from "../operation.js";
import type {
  ExecuteSubmissionAndWaitResponse,
  ExecuteSubmissionResponse,
  JsExecuteSubmissionAndWaitForTransactionRequest,
  JsExecuteSubmissionAndWaitForTransactionResponse,
  JsExecuteSubmissionAndWaitRequest,
  JsExecuteSubmissionRequest,
  JsPrepareSubmissionRequest,
  JsPrepareSubmissionResponse,
} from "./types/interactive.js";

export const interactiveOperations = {
  prepare: later({
    route: "POST /v2/interactive-submission/prepare",
    summary: "Interprets commands into a transaction for signing elsewhere.",
    body: declaredBody<JsPrepareSubmissionRequest>(),
    reply: json<JsPrepareSubmissionResponse>(),
  }),

  execute: later({
    route: "POST /v2/interactive-submission/execute",
    summary: "Submits a prepared and signed transaction; its outcome is a completion.",
    body: declaredBody<JsExecuteSubmissionRequest>(),
    reply: json<ExecuteSubmissionResponse>(),
  }),

  executeAndWait: later({
    route: "POST /v2/interactive-submission/executeAndWait",
    summary: "Submits a prepared and signed transaction and waits until it is durable.",
    body: declaredBody<JsExecuteSubmissionAndWaitRequest>(),
    reply: json<ExecuteSubmissionAndWaitResponse>(),
  }),

  executeAndWaitForTransaction: later({
    route: "POST /v2/interactive-submission/executeAndWaitForTransaction",
    summary: "Submits a prepared and signed transaction and answers with it.",
    body: declaredBody<JsExecuteSubmissionAndWaitForTransactionRequest>(),
    reply: json<JsExecuteSubmissionAndWaitForTransactionResponse>(),
  }),
};
