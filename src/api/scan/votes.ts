import { jsonBody, noBody } from "../body.js";
import { toInt64, toOptionalInt64 } from "../ledger/index.js";
import { json } from "../operation.js";
import { answeredAs } from "../splice/errors.js";
import { declare } from "./services.js";
import type {
  BatchListVotesByVoteRequestsRequest,
  CountVoteResultsRequest,
  CountVoteResultsResponse,
  ListAmuletPriceVotesResponse,
  ListDsoRulesVoteRequestsResponse,
  ListDsoRulesVoteResultsResponse,
  ListVoteRequestByTrackingCidResponse,
  ListVoteResultsRequest,
  LookupDsoRulesVoteRequestResponse,
  PreviousSvRewardWeightRequest,
  PreviousSvRewardWeightResponse,
} from "./types.js";

/** Under every prefix that has them. */
export const voteResultOperations = {
  voteResults: declare({
    route: "POST /v0/admin/sv/voteresults",
    summary: "Results of votes, the last effective first.",
    claims: "none",
    body: jsonBody(typia.createValidate<ListVoteResultsRequest>(), typia.createAssert<ListVoteResultsRequest>()),
    reply: json<ListDsoRulesVoteResultsResponse>(),
    handle: async ({ splice }, { body }) =>
      answeredAs(
        await splice.votes.page({ ...body, limit: toInt64(body.limit), pageToken: toOptionalInt64(body.pageToken) }),
        ({ results, nextPageToken }) => ({
          dso_rules_vote_results: results,
          next_page_token: nextPageToken ?? null,
        }),
      ),
  }),
  voteResultsCount: declare({
    route: "POST /v0/admin/sv/voteresults/count",
    summary: "How many results of votes there are.",
    claims: "none",
    body: jsonBody(typia.createValidate<CountVoteResultsRequest>(), typia.createAssert<CountVoteResultsRequest>()),
    reply: json<CountVoteResultsResponse>(),
    handle: async ({ splice }, { body }) => answeredAs(await splice.votes.count(body), (count) => ({ count })),
  }),
  voteRequests: declare({
    route: "GET /v0/admin/sv/voterequests",
    summary: "Votes that are open.",
    claims: "none",
    body: noBody(),
    reply: json<ListDsoRulesVoteRequestsResponse>(),
    handle: async ({ splice }) => answeredAs(await splice.network.voteRequests(), (requests) => ({ dso_rules_vote_requests: requests })),
  }),
};

/** Under Scan, and for the SV. */
export const rewardWeightOperations = {
  previousRewardWeight: declare({
    route: "POST /v0/admin/sv/previous-sv-reward-weight",
    summary: "What the last vote on it made of an SV's weight, if there was one before a time.",
    claims: "none",
    body: jsonBody(typia.createValidate<PreviousSvRewardWeightRequest>(), typia.createAssert<PreviousSvRewardWeightRequest>()),
    reply: json<PreviousSvRewardWeightResponse>(),
    handle: async ({ splice }, { body }) =>
      answeredAs(await splice.votes.rewardWeight(body.svParty, body.effectiveBefore ?? undefined), (weight) =>
        weight === undefined ? {} : { rewardWeight: weight },
      ),
  }),
};

export const voteRequestOperations = {
  voteRequest: declare({
    route: "GET /v0/voterequests/{vote_request_contract_id}",
    summary: "One open vote.",
    claims: "none",
    body: noBody(),
    reply: json<LookupDsoRulesVoteRequestResponse>(),
    handle: async ({ splice }, { params }) =>
      answeredAs(await splice.network.voteRequest(params.vote_request_contract_id), (request) => ({ dso_rules_vote_request: request })),
  }),
  voteRequestsByTrackingIds: declare({
    route: "POST /v0/voterequest",
    summary: "Open votes by the ids that they began with.",
    claims: "none",
    body: jsonBody(typia.createValidate<BatchListVotesByVoteRequestsRequest>(), typia.createAssert<BatchListVotesByVoteRequestsRequest>()),
    reply: json<ListVoteRequestByTrackingCidResponse>(),
    handle: async ({ splice }, { body }) =>
      answeredAs(await splice.network.voteRequestsByTrackingIds(body.vote_request_contract_ids), (requests) => ({
        vote_requests: requests,
      })),
  }),
  amuletPriceVotes: declare({
    route: "GET /v0/amulet-price/votes",
    summary: "What each SV wants the price to be.",
    claims: "none",
    body: noBody(),
    reply: json<ListAmuletPriceVotesResponse>(),
    handle: async ({ splice }) => answeredAs(await splice.network.amuletPriceVotes(), (votes) => ({ amulet_price_votes: votes })),
  }),
};
