/** Wallets of users, over the ledger: each does what its owner may, with the registry's contexts, and reads what he sees. */
export { Wallets, type UserStatus, type Wallet } from "./wallet.js";
export { Lines } from "./lines.js";
export type { SignedSubmission, SignedTopology } from "./external-parties.js";
export type { AllocationRequestV1, AllocationRequestV2, AllocationResult, WithdrawnV1, WithdrawnV2 } from "./allocations.js";
export type { AmuletPosition, AmuletPositions, Balance } from "./amulets.js";
export type { Meta } from "./commands.js";
export type { TransferRequest, TransferResult } from "./token-transfers.js";
export type { PartyAndAmount } from "./movements.js";
export type { BalanceChangeItem, NotificationItem, TransactionItem, TransactionSubtype, TransferItem } from "./history-items.js";
export type { ArchivedCoupon } from "./development-fund-history.js";
export type { OwnEntry } from "./name-entries.js";
export type { DelegationsPage } from "./minting-delegations.js";
export type { SubscriptionWithState } from "./subscriptions.js";
export type { TrafficRequestStatus } from "./traffic-requests.js";
export type { OfferStatus } from "./transfer-offers.js";
