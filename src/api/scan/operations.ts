/** What Scan answers. */
import { healthOperations } from "../splice/health.js";
import { unimplemented } from "../splice/unimplemented.js";
import { backfillingOperations } from "./backfilling.js";
import { historyOperations } from "./history.js";
import { licenseOperations, networkOperations, sharedNetworkOperations } from "./network.js";
import { holdingsSummaryOperations, stateOperations } from "./state.js";
import { rewardWeightOperations, voteRequestOperations, voteResultOperations } from "./votes.js";

export const scanOperations = {
  ...healthOperations,
  ...historyOperations,
  ...backfillingOperations,
  ...stateOperations,
  ...holdingsSummaryOperations,
  ...sharedNetworkOperations,
  ...networkOperations,
  ...licenseOperations,
  ...voteResultOperations,
  ...rewardWeightOperations,
  ...voteRequestOperations,
  ...unimplemented("there is no network of sequencers behind it that somebody could join", "none", {
    synchronizerIdentities: "GET /v0/synchronizer-identities/{domain_id_prefix}",
    synchronizerBootstrap: "GET /v0/synchronizer-bootstrapping-transactions/{domain_id_prefix}",
  }),
  ...unimplemented("rewards are not accounted for by traffic", "none", {
    earliestRewardRound: "GET /v0/internal/reward-accounting-process/rounds/earliest-available",
    rewardActivity: "GET /v0/internal/reward-accounting-process/rounds/{round_number}/activity-totals",
    rewardRootHash: "GET /v0/internal/reward-accounting-process/rounds/{round_number}/root-hash",
    rewardBatch: "GET /v0/internal/reward-accounting-process/rounds/{round_number}/batches/{batch_hash}",
  }),
  ...unimplemented("history is not exported to files; pages of updates and of active contracts have all of it", "none", {
    acsOfParty: "GET /v0/acs/{party}",
    bulkAcs: "GET /v0/history/bulk/acs",
    bulkUpdates: "POST /v0/history/bulk/updates",
    bulkChecksums: "POST /v0/history/bulk/checksums",
  }),
};
