import { acceptDelegation, delegationsOf, rejectDelegation } from "../../splice/index.js";
import { noBody } from "../body.js";
import { json, nothing } from "../operation.js";
import { int32, int64 } from "../query.js";
import { asOwnerAs, asOwnerDone } from "./owner.js";
import { claims, declare } from "./services.js";
import type {
  AcceptMintingDelegationProposalResponse,
  ListMintingDelegationProposalsResponse,
  ListMintingDelegationsResponse,
} from "./wallet-types.js";

/** Whose rewards the caller may mint. */
export const walletDelegationOperations = {
  walletDelegationProposals: declare({
    route: "GET /v0/wallet/minting-delegation-proposals",
    summary: "Parties that want the caller to mint their rewards.",
    claims,
    query: { after: int64(), limit: int32() },
    body: noBody(),
    reply: json<ListMintingDelegationProposalsResponse>(),
    handle: (services, { caller, query }) =>
      asOwnerAs(
        services,
        caller,
        "listMintingDelegationProposals",
        (context, owner, validator) => delegationsOf(context, owner, "proposal", query, validator),
        ({ delegations, nextPageToken }) => ({
          proposals: delegations,
          next_page_token: nextPageToken ?? null,
        }),
      ),
  }),
  walletDelegationProposalAccept: declare({
    route: "POST /v0/wallet/minting-delegation-proposals/{contract_id}/accept",
    summary: "Takes it on, in the place of one of the same party.",
    claims,
    body: noBody(),
    reply: json<AcceptMintingDelegationProposalResponse>(),
    handle: (services, { caller, params }) =>
      asOwnerAs(
        services,
        caller,
        "acceptMintingDelegationProposal",
        (context, owner) => acceptDelegation(context, owner, params.contract_id),
        (contract) => ({ contract_id: contract }),
      ),
  }),
  walletDelegationProposalReject: declare({
    route: "POST /v0/wallet/minting-delegation-proposals/{contract_id}/reject",
    summary: "Declines it.",
    claims,
    body: noBody(),
    reply: nothing(),
    handle: (services, { caller, params }) =>
      asOwnerDone(services, caller, "rejectMintingDelegationProposal", (context, owner) =>
        rejectDelegation(context, owner, "proposal", params.contract_id),
      ),
  }),
  walletDelegations: declare({
    route: "GET /v0/wallet/minting-delegations",
    summary: "Parties whose rewards the caller may mint.",
    claims,
    query: { after: int64(), limit: int32() },
    body: noBody(),
    reply: json<ListMintingDelegationsResponse>(),
    handle: (services, { caller, query }) =>
      asOwnerAs(
        services,
        caller,
        "listMintingDelegations",
        (context, owner, validator) => delegationsOf(context, owner, "delegation", query, validator),
        ({ delegations, nextPageToken }) => ({
          delegations,
          next_page_token: nextPageToken ?? null,
        }),
      ),
  }),
  walletDelegationReject: declare({
    route: "POST /v0/wallet/minting-delegations/{contract_id}/reject",
    summary: "Gives it up.",
    claims,
    body: noBody(),
    reply: nothing(),
    handle: (services, { caller, params }) =>
      asOwnerDone(services, caller, "rejectMintingDelegation", (context, owner) =>
        rejectDelegation(context, owner, "delegation", params.contract_id),
      ),
  }),
};
