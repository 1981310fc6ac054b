import { fail, isFailure, ok } from "../../base/result.js";
import { invalidArgument, partyProblem } from "../../ledger/index.js";
import type { Asked, Json, JsonRequest } from "../method.js";
import { get, patch, posting, required } from "./requests.js";
import { serviceOf } from "./service.js";

interface Parties {
  readonly parties: readonly string[];
  readonly identityProviderId: string;
}
interface Listing {
  readonly pageToken: string;
  readonly pageSize: number;
  readonly identityProviderId: string;
  readonly filterParty: string;
}
interface Move extends Json {
  readonly party: string;
}
interface Change extends Json {
  readonly partyDetails?: { readonly party: string };
}

const pathOf = (party: string): string => `/v2/parties/${encodeURIComponent(party)}`;
const noParty = (): Asked<never> => fail(invalidArgument(partyProblem("")!));

/** One is named by the path, the others by the query; of none it is asked only who asks. */
function detailsOf({ parties, identityProviderId }: Parties): Asked<JsonRequest> {
  if (parties.length === 0) return ok(get("/v2/parties/participant-id"));
  const at = parties.findIndex((party) => party !== "");
  if (at < 0) return noParty();
  return ok(get(pathOf(parties[at]!), { "identity-provider-id": identityProviderId, parties: parties.toSpliced(at, 1) }));
}

const { unary } = serviceOf("com.daml.ledger.api.v2.admin.PartyManagementService");

export const partyMethods = [
  unary("GetParticipantId", { ask: () => ok(get("/v2/parties/participant-id")) }),
  unary<Parties>("GetParties", {
    ask: detailsOf,
    answer: (answered, { parties }) => (parties.length === 0 ? { partyDetails: [] } : (answered as Json)),
  }),
  unary<Listing>("ListKnownParties", {
    ask: ({ pageToken, pageSize, identityProviderId, filterParty }) =>
      ok(get("/v2/parties", { "identity-provider-id": identityProviderId, "filter-party": filterParty, pageSize, pageToken })),
  }),
  unary("AllocateParty", { ask: posting("/v2/parties") }),
  unary("AllocateExternalParty", { ask: posting("/v2/parties/external/allocate") }),
  unary<Change>("UpdatePartyDetails", {
    ask: (request) => {
      const details = required(request.partyDetails, "party_details");
      if (isFailure(details)) return details;
      return details.ok.party === "" ? noParty() : ok(patch(pathOf(details.ok.party), request));
    },
  }),
  unary<Move>("UpdatePartyIdentityProviderId", {
    ask: (request) =>
      request.party === "" ? noParty() : ok(patch(`/admin/parties/${encodeURIComponent(request.party)}/identity-provider-id`, request)),
  }),
  unary("GenerateExternalPartyTopology", { ask: posting("/v2/parties/external/generate-topology") }),
];
