/** What a validator answers, and what SVs may ask for. */
import { authenticated, participantAdmin } from "../../auth/index.js";
import { voteResultOperations } from "../scan/votes.js";
import { healthOperations } from "../splice/health.js";
import { requiring } from "../splice/requiring.js";
import { unimplemented } from "../splice/unimplemented.js";
import { scanProxyOperations } from "./scan-proxy.js";
import { validatorUserOperations } from "./users.js";

export const validatorOperations = {
  ...healthOperations, ...validatorUserOperations, ...scanProxyOperations, ...requiring(voteResultOperations, participantAdmin),
  ...unimplemented({
    proxyTransferCommandStatus: "GET /v0/scan-proxy/transfer-command/status",
    walletUserStatus: "GET /v0/wallet/user-status",
    walletTap: "POST /v0/wallet/tap",
    walletBalance: "GET /v0/wallet/balance",
    walletAmulets: "GET /v0/wallet/amulets",
    walletTransactions: "POST /v0/wallet/transactions",
    walletPreapproval: "POST /v0/wallet/transfer-preapproval",
    walletPreapprovalSend: "POST /v0/wallet/transfer-preapproval/send",
    walletTransfer: "POST /v0/wallet/token-standard/transfers",
    walletTransfers: "GET /v0/wallet/token-standard/transfers",
    walletTransferAccept: "POST /v0/wallet/token-standard/transfers/{contract_id}/accept",
    walletTransferReject: "POST /v0/wallet/token-standard/transfers/{contract_id}/reject",
    walletTransferWithdraw: "POST /v0/wallet/token-standard/transfers/{contract_id}/withdraw",
    walletTransferOffer: "POST /v0/wallet/transfer-offers",
    walletTransferOffers: "GET /v0/wallet/transfer-offers",
    walletAllocationRequests: "GET /v0/wallet/token-standard/allocation-requests",
    walletAllocations: "GET /v0/allocations",
    walletAllocate: "POST /v0/allocations",
    walletAllocationWithdraw: "POST /v0/allocations/{contract_id}/withdraw",
    adminPreapprovals: "GET /v0/admin/transfer-preapprovals",
    adminPreapproval: "GET /v0/admin/transfer-preapprovals/by-party/{receiver-party}",
    adminPreapprovalCancel: "DELETE /v0/admin/transfer-preapprovals/by-party/{receiver-party}",
    externalPartyTopology: "POST /v0/admin/external-party/topology/generate",
    externalPartyTopologySubmit: "POST /v0/admin/external-party/topology/submit",
    externalPartySetup: "POST /v0/admin/external-party/setup-proposal",
    externalPartySetups: "GET /v0/admin/external-party/setup-proposal",
    externalPartyPrepareAccept: "POST /v0/admin/external-party/setup-proposal/prepare-accept",
    externalPartySubmitAccept: "POST /v0/admin/external-party/setup-proposal/submit-accept",
    externalPartyBalance: "GET /v0/admin/external-party/balance",
  }, authenticated),
};

/** What SVs may ask for; the same answers as elsewhere. */
export const svOperations = { ...healthOperations, ...requiring(voteResultOperations, participantAdmin) };
