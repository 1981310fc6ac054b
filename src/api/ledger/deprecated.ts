/** Older ways to ask, mapped onto today's operations; nothing below knows them. */
import type { Cursor } from "../../base/element-writer.js";
import { fail, ok, type Result } from "../../base/result.js";
import { readAs, type RequiredClaim } from "../../auth/index.js";
import type { GivenFormat, Ledger, UpdateElementForm, UpdateFormatRequest } from "../../ledger/index.js";
import { jsonBody, noBody, withInt64 } from "../body.js";
import type { RequestFailure } from "../errors.js";
import { invalidArgument } from "../failures.js";
import { json, operation, stream } from "../operation.js";
import { integer, texts } from "../query.js";
import type { Trace } from "../trace.js";
import { spliced } from "../wire.js";
import { activeContractsPage, activeContractsPageBody } from "./state.js";
import { toWholeInt64 } from "./decoding.js";
import { eventFormatClaims, transactionFormatClaims, withToken } from "./format-claims.js";
import { onlyTransactions, wildcardFor } from "./formats.js";
import { singleTransactionFormat, treesFormat, updatesFormat } from "./legacy-formats.js";
import type { JsGetActiveContractsPageResponse } from "./types/state.js";
import type {
  GetTransactionByIdRequest,
  GetTransactionByOffsetRequest,
  GetUpdatesRequest,
  JsGetTransactionResponse,
  JsGetTransactionTreeResponse,
  JsGetUpdatesResponse,
  JsGetUpdateTreesResponse,
} from "./types/updates.js";
import { isOpenEnded, openUpdates, updatesBody, updatesClaims } from "./updates.js";

export const deprecatedOperations = {
  updatesFlats: stream({
    route: "POST /v2/updates/flats",
    summary: "The same as `/v2/updates`, under its older path.",
    deprecated: true,
    claims: ({ body }) => updatesClaims(body),
    body: updatesBody,
    element: json<JsGetUpdatesResponse>(),
    endsWhenIdle: isOpenEnded,
    open: ({ ledger }, { body, trace }) => openUpdates(ledger, body, updatesFormat(body, "acsDelta"), "update", trace),
  }),

  updatesTrees: stream({
    route: "POST /v2/updates/trees",
    summary: "Updates after an offset, as transaction trees.",
    deprecated: true,
    claims: ({ body }) => updatesClaims(body),
    body: updatesBody,
    element: json<JsGetUpdateTreesResponse>(),
    endsWhenIdle: isOpenEnded,
    open: ({ ledger }, { body, trace }) => openTrees(ledger, body, trace),
  }),

  transactionByOffset: operation({
    route: "POST /v2/updates/transaction-by-offset",
    summary: "The transaction at an offset.",
    deprecated: true,
    claims: ({ body }) => transactionClaims(body),
    body: jsonBody(
      typia.createValidate<GetTransactionByOffsetRequest>(),
      typia.createAssert<GetTransactionByOffsetRequest>(),
      withInt64("offset"),
    ),
    reply: json<JsGetTransactionResponse>(),
    handle: async ({ ledger }, { body, trace }) =>
      readTransaction(ledger, { offset: toWholeInt64(body.offset ?? 0) }, singleTransactionFormat(body), "flat", trace),
  }),

  transactionById: operation({
    route: "POST /v2/updates/transaction-by-id",
    summary: "The transaction with an id.",
    deprecated: true,
    claims: ({ body }) => transactionClaims(body),
    body: jsonBody(typia.createValidate<GetTransactionByIdRequest>(), typia.createAssert<GetTransactionByIdRequest>()),
    reply: json<JsGetTransactionResponse>(),
    handle: async ({ ledger }, { body, trace }) =>
      readTransaction(ledger, { updateId: body.updateId ?? "" }, singleTransactionFormat(body), "flat", trace),
  }),

  transactionTreeByOffset: operation({
    route: "GET /v2/updates/transaction-tree-by-offset/{offset}",
    summary: "The transaction tree at an offset.",
    deprecated: true,
    params: { offset: (text) => integer(text, -(2n ** 63n), 2n ** 63n - 1n) !== undefined },
    query: { parties: texts() },
    claims: ({ query }) => withToken(readAs(query.parties ?? [])),
    body: noBody(),
    reply: json<JsGetTransactionTreeResponse>(),
    handle: async ({ ledger }, { params, query, trace }) =>
      readTransaction(ledger, { offset: Number(params.offset) }, ok(treeFormat(query.parties)), "tree", trace),
  }),

  transactionTreeById: operation({
    route: "GET /v2/updates/transaction-tree-by-id/{update-id}",
    summary: "The transaction tree with an id.",
    deprecated: true,
    query: { parties: texts() },
    claims: ({ query }) => withToken(readAs(query.parties ?? [])),
    body: noBody(),
    reply: json<JsGetTransactionTreeResponse>(),
    handle: async ({ ledger }, { params, query, trace }) =>
      readTransaction(ledger, { updateId: params["update-id"] }, ok(treeFormat(query.parties)), "tree", trace),
  }),

  activeContractsPageByGet: operation({
    route: "GET /v2/state/active-contracts-page",
    summary: "One page of active contracts, asked for with a body on GET.",
    deprecated: true,
    claims: ({ body }) => withToken(eventFormatClaims(body.eventFormat)),
    body: activeContractsPageBody,
    reply: json<JsGetActiveContractsPageResponse>(),
    handle: ({ ledger }, call) => activeContractsPage(ledger, call),
  }),
};

/** Trees have no place for topology events: who asks for them is told so at once, but behind whatever else is wrong. */
function openTrees(ledger: Ledger, body: GetUpdatesRequest, trace: Trace): Result<Cursor<RequestFailure>, RequestFailure> {
  const opened = openUpdates(ledger, body, treesFormat(body), "tree", trace);
  if (opened.error !== undefined || body.updateFormat?.includeTopologyEvents?.includeParticipantAuthorizationEvents == null) return opened;
  opened.ok.close();
  return fail(invalidArgument("Topology events cannot be shown as transaction trees."));
}

const transactionClaims = (body: GetTransactionByIdRequest | GetTransactionByOffsetRequest) => {
  const claims: readonly RequiredClaim[] = [...readAs(body.requestingParties ?? []), ...transactionFormatClaims(body.transactionFormat)];
  return withToken(claims);
};

const treeFormat = (parties: readonly string[] = []): UpdateFormatRequest => onlyTransactions(wildcardFor(parties), "ledgerEffects");

async function readTransaction<W>(
  ledger: Ledger,
  by: Parameters<Ledger["readUpdate"]>[0]["by"],
  format: Result<GivenFormat, RequestFailure>,
  form: UpdateElementForm,
  { traceId }: Trace,
) {
  if (format.error !== undefined) return fail(format.error);
  const transaction = await ledger.readUpdateAs("transaction", { by, format: format.ok, form, traceId });
  return transaction.error === undefined ? ok(spliced<W>(transaction.ok)) : transaction;
}
