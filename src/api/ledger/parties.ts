import { fail, ok } from "../../base/result.js";
import { authenticated, identityProviderAdmin, impliedIdentityProvider, type RequiredClaim } from "../../auth/index.js";
import { invalidArgument, partiesProblem, type PartyDetails as LedgerParty } from "../../ledger/index.js";
import { noBody } from "../body.js";
import { whileNaming } from "./administration-calls.js";
import { json, operation } from "../operation.js";
import { int32, text, texts } from "../query.js";
import type { GetParticipantIdResponse, GetPartiesResponse, ListKnownPartiesResponse, PartyDetails } from "./types/parties.js";

export const partyOperations = {
  listParties: operation({
    route: "GET /v2/parties",
    summary: "The parties that the node knows, in pages.",
    query: { "identity-provider-id": text(), "filter-party": text(), pageSize: int32(), pageToken: text() },
    claims: ({ query }) => identityProviderAdmin(query["identity-provider-id"] ?? ""),
    body: noBody(),
    reply: json<ListKnownPartiesResponse>(),
    handle: ({ ledger }, { query, caller }) => {
      const page = ledger.listParties({
        pageSize: query.pageSize ?? 0,
        pageToken: query.pageToken ?? "",
        filterParty: query["filter-party"] ?? "",
        identityProviderId: impliedIdentityProvider(caller, query["identity-provider-id"] ?? ""),
      });
      if (page.error !== undefined) return page;
      return ok({ partyDetails: page.ok.parties.map(partyDetails), nextPageToken: page.ok.nextPageToken });
    },
  }),

  participantId: operation({
    route: "GET /v2/parties/participant-id",
    summary: "The id of this node.",
    claims: () => authenticated,
    body: noBody(),
    reply: json<GetParticipantIdResponse>(),
    handle: ({ ledger }) => ok({ participantId: ledger.participantId }),
  }),

  getParty: operation({
    route: "GET /v2/parties/{party}",
    summary: "Details of a party, and of further ones named in the query.",
    query: { "identity-provider-id": text(), parties: texts() },
    claims: ({ params, query }) =>
      [params.party, ...(query.parties ?? [])].map((party): RequiredClaim => ({
        kind: "anyRightOn",
        party,
        identityProviderId: query["identity-provider-id"] ?? "",
      })),
    body: noBody(),
    reply: json<GetPartiesResponse>(),
    handle: ({ ledger }, { params, query, caller }) => {
      const asked = [params.party, ...(query.parties ?? [])],
        malformed = partiesProblem(asked);
      if (malformed !== undefined) return fail(whileNaming(asked, invalidArgument(malformed)));
      const parties = [...new Set(asked)].sort();
      return ok({
        partyDetails: ledger.getParties(parties, impliedIdentityProvider(caller, query["identity-provider-id"] ?? "")).map(partyDetails),
      });
    },
  }),
};

export const partyDetails = (party: LedgerParty): PartyDetails => ({
  party: party.party,
  isLocal: party.isLocal,
  localMetadata: { resourceVersion: party.resourceVersion, annotations: party.annotations },
  identityProviderId: party.identityProviderId,
});
