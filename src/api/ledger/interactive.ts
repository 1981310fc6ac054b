import { fail, isFailure, ok, type Result } from "../../base/result.js";
import { readAs, type RequiredClaim } from "../../auth/index.js";
import {
  type Execution,
  instantText,
  isInRecords,
  type PartySignatures,
  type Preparation,
  submittersOf,
  uniqueIdentifierProblem,
} from "../../ledger/index.js";
import { base64, toBytes } from "../base64.js";
import { type BodyParts, jsonBody, withBase64 } from "../body.js";
import type { RequestFailure } from "../errors.js";
import { invalidField } from "../failures.js";
import { json, operation, type Call, type NoQuery } from "../operation.js";
import { acceptedOf, admitCommand, formatProblem, readTransaction, transactionFormat } from "./commands.js";
import { deduplicationShape } from "./commands-shape.js";
import { toMicroseconds } from "./decoding.js";
import { transactionFormatClaims } from "./format-claims.js";
import { signaturesOf } from "./signatures.js";
import { commandsParts, deduplicationOf, minLedgerTimeOf, preparationOf } from "./submissions.js";
import type {
  CostEstimation,
  ExecuteSubmissionAndWaitResponse,
  ExecuteSubmissionResponse,
  HashingSchemeVersion,
  JsExecuteSubmissionAndWaitForTransactionRequest,
  JsExecuteSubmissionAndWaitForTransactionResponse,
  JsExecuteSubmissionAndWaitRequest,
  JsExecuteSubmissionRequest,
  JsPrepareSubmissionRequest,
  JsPrepareSubmissionResponse,
  SigningAlgorithmSpec,
} from "./types/interactive.js";

type ExecuteRequest = JsExecuteSubmissionRequest | JsExecuteSubmissionAndWaitRequest | JsExecuteSubmissionAndWaitForTransactionRequest;

const { shape, element } = withBase64("preparedTransaction");
const preparedParts: BodyParts = {
  shape: { members: new Map([...shape.members!, ["deduplicationPeriod", deduplicationShape]]) },
  element,
};

export const interactiveOperations = {
  prepare: operation({
    route: "POST /v2/interactive-submission/prepare",
    summary: "Interprets commands into a transaction for signing elsewhere.",
    claims: ({ body }) => [
      { kind: "authenticated" },
      { kind: "user", userId: body.userId ?? "" },
      ...readAs([...new Set([...body.actAs, ...(body.readAs ?? [])])]),
    ],
    admit: admitCommand,
    body: jsonBody(typia.createValidate<JsPrepareSubmissionRequest>(), typia.createAssert<JsPrepareSubmissionRequest>(), commandsParts),
    reply: json<JsPrepareSubmissionResponse>(),
    handle: async ({ ledger }, { body, apart, caller, trace }) => {
      const submission = preparationOf(body, apart, caller, trace);
      if (isFailure(submission)) return submission;
      const hashingSchemeVersion = body.hashingSchemeVersion ?? "HASHING_SCHEME_VERSION_V2",
        hashingScheme = schemes[hashingSchemeVersion];
      const unfit = costProblem(body);
      const prepared = await ledger.interactive.prepare({
        submission: submission.ok,
        maxRecordTime: body.maxRecordTime == null ? undefined : toMicroseconds(body.maxRecordTime),
        hashingScheme,
        verboseHashing: body.verboseHashing === true,
        unfit,
      });
      if (isFailure(prepared)) return prepared;
      return ok({
        preparedTransaction: base64(prepared.ok.transaction),
        preparedTransactionHash: base64(prepared.ok.hash),
        hashingSchemeVersion,
        hashingDetails: prepared.ok.hashingDetails ?? null,
        costEstimation: body.estimateTrafficCost?.disabled === true ? null : nothingAt(prepared.ok.preparedAt),
      });
    },
  }),

  execute: operation({
    route: "POST /v2/interactive-submission/execute",
    summary: "Submits a prepared and signed transaction; its outcome is a completion.",
    claims: ({ body }) => executeClaims(body),
    admit: admitCommand,
    body: jsonBody(typia.createValidate<JsExecuteSubmissionRequest>(), typia.createAssert<JsExecuteSubmissionRequest>(), preparedParts),
    reply: json<ExecuteSubmissionResponse>(),
    handle: async ({ ledger }, call) => {
      const execution = executionOf(call);
      if (isFailure(execution)) return execution;
      const accepted = await ledger.interactive.executeAsync(execution.ok, call.admission);
      return isFailure(accepted) ? accepted : ok({});
    },
  }),

  executeAndWait: operation({
    route: "POST /v2/interactive-submission/executeAndWait",
    summary: "Submits a prepared and signed transaction and waits until it is durable.",
    claims: ({ body }) => executeClaims(body),
    admit: admitCommand,
    body: jsonBody(
      typia.createValidate<JsExecuteSubmissionAndWaitRequest>(),
      typia.createAssert<JsExecuteSubmissionAndWaitRequest>(),
      preparedParts,
    ),
    reply: json<ExecuteSubmissionAndWaitResponse>(),
    handle: async ({ ledger }, call) => {
      const execution = executionOf(call);
      if (isFailure(execution)) return execution;
      const told = await ledger.interactive.execute(execution.ok, call.admission, { isToldEarly: true });
      return isFailure(told) ? told : ok(acceptedOf(told.ok));
    },
  }),

  executeAndWaitForTransaction: operation({
    route: "POST /v2/interactive-submission/executeAndWaitForTransaction",
    summary: "Submits a prepared and signed transaction and answers with it.",
    claims: ({ body }) => [...executeClaims(body), ...transactionFormatClaims(body.transactionFormat)],
    admit: admitCommand,
    body: jsonBody(
      typia.createValidate<JsExecuteSubmissionAndWaitForTransactionRequest>(),
      typia.createAssert<JsExecuteSubmissionAndWaitForTransactionRequest>(),
      preparedParts,
    ),
    reply: json<JsExecuteSubmissionAndWaitForTransactionResponse>(),
    handle: async ({ ledger }, call) => {
      const execution = executionOf(call);
      if (isFailure(execution)) return execution;
      const format = transactionFormat(call.body, { actAs: submittersOf(execution.ok.prepared), readAs: [] });
      if (isFailure(format)) return format;
      const wrong = formatProblem(ledger, format.ok, "flat");
      if (wrong !== undefined) return fail(wrong);
      const told = await ledger.interactive.execute(execution.ok, call.admission, { isToldEarly: isInRecords(format.ok) });
      if (isFailure(told)) return told;
      return readTransaction<JsExecuteSubmissionAndWaitForTransactionResponse>(ledger, told.ok, format.ok, "flat", "transaction");
    },
  }),
};

const schemes: Readonly<Record<HashingSchemeVersion, Preparation["hashingScheme"]>> = {
  HASHING_SCHEME_VERSION_UNSPECIFIED: undefined,
  HASHING_SCHEME_VERSION_V2: "V2",
  HASHING_SCHEME_VERSION_V3: "V3",
};

const noAlgorithm: SigningAlgorithmSpec = "SIGNING_ALGORITHM_SPEC_UNSPECIFIED";

const costProblem = ({ estimateTrafficCost: hints }: JsPrepareSubmissionRequest): RequestFailure | undefined =>
  hints?.disabled !== true && hints?.expectedSignatures?.includes(noAlgorithm)
    ? invalidField("estimate_traffic_cost", `Signing algorithm spec ${noAlgorithm} is not supported`)
    : undefined;

/** Traffic costs nothing here. */
const nothingAt = (micros: bigint): CostEstimation => ({
  estimationTimestamp: instantText(micros),
  confirmationRequestTrafficCostEstimation: 0,
  confirmationResponseTrafficCostEstimation: 0,
  totalTrafficCostEstimation: 0,
});

/** The submitters are those inside the prepared transaction; one that names none is refused later. */
const executeClaims = (body: ExecuteRequest): readonly [RequiredClaim, ...RequiredClaim[]] => [
  { kind: "authenticated" },
  { kind: "user", userId: body.userId ?? "" },
  ...submittersOf(toBytes(body.preparedTransaction)).map((party): RequiredClaim => ({ kind: "executeAs", party })),
];

type ExecuteCall = Pick<Call<string, NoQuery, ExecuteRequest>, "body" | "caller" | "trace">;

function executionOf({ body, caller, trace }: ExecuteCall): Result<Execution, RequestFailure> {
  return ok({
    prepared: toBytes(body.preparedTransaction),
    hashingScheme: schemes[body.hashingSchemeVersion],
    signatures: partySignaturesOf(body),
    userId: body.userId || (caller.userId ?? ""),
    submissionId: body.submissionId,
    deduplication: deduplicationOf(body.deduplicationPeriod),
    ...minLedgerTimeOf(body.minLedgerTime),
    trace: trace.context,
  });
}

function partySignaturesOf({ partySignatures }: ExecuteRequest): Result<readonly PartySignatures[], RequestFailure> {
  const parties: PartySignatures[] = [];
  for (const { party = "", signatures = [] } of partySignatures.signatures ?? []) {
    const malformed = uniqueIdentifierProblem(party);
    if (malformed !== undefined) return fail(invalidField("SinglePartySignatures.party", malformed));
    const decoded = signaturesOf(signatures, "SinglePartySignatures.signature");
    if (isFailure(decoded)) return decoded;
    parties.push({ party, signatures: decoded.ok });
  }
  return ok(parties);
}
