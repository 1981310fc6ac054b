/** What a validator answers, and what SVs may ask for. */
import { authenticated, participantAdmin } from "../../auth/index.js";
import { licenseOperations, rewardWeightOperations, voteResultOperations } from "../scan/index.js";
import { healthOperations } from "../splice/health.js";
import { requiring } from "../splice/requiring.js";
import { unimplemented } from "../splice/unimplemented.js";
import { forSv } from "./for-sv.js";
import { preapprovalOperations } from "./preapprovals.js";
import { scanProxyOperations } from "./scan-proxy.js";
import { svPublicOperations, svVotingOperations } from "./sv.js";
import { validatorUserOperations } from "./users.js";
import { walletAllocationOperations } from "./wallet-allocations.js";
import { externalPartyHostOperations } from "./external-parties.js";
import { externalTransferOperations } from "./external-transfers.js";
import { nameEntryOperations } from "./name-entries.js";
import { walletContractOperations } from "./wallet-contracts.js";
import { walletDelegationOperations } from "./wallet-delegations.js";
import { walletDevelopmentFundOperations } from "./wallet-development-fund.js";
import { walletSubscriptionOperations } from "./wallet-subscriptions.js";
import { walletTrafficOperations } from "./wallet-traffic.js";
import { walletTransferOperations } from "./wallet-transfers.js";
import { walletOperations } from "./wallet.js";

export const validatorOperations = {
  ...healthOperations,
  ...validatorUserOperations,
  ...preapprovalOperations,
  ...externalPartyHostOperations,
  ...externalTransferOperations,
  ...walletOperations,
  ...walletTransferOperations,
  ...walletAllocationOperations,
  ...walletContractOperations,
  ...walletSubscriptionOperations,
  ...walletTrafficOperations,
  ...walletDelegationOperations,
  ...walletDevelopmentFundOperations,
  ...nameEntryOperations,
  ...scanProxyOperations,
  ...requiring(voteResultOperations, participantAdmin),
  ...unimplemented("a participant's keys do not leave the node, and it has no connection to a sequencer", authenticated, {
    participantIdentities: "GET /v0/admin/participant/identities",
    synchronizerConnection: "GET /v0/admin/participant/global-domain-connection-config",
  }),
};

/** What SVs may ask for, and do. */
export const svOperations = {
  ...healthOperations,
  ...svPublicOperations,
  ...forSv({
    ...voteResultOperations,
    ...rewardWeightOperations,
    ...licenseOperations,
    ...svVotingOperations,
    ...unimplemented("there is no network of sequencers and mediators behind it", authenticated, {
      cometBftStatus: "GET /v0/admin/domain/cometbft/status",
      cometBftRequest: "POST /v0/admin/domain/cometbft/json-rpc",
      cometBftDebug: "GET /v0/admin/domain/cometbft/debug",
      sequencerStatus: "GET /v0/admin/domain/sequencer/status",
      mediatorStatus: "GET /v0/admin/domain/mediator/status",
      cancelUpgrade: "POST /v0/admin/synchronizer/lsu/cancel",
      synchronizerIdentities: "GET /v0/admin/domain/identities-dump",
      reconcileState: "POST /v0/synchronizer/{domain_id_prefix}/reconcile-daml-state",
      signPartyToParticipant: "POST /v0/synchronizer/{domain_id_prefix}/sign_dso_party_to_participant",
    }),
    ...unimplemented("nobody joins the network from outside: its one SV and its validators are made at the start", authenticated, {
      ongoingOnboardings: "GET /v0/admin/validator/onboarding/ongoing",
      prepareOnboarding: "POST /v0/admin/validator/onboarding/prepare",
      onboardValidator: "POST /v0/onboard/validator",
      startSvOnboarding: "POST /v0/onboard/sv/start",
      svOnboardingStatus: "GET /v0/onboard/sv/status/{candidate_party_id_or_name}",
      authorizePartyMigration: "POST /v0/onboard/sv/party-migration/authorize",
      onboardSequencer: "POST /v0/onboard/sv/sequencer",
      devNetOnboarding: "POST /v0/devnet/onboard/validator/prepare",
    }),
    ...unimplemented("rewards are not accounted for by traffic", authenticated, {
      archiveRewardDryRuns: "POST /v0/admin/reward-accounting-process/archive-dry-runs",
    }),
  }),
};
