/** What Scan answers. */
import { healthOperations } from "../splice/health.js";
import { unimplemented } from "../splice/unimplemented.js";
import { historyOperations } from "./history.js";
import { networkOperations, sharedNetworkOperations } from "./network.js";
import { holdingsSummaryOperations, stateOperations } from "./state.js";
import { voteRequestOperations, voteResultOperations } from "./votes.js";

export const scanOperations = {
  ...healthOperations,
  ...historyOperations,
  ...stateOperations,
  ...holdingsSummaryOperations,
  ...sharedNetworkOperations,
  ...networkOperations,
  ...voteResultOperations,
  ...voteRequestOperations,
  ...unimplemented(
    {
      updateHistoryV1: "POST /v1/updates",
      updateByIdV1: "GET /v1/updates/{update_id}",
      updateHistoryV0: "POST /v0/updates",
      updateByIdV0: "GET /v0/updates/{update_id}",
      acsOfParty: "GET /v0/acs/{party}",
      amuletConfigForRound: "GET /v0/amulet-config-for-round",
      validatorLicenses: "GET /v0/admin/validator/licenses",
      validatorFaucets: "GET /v0/validators/validator-faucets",
      transferCommandStatus: "GET /v0/transfer-command/status",
      bulkAcs: "GET /v0/history/bulk/acs",
      bulkUpdates: "POST /v0/history/bulk/updates",
      bulkChecksums: "POST /v0/history/bulk/checksums",
    },
    "none",
  ),
};
