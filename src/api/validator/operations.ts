/** What a validator answers, and what SVs may ask for. */
import { authenticated, participantAdmin } from "../../auth/index.js";
import { licenseOperations, voteResultOperations } from "../scan/index.js";
import { healthOperations } from "../splice/health.js";
import { requiring } from "../splice/requiring.js";
import { unimplemented } from "../splice/unimplemented.js";
import { preapprovalOperations } from "./preapprovals.js";
import { scanProxyOperations } from "./scan-proxy.js";
import { svVotingOperations } from "./sv.js";
import { validatorUserOperations } from "./users.js";
import { walletAllocationOperations } from "./wallet-allocations.js";
import { walletContractOperations } from "./wallet-contracts.js";
import { walletTransferOperations } from "./wallet-transfers.js";
import { walletOperations } from "./wallet.js";

export const validatorOperations = {
  ...healthOperations, ...validatorUserOperations, ...preapprovalOperations,
  ...walletOperations, ...walletTransferOperations, ...walletAllocationOperations, ...walletContractOperations,
  ...scanProxyOperations, ...requiring(voteResultOperations, participantAdmin),
  ...unimplemented({
    externalPartyTopology: "POST /v0/admin/external-party/topology/generate",
    externalPartyTopologySubmit: "POST /v0/admin/external-party/topology/submit",
    externalPartySetup: "POST /v0/admin/external-party/setup-proposal",
    externalPartySetups: "GET /v0/admin/external-party/setup-proposal",
    externalPartyPrepareAccept: "POST /v0/admin/external-party/setup-proposal/prepare-accept",
    externalPartySubmitAccept: "POST /v0/admin/external-party/setup-proposal/submit-accept",
    externalPartyBalance: "GET /v0/admin/external-party/balance",
  }, authenticated),
};

/** What SVs may ask for, and do. */
export const svOperations = {
  ...healthOperations, ...requiring(voteResultOperations, participantAdmin), ...requiring(licenseOperations, participantAdmin), ...svVotingOperations,
};
