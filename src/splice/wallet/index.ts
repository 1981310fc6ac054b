/** Wallets of users, over the ledger: each does what its owner may, with the registry's contexts, and reads what he sees. */
export { createOwnPreapproval, Wallets, type UserStatus, type Wallet, type WalletAct } from "./wallet.js";
export { Lines } from "./lines.js";
export type { SignedSubmission, SignedTopology } from "./external-parties.js";
export type { Meta } from "./commands.js";
export type { PartyAndAmount } from "./movements.js";
export type { BalanceChangeItem, NotificationItem, TransactionItem, TransactionSubtype, TransferItem } from "./history-items.js";
export { allocationRequestsOf, rejectAllocationRequest } from "./allocation-requests.js";
export {
  allocateV1,
  allocateV2,
  type AllocationRequestV1,
  type AllocationRequestV2,
  type AllocationResult,
  allocationsOf,
  type WithdrawnV1,
  type WithdrawnV2,
  withdrawV1,
  withdrawV2,
} from "./allocations.js";
export { type AmuletPosition, type AmuletPositions, type Balance, balanceOf, positionsOf } from "./amulets.js";
export { acceptPaymentRequest, paymentRequest, rejectPaymentRequest } from "./app-payments.js";
export { activeCoupons, allocateCoupon, withdrawCoupon } from "./development-fund.js";
export { type ArchivedCoupon, couponHistory } from "./development-fund-history.js";
export { OwnAmulets } from "./own-amulets.js";
export { listedContracts, listedContractsWithState, listedValidatorRewards } from "./listed-contracts.js";
export { acceptDelegation, delegationsOf, type DelegationsPage, rejectDelegation } from "./minting-delegations.js";
export { ownEntries, type OwnEntry, requestEntry } from "./name-entries.js";
export { featureOwner, sendPreapproved, tap, unfeatureOwner } from "./payments.js";
export {
  acceptSubscription,
  cancelSubscription,
  rejectSubscription,
  subscriptionRequest,
  subscriptionsOf,
  type SubscriptionWithState,
} from "./subscriptions.js";
export { createTransfer, endTransfer, type TransferRequest, type TransferResult } from "./token-transfers.js";
export { trackedOffsets } from "./tracked.js";
export { createTrafficRequest, trafficRequestStatus, type TrafficRequestStatus } from "./traffic-requests.js";
export { transactionsOf } from "./transactions.js";
export { acceptOffer, createOffer, endOffer, offerStatus, type OfferStatus } from "./transfer-offers.js";
