import type { Cursor } from "../../base/element-writer.js";
import { ok, type Result } from "../../base/result.js";
import type { GivenFormat, Ledger, UpdateElementForm } from "../../ledger/index.js";
import { jsonBody, withInt64 } from "../body.js";
import type { RequestFailure } from "../errors.js";
import { missingField } from "../failures.js";
import { json, operation, stream } from "../operation.js";
import type { Trace } from "../trace.js";
import { spliced } from "../wire.js";
import { toPageToken, toWholeInt64, toOptionalInt32, toOptionalWholeInt64 } from "./decoding.js";
import { eventFormatClaims, updateFormatClaims, withToken } from "./format-claims.js";
import { given, updateFormatOf } from "./formats.js";
import { updatesFormat } from "./legacy-formats.js";
import { paged } from "./paged.js";
import type {
  GetUpdateByIdRequest,
  GetUpdateByOffsetRequest,
  GetUpdatesPageRequest,
  GetUpdatesRequest,
  JsGetUpdateResponse,
  JsGetUpdatesPageResponse,
  JsGetUpdatesResponse,
} from "./types/updates.js";

/** Also of the deprecated streams. */
export const updatesBody = jsonBody(
  typia.createValidate<GetUpdatesRequest>(),
  typia.createAssert<GetUpdatesRequest>(),
  withInt64("beginExclusive", "endInclusive"),
);

export const updateOperations = {
  updates: stream({
    route: "POST /v2/updates",
    summary: "Transactions, reassignments and topology events after an offset.",
    claims: ({ body }) => updatesClaims(body),
    body: updatesBody,
    element: json<JsGetUpdatesResponse>(),
    endsWhenIdle: isOpenEnded,
    open: ({ ledger }, { body, trace }) => openUpdates(ledger, body, updatesFormat(body, "acsDelta"), "update", trace),
  }),

  updatesPage: operation({
    route: "POST /v2/updates/get-updates-page",
    summary: "One page of updates, with a token for the next.",
    claims: ({ body }) => withToken(updateFormatClaims(body.updateFormat)),
    body: jsonBody(
      typia.createValidate<GetUpdatesPageRequest>(),
      typia.createAssert<GetUpdatesPageRequest>(),
      withInt64("beginOffsetExclusive", "endOffsetInclusive"),
    ),
    reply: json<JsGetUpdatesPageResponse>(),
    handle: async ({ ledger }, call) => {
      const {
        body,
        trace: { traceId },
      } = call;
      return paged<JsGetUpdatesPageResponse>((memory) =>
        ledger.readUpdatesPage({
          traceId,
          beginExclusive: toOptionalWholeInt64(body.beginOffsetExclusive),
          endInclusive: toOptionalWholeInt64(body.endOffsetInclusive),
          pageSize: toOptionalInt32(body.maxPageSize),
          format: givenUpdateFormat(body.updateFormat),
          descending: body.descendingOrder ?? false,
          pageToken: body.pageToken == null ? undefined : toPageToken(body.pageToken),
          taker: () => call.signal,
          memory,
        }),
      );
    },
  }),

  updateByOffset: operation({
    route: "POST /v2/updates/update-by-offset",
    summary: "The update at an offset.",
    claims: ({ body }) => withToken(updateFormatClaims(body.updateFormat)),
    body: jsonBody(typia.createValidate<GetUpdateByOffsetRequest>(), typia.createAssert<GetUpdateByOffsetRequest>(), withInt64("offset")),
    reply: json<JsGetUpdateResponse>(),
    handle: async ({ ledger }, { body, trace }) =>
      readUpdate(ledger, { offset: toWholeInt64(body.offset ?? 0) }, givenUpdateFormat(body.updateFormat), trace),
  }),

  updateById: operation({
    route: "POST /v2/updates/update-by-id",
    summary: "The update with an id.",
    claims: ({ body }) => withToken(updateFormatClaims(body.updateFormat)),
    body: jsonBody(typia.createValidate<GetUpdateByIdRequest>(), typia.createAssert<GetUpdateByIdRequest>()),
    reply: json<JsGetUpdateResponse>(),
    handle: async ({ ledger }, { body, trace }) =>
      readUpdate(ledger, { updateId: body.updateId ?? "" }, givenUpdateFormat(body.updateFormat), trace),
  }),
};

export const updatesClaims = (body: GetUpdatesRequest) =>
  withToken([...updateFormatClaims(body.updateFormat), ...eventFormatClaims(body.filter)]);

export function isOpenEnded(body: GetUpdatesRequest): boolean {
  return body.endInclusive == null;
}

export function openUpdates(
  ledger: Ledger,
  body: GetUpdatesRequest,
  format: Result<GivenFormat, RequestFailure>,
  form: UpdateElementForm,
  { traceId }: Trace,
): Result<Cursor<RequestFailure>, RequestFailure> {
  if (format.error !== undefined) return format;
  return ledger.openUpdates({
    traceId,
    beginExclusive: toWholeInt64(body.beginExclusive ?? 0),
    endInclusive: toOptionalWholeInt64(body.endInclusive),
    format: format.ok,
    form,
    descending: body.descendingOrder ?? false,
  });
}

function givenUpdateFormat(wire: GetUpdateByIdRequest["updateFormat"]): GivenFormat {
  return wire == null ? { unreadable: missingField("update_format") } : given(updateFormatOf(wire));
}

async function readUpdate(ledger: Ledger, by: Parameters<Ledger["readUpdate"]>[0]["by"], format: GivenFormat, { traceId }: Trace) {
  const update = await ledger.readUpdateAs("update", { by, format, form: "update", traceId });
  return update.error === undefined ? ok(spliced<JsGetUpdateResponse>(update.ok)) : update;
}
