/** Everything that automation does, in the order in which it is looked at: what others build on comes first. */
import { acceptPreapprovals, expirePreapprovals, renewPreapprovals } from "./preapprovals.js";
import { allocateActivityRecords, expireActivityRecords } from "./activity-records.js";
import { advanceOpenRounds } from "./advance-open-rounds.js";
import { archiveClosedRounds } from "./archive-closed-rounds.js";
import { closeIssuingRounds } from "./close-issuing-rounds.js";
import { closeVotes } from "./close-votes.js";
import { collectRewards } from "./collect-rewards.js";
import { completeTrafficRequests } from "./complete-traffic-requests.js";
import { convertActivityMarkers } from "./convert-activity-markers.js";
import { executeConfirmedActions } from "./execute-confirmed-actions.js";
import { expireAmulets } from "./expire-amulets.js";
import { expireConfirmations } from "./expire-confirmations.js";
import { expireFundCoupons } from "./expire-fund-coupons.js";
import { expireAllocations, expireAllocationsV2, expireTransfers } from "./expire-locks.js";
import { expireRequests } from "./expire-requests.js";
import { expireTransferCommands } from "./expire-transfer-commands.js";
import { mergeLicenses, mergeRewardStates, mergeTraffic } from "./merge-duplicates.js";
import { mergeUnclaimedCoupons, mergeUnclaimedRewards } from "./merge-unclaimed.js";
import { mintRewards } from "./mint-rewards.js";
import { collectNamePayments, endNameSubscriptions, expireNames, expireNameSubscriptions } from "./name-entries.js";
import { onboardValidators } from "./onboard-validators.js";
import { paySubscriptions } from "./pay-subscriptions.js";
import { payTransferOffers } from "./pay-transfer-offers.js";
import { clearPriceVotes } from "./price-votes.js";
import { publishScan } from "./publish-scan.js";
import { receiveSvRewards } from "./receive-sv-rewards.js";
import { recordLiveness } from "./record-liveness.js";
import { rejectMintingProposals } from "./reject-minting-proposals.js";
import { renewAmuletRules } from "./renew-amulet-rules.js";
import { renewConfigStates } from "./renew-config-states.js";
import { reportValidators } from "./report-validators.js";
import { sendTransferCommands } from "./send-transfer-commands.js";
import { startIssuing } from "./start-issuing.js";
import type { Trigger } from "./trigger.js";

export const triggers: readonly Trigger[] = [
  renewAmuletRules,
  publishScan,
  onboardValidators,
  reportValidators,
  convertActivityMarkers,
  recordLiveness,
  receiveSvRewards,
  advanceOpenRounds,
  startIssuing,
  executeConfirmedActions,
  collectRewards,
  mintRewards,
  closeIssuingRounds,
  archiveClosedRounds,
  renewConfigStates,
  clearPriceVotes,
  mergeUnclaimedRewards,
  mergeUnclaimedCoupons,
  expireFundCoupons,
  allocateActivityRecords,
  expireActivityRecords,
  mergeTraffic,
  mergeLicenses,
  mergeRewardStates,
  acceptPreapprovals,
  renewPreapprovals,
  expirePreapprovals,
  payTransferOffers,
  completeTrafficRequests,
  sendTransferCommands,
  expireTransferCommands,
  rejectMintingProposals,
  expireRequests,
  paySubscriptions,
  collectNamePayments,
  expireNames,
  expireNameSubscriptions,
  endNameSubscriptions,
  closeVotes,
  expireConfirmations,
  expireTransfers,
  expireAllocations,
  expireAllocationsV2,
  expireAmulets,
];

/** The table of the folder's README above. */
export const automationTable = (): string =>
  ["| name | what it does |", "|---|---|", ...triggers.map(({ name, what }) => `| \`${name}\` | ${what} |`)].join("\n");
