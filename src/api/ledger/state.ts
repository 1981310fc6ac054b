import { fail, ok, type Result } from "../../base/result.js";
import { authenticated } from "../../auth/index.js";
import { type Ledger, partyProblem, uniqueIdentifierProblem } from "../../ledger/index.js";
import { toBytes } from "../base64.js";
import { jsonBody, noBody, withInt64 } from "../body.js";
import type { RequestFailure } from "../errors.js";
import { invalidField, missingField } from "../failures.js";
import { json, operation, stream, type Call, type NoQuery } from "../operation.js";
import { text } from "../query.js";
import type { Spliced } from "../wire.js";
import { toPageToken, toWholeInt64, toOptionalInt32, toOptionalWholeInt64 } from "./decoding.js";
import { eventFormatClaims, withToken } from "./format-claims.js";
import { eventFormatOf } from "./formats.js";
import { activeContractsFormat } from "./legacy-formats.js";
import { paged } from "./paged.js";
import type {
  ConnectedSynchronizer,
  GetActiveContractsPageRequest,
  GetActiveContractsRequest,
  GetConnectedSynchronizersResponse,
  GetLatestPrunedOffsetsResponse,
  GetLedgerEndResponse,
  JsGetActiveContractsPageResponse,
  JsGetActiveContractsResponse,
} from "./types/state.js";

/** Also of the deprecated GET. */
export const activeContractsPageBody = jsonBody(
  typia.createValidate<GetActiveContractsPageRequest>(),
  typia.createAssert<GetActiveContractsPageRequest>(),
  withInt64("activeAtOffset"),
);

export const stateOperations = {
  activeContracts: stream({
    route: "POST /v2/state/active-contracts",
    summary: "The contracts that were active at an offset.",
    claims: ({ body }) => withToken([...eventFormatClaims(body.eventFormat), ...eventFormatClaims(body.filter)]),
    body: jsonBody(
      typia.createValidate<GetActiveContractsRequest>(),
      typia.createAssert<GetActiveContractsRequest>(),
      withInt64("activeAtOffset"),
    ),
    element: json<JsGetActiveContractsResponse>(),
    endsWhenIdle: () => false,
    open: ({ ledger }, { body, trace: { traceId } }) => {
      const format = activeContractsFormat(body);
      if (format.error !== undefined) return format;
      const { streamContinuationToken: token } = body;
      return ledger.openActiveContracts({
        activeAtOffset: toWholeInt64(body.activeAtOffset ?? 0),
        format: format.ok,
        traceId,
        ...(token == null ? {} : { continuationToken: toBytes(token) }),
      });
    },
  }),

  activeContractsPage: operation({
    route: "POST /v2/state/active-contracts-page",
    summary: "One page of the contracts that were active at an offset, with a token for the next.",
    claims: ({ body }) => withToken(eventFormatClaims(body.eventFormat)),
    body: activeContractsPageBody,
    reply: json<JsGetActiveContractsPageResponse>(),
    handle: ({ ledger }, call) => activeContractsPage(ledger, call),
  }),

  connectedSynchronizers: operation({
    route: "GET /v2/state/connected-synchronizers",
    summary: "The synchronizers that this node, or a party on it, is connected to.",
    query: { party: text(), participantId: text(), identityProviderId: text() },
    claims: ({ query }) =>
      query.party === undefined || query.party === ""
        ? authenticated
        : [{ kind: "anyRightOn", party: query.party, identityProviderId: query.identityProviderId ?? "" }],
    body: noBody(),
    reply: json<GetConnectedSynchronizersResponse>(),
    handle: ({ ledger }, { query }) => connectedSynchronizers(ledger, query),
  }),

  ledgerEnd: operation({
    route: "GET /v2/state/ledger-end",
    summary: "The offset of the newest durable change.",
    claims: () => authenticated,
    body: noBody(),
    reply: json<GetLedgerEndResponse>(),
    handle: ({ ledger }) => ok({ offset: ledger.ledgerEnd() }),
  }),

  latestPrunedOffsets: operation({
    route: "GET /v2/state/latest-pruned-offsets",
    summary: "The offsets up to which history was removed.",
    claims: () => authenticated,
    body: noBody(),
    reply: json<GetLatestPrunedOffsetsResponse>(),
    handle: ({ ledger }) => ok(ledger.prunedOffsets()),
  }),
};

type PageCall = Pick<Call<string, NoQuery, GetActiveContractsPageRequest>, "body" | "trace" | "signal">;

export async function activeContractsPage(
  ledger: Ledger,
  call: PageCall,
): Promise<Result<Spliced<JsGetActiveContractsPageResponse>, RequestFailure>> {
  const {
    body,
    trace: { traceId },
  } = call;
  if (body.eventFormat == null) return fail(missingField("event_format"));
  const format = eventFormatOf(body.eventFormat);
  return paged<JsGetActiveContractsPageResponse>((memory) =>
    ledger.readActiveContractsPage({
      traceId,
      activeAtOffset: toOptionalWholeInt64(body.activeAtOffset) || undefined, // 0 is taken for none, as by the reference
      pageSize: toOptionalInt32(body.maxPageSize),
      format,
      pageToken: body.pageToken == null ? undefined : toPageToken(body.pageToken),
      taker: () => call.signal,
      memory,
    }),
  );
}

/** Those that the node is connected to; of a party those on which the participant hosts it, which is this one where none is named. */
function connectedSynchronizers(
  ledger: Ledger,
  query: { readonly party?: string | undefined; readonly participantId?: string | undefined },
): Result<GetConnectedSynchronizersResponse, RequestFailure> {
  const { party = "", participantId = "" } = query;
  const noParty = party === "" ? undefined : partyProblem(party);
  if (noParty !== undefined) return fail(invalidField("party", noParty));
  const noParticipant = participantId === "" ? undefined : uniqueIdentifierProblem(participantId);
  if (noParticipant !== undefined) return fail(invalidField("participant_id", noParticipant));
  const asked = participantId || ledger.participantId;
  const connectedSynchronizers = ledger.synchronizers.flatMap((synchronizer): readonly ConnectedSynchronizer[] => {
    const shown = { synchronizerAlias: synchronizer.alias, synchronizerId: synchronizer.id };
    if (party === "") return [{ ...shown, permission: "PARTICIPANT_PERMISSION_UNSPECIFIED" }];
    const host = ledger.hostsOf(party, synchronizer).find(({ participant }) => participant === asked);
    return host ? [{ ...shown, permission: permissions[host.permission] }] : [];
  });
  return ok({ connectedSynchronizers });
}

const permissions = {
  submission: "PARTICIPANT_PERMISSION_SUBMISSION",
  confirmation: "PARTICIPANT_PERMISSION_CONFIRMATION",
  observation: "PARTICIPANT_PERMISSION_OBSERVATION",
} as const;
