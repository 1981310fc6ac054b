/** Scan: what is on the ledger, for those who explore it. Open to everybody. */
import { noAuthentication } from "../../auth/index.js";
import type { Api } from "../api.js";
import { callersByToken } from "../ledger-api.js";
import { spliceErrors } from "../splice/errors.js";
import { scanOperations } from "./operations.js";
import type { ScanServices } from "./services.js";

export { scanOperations };
export { licenseOperations, sharedNetworkOperations } from "./network.js";
export { holdingsSummaryOperations } from "./state.js";
export type {
  BatchListVotesByVoteRequestsRequest,
  GetAnsRulesRequest,
  GetAnsRulesResponse,
  GetMigrationIdResponse,
  GetPartyToParticipantResponseV1,
  ListAmuletPriceVotesResponse,
  ListVoteRequestByTrackingCidResponse,
  LookupDsoRulesVoteRequestResponse,
  LookupFeaturedAppRightResponse,
  LookupTransferPreapprovalByPartyResponse,
} from "./types.js";
export { rewardWeightOperations, voteResultOperations } from "./votes.js";

export const scanApi = (services: ScanServices): Api => ({
  label: "scan.",
  prefixes: ["/api/scan"],
  operations: scanOperations,
  services,
  errors: spliceErrors,
  namesTraces: true,
  credentials: callersByToken(noAuthentication),
  documents: [{ path: "/docs/openapi/scan", write: async () => (await import("./openapi.js")).scanDocument() }],
});
