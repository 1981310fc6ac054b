import { ok } from "../../base/result.js";
import { migrationId, type DescribedContract, type DsoInfo } from "../../splice/index.js";
import { jsonBody, noBody } from "../body.js";
import { created, json, nothing } from "../operation.js";
import type { Instant } from "../ledger/types/scalars.js";
import type {
  BatchListVotesByVoteRequestsRequest,
  GetMigrationIdResponse,
  GetPartyToParticipantResponseV1,
  ListAmuletPriceVotesResponse,
  ListVoteRequestByTrackingCidResponse,
  LookupDsoRulesVoteRequestResponse,
  LookupFeaturedAppRightResponse,
} from "../scan/index.js";
import { answered, answeredAs } from "../splice/errors.js";
import { claims, declare } from "./services.js";

interface CreateVoteRequest {
  readonly requester: string;
  readonly action: object;
  readonly url: string;
  readonly description: string;
  readonly expiration: object;
  readonly effectiveTime?: Instant | null;
}
interface CastVoteRequest {
  readonly vote_request_contract_id: string;
  readonly is_accepted: boolean;
  readonly reason_url: string;
  readonly reason_description: string;
}
interface UpdateAmuletPriceVoteRequest {
  readonly amulet_price: string;
}
interface ListOpenMiningRoundsResponse {
  readonly open_mining_rounds: readonly DescribedContract[];
}
interface ListFeaturedAppRightsByProviderResponse {
  readonly featured_app_rights: readonly DescribedContract[];
}

/** What everybody may ask an SV. */
export const svPublicOperations = {
  svDso: declare({
    route: "GET /v1/dso",
    summary: "The rules of the network and its operators.",
    claims: "none",
    body: noBody(),
    reply: json<DsoInfo>(),
    handle: async ({ splice }) => answered(await splice.network.dso()),
  }),
  svDsoV0: declare({
    route: "GET /v0/dso",
    summary: "The same.",
    deprecated: true,
    claims: "none",
    body: noBody(),
    reply: json<DsoInfo>(),
    handle: async ({ splice }) => answered(await splice.network.dso()),
  }),
  svMigrationId: declare({
    route: "GET /v0/migration-id",
    summary: "The migration that the ledger is in: the first.",
    claims: "none",
    body: noBody(),
    reply: json<GetMigrationIdResponse>(),
    handle: () => ok({ migration_id: migrationId }),
  }),
};

/** What the SV whose party is here sees and does, beside the results of votes. */
export const svVotingOperations = {
  svAuthorization: declare({
    route: "GET /v0/admin/authorization",
    summary: "Whether the caller may act as the SV: else 403.",
    claims,
    body: noBody(),
    reply: nothing(),
    handle: () => ok(undefined),
  }),
  svVoteRequest: declare({
    route: "GET /v0/admin/sv/voterequests/{vote_request_contract_id}",
    summary: "One open vote.",
    claims,
    body: noBody(),
    reply: json<LookupDsoRulesVoteRequestResponse>(),
    handle: async ({ splice }, { params }) =>
      answeredAs(await splice.network.voteRequest(params.vote_request_contract_id), (request) => ({ dso_rules_vote_request: request })),
  }),
  svVoteRequestsByTrackingIds: declare({
    route: "POST /v0/admin/sv/voterequest",
    summary: "Open votes by the ids that they began with.",
    claims,
    body: jsonBody(typia.createValidate<BatchListVotesByVoteRequestsRequest>(), typia.createAssert<BatchListVotesByVoteRequestsRequest>()),
    reply: json<ListVoteRequestByTrackingCidResponse>(),
    handle: async ({ splice }, { body }) =>
      answeredAs(await splice.network.voteRequestsByTrackingIds(body.vote_request_contract_ids), (requests) => ({
        vote_requests: requests,
      })),
  }),
  svVoteRequestCreate: declare({
    route: "POST /v0/admin/sv/voterequest/create",
    summary: "Asks all SVs for a vote.",
    claims,
    body: jsonBody(typia.createValidate<CreateVoteRequest>(), typia.createAssert<CreateVoteRequest>()),
    reply: nothing(),
    handle: async ({ splice }, { body: { effectiveTime, ...body } }) =>
      answeredAs(await splice.voting.request({ ...body, effectiveAt: effectiveTime ?? undefined }), () => undefined),
  }),
  svVoteCast: declare({
    route: "POST /v0/admin/sv/votes",
    summary: "Casts the SV's vote, or casts it anew.",
    claims,
    body: jsonBody(typia.createValidate<CastVoteRequest>(), typia.createAssert<CastVoteRequest>()),
    reply: created(),
    handle: async ({ splice }, { body }) => {
      const vote = {
        requestId: body.vote_request_contract_id,
        isAccepted: body.is_accepted,
        url: body.reason_url,
        description: body.reason_description,
      };
      return answeredAs(await splice.voting.cast(vote), () => undefined);
    },
  }),
  svAmuletPriceVotes: declare({
    route: "GET /v0/admin/sv/amulet-price/votes",
    summary: "What each SV wants the price to be.",
    claims,
    body: noBody(),
    reply: json<ListAmuletPriceVotesResponse>(),
    handle: async ({ splice }) => answeredAs(await splice.network.amuletPriceVotes(), (votes) => ({ amulet_price_votes: votes })),
  }),
  svAmuletPriceVote: declare({
    route: "PUT /v0/admin/sv/amulet-price/vote",
    summary: "What the SV wants the price to be.",
    claims,
    body: jsonBody(typia.createValidate<UpdateAmuletPriceVoteRequest>(), typia.createAssert<UpdateAmuletPriceVoteRequest>()),
    reply: nothing(),
    handle: async ({ splice }, { body }) => answeredAs(await splice.voting.votePrice(body.amulet_price), () => undefined),
  }),
  svOpenMiningRounds: declare({
    route: "GET /v0/admin/sv/open-mining-rounds",
    summary: "Rounds that are open, or will be next.",
    claims,
    body: noBody(),
    reply: json<ListOpenMiningRoundsResponse>(),
    handle: async ({ splice }) => answeredAs(await splice.network.openRounds(), (rounds) => ({ open_mining_rounds: rounds })),
  }),
  svFeaturedAppRight: declare({
    route: "GET /v0/admin/sv/featured-app-rights/by-contract-id/{contract_id}",
    summary: "One right to be featured, if it is there.",
    claims,
    body: noBody(),
    reply: json<LookupFeaturedAppRightResponse>(),
    handle: async ({ splice }, { params }) =>
      answeredAs(await splice.network.featuredApp(params.contract_id), (right) => ({ featured_app_right: right ?? null })),
  }),
  svFeaturedAppRights: declare({
    route: "GET /v0/admin/sv/featured-app-rights/by-provider/{provider_party_id}",
    summary: "The rights of one provider to be featured.",
    claims,
    body: noBody(),
    reply: json<ListFeaturedAppRightsByProviderResponse>(),
    handle: async ({ splice }, { params }) =>
      answeredAs(await splice.network.featuredApps(params.provider_party_id), (rights) => ({ featured_app_rights: rights })),
  }),
  svFeatureSupport: declare({
    route: "GET /v0/admin/feature-support",
    summary: "Features that may be missing elsewhere.",
    claims,
    body: noBody(),
    reply: json<object>(),
    handle: () => ok({}),
  }),
  svPartyToParticipant: declare({
    route: "GET /v0/admin/sv/party-to-participant/{party_id}",
    summary: "The participants that host a party.",
    claims,
    body: noBody(),
    reply: json<GetPartyToParticipantResponseV1>(),
    handle: ({ splice }, { params }) =>
      answeredAs(splice.network.participantsOf({ party: params.party_id }), (participants) => ({ participant_ids: participants })),
  }),
};
