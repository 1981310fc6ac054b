import type { Caller } from "../../auth/index.js";
import {
  acceptOffer,
  createOffer,
  createTransfer,
  endOffer,
  endTransfer,
  listedContracts,
  type OfferStatus,
  offerStatus,
  type TransferRequest,
  type TransferResult,
} from "../../splice/index.js";
import { jsonBody, noBody } from "../body.js";
import { toInt64 } from "../ledger/index.js";
import { json, nothing } from "../operation.js";
import { asOwner, asOwnerAs, asOwnerDone } from "./owner.js";
import { claims, declare, type ValidatorServices } from "./services.js";
import type {
  AcceptTransferOfferResponse,
  CreateTransferOfferResponse,
  CreateTransferRequest,
  ListTokenStandardTransfersResponse,
} from "./wallet-types.js";

type Ending = Parameters<typeof endTransfer>[2];
const transferBody = jsonBody(typia.createValidate<CreateTransferRequest>(), typia.createAssert<CreateTransferRequest>());
const transferOf = (body: CreateTransferRequest): TransferRequest => ({
  receiver: body.receiver_party_id,
  amount: body.amount,
  description: body.description,
  expiresAt: toInt64(body.expires_at),
  trackingId: body.tracking_id,
});

/** `operation`: as Splice's documents call it. */
const ending =
  (operation: string, generation: Ending["generation"], step: Ending["step"]) =>
  (services: ValidatorServices, { caller, params }: { readonly caller: Caller; readonly params: { readonly contract_id: string } }) =>
    asOwner(services, caller, operation, (context, owner) =>
      endTransfer(context, owner, { generation, contractId: params.contract_id, step }),
    );

/** Transfers by the token standard, of both generations, and the older offers. */
export const walletTransferOperations = {
  walletTransfer: declare({
    route: "POST /v0/wallet/token-standard/transfers",
    summary: "A transfer by the token standard; once for a tracking id.",
    claims,
    body: transferBody,
    reply: json<TransferResult>(),
    handle: (services, { caller, body }) =>
      asOwner(services, caller, "createTokenStandardTransfer", (context, owner) => createTransfer(context, owner, "v1", transferOf(body))),
  }),
  walletTransferV2: declare({
    route: "POST /v2/wallet/token-standard/transfers",
    summary: "A transfer by the token standard, of the second generation; once for a tracking id.",
    claims,
    body: transferBody,
    reply: json<TransferResult>(),
    handle: (services, { caller, body }) =>
      asOwner(services, caller, "createTokenStandardTransferV2", (context, owner) =>
        createTransfer(context, owner, "v2", transferOf(body)),
      ),
  }),
  walletTransfers: declare({
    route: "GET /v0/wallet/token-standard/transfers",
    summary: "Transfers that wait for their receiver.",
    claims,
    body: noBody(),
    reply: json<ListTokenStandardTransfersResponse>(),
    handle: (services, { caller }) =>
      asOwnerAs(
        services,
        caller,
        "listTokenStandardTransfers",
        (context, owner) => listedContracts(context, owner, "amuletTransferInstruction"),
        (transfers) => ({ transfers }),
      ),
  }),
  walletTransferAccept: declare({
    route: "POST /v0/wallet/token-standard/transfers/{contract_id}/accept",
    summary: "Takes what was offered by a transfer.",
    claims,
    body: noBody(),
    reply: json<TransferResult>(),
    handle: ending("acceptTokenStandardTransfer", "v1", "accept"),
  }),
  walletTransferReject: declare({
    route: "POST /v0/wallet/token-standard/transfers/{contract_id}/reject",
    summary: "Declines a transfer; its sender has the Amulet back.",
    claims,
    body: noBody(),
    reply: json<TransferResult>(),
    handle: ending("rejectTokenStandardTransfer", "v1", "reject"),
  }),
  walletTransferWithdraw: declare({
    route: "POST /v0/wallet/token-standard/transfers/{contract_id}/withdraw",
    summary: "Takes back a transfer that nobody accepted.",
    claims,
    body: noBody(),
    reply: json<TransferResult>(),
    handle: ending("withdrawTokenStandardTransfer", "v1", "withdraw"),
  }),
  walletTransferV2Accept: declare({
    route: "POST /v2/wallet/token-standard/transfers/{contract_id}/accept",
    summary: "Takes what was offered by a transfer of the second generation.",
    claims,
    body: noBody(),
    reply: json<TransferResult>(),
    handle: ending("acceptTokenStandardTransferV2", "v2", "accept"),
  }),
  walletTransferV2Reject: declare({
    route: "POST /v2/wallet/token-standard/transfers/{contract_id}/reject",
    summary: "Declines a transfer of the second generation; its sender has the Amulet back.",
    claims,
    body: noBody(),
    reply: json<TransferResult>(),
    handle: ending("rejectTokenStandardTransferV2", "v2", "reject"),
  }),
  walletTransferV2Withdraw: declare({
    route: "POST /v2/wallet/token-standard/transfers/{contract_id}/withdraw",
    summary: "Takes back a transfer of the second generation that nobody accepted.",
    claims,
    body: noBody(),
    reply: json<TransferResult>(),
    handle: ending("withdrawTokenStandardTransferV2", "v2", "withdraw"),
  }),
  walletTransferOffer: declare({
    route: "POST /v0/wallet/transfer-offers",
    summary: "Offers a transfer, which is paid when its receiver accepts.",
    claims,
    body: transferBody,
    reply: json<CreateTransferOfferResponse>(),
    handle: (services, { caller, body }) =>
      asOwnerAs(
        services,
        caller,
        "createTransferOffer",
        (context, owner) => createOffer(context, owner, transferOf(body)),
        (contract) => ({ offer_contract_id: contract }),
      ),
  }),
  walletTransferOfferStatus: declare({
    route: "POST /v0/wallet/transfer-offers/{tracking_id}/status",
    summary: "What became of an offer.",
    claims,
    body: noBody(),
    reply: json<OfferStatus>(),
    handle: (services, { caller, params }) =>
      asOwner(services, caller, "getTransferOfferStatus", (context, owner) => offerStatus(context, owner, params.tracking_id)),
  }),
  walletTransferOfferAccept: declare({
    route: "POST /v0/wallet/transfer-offers/{contract_id}/accept",
    summary: "Accepts an offer; the sender's wallet, if it is here, then pays.",
    claims,
    body: noBody(),
    reply: json<AcceptTransferOfferResponse>(),
    handle: (services, { caller, params }) =>
      asOwnerAs(
        services,
        caller,
        "acceptTransferOffer",
        (context, owner, validator) => acceptOffer(context, owner, params.contract_id, validator),
        (contract) => ({
          accepted_offer_contract_id: contract,
        }),
      ),
  }),
  walletTransferOfferReject: declare({
    route: "POST /v0/wallet/transfer-offers/{contract_id}/reject",
    summary: "Declines an offer.",
    claims,
    body: noBody(),
    reply: nothing(),
    handle: (services, { caller, params }) =>
      asOwnerDone(services, caller, "rejectTransferOffer", (context, owner) => endOffer(context, owner, params.contract_id, "reject")),
  }),
  walletTransferOfferWithdraw: declare({
    route: "POST /v0/wallet/transfer-offers/{contract_id}/withdraw",
    summary: "Takes back an offer.",
    claims,
    body: noBody(),
    reply: nothing(),
    handle: (services, { caller, params }) =>
      asOwnerDone(services, caller, "withdrawTransferOffer", (context, owner) => endOffer(context, owner, params.contract_id, "withdraw")),
  }),
};
