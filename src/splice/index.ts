/** The token standard's servers as reads of the ledger: registries' choice contexts, history, snapshots, holdings, votes. */
export { createSplice, localNames, type Splice, type SpliceOptions } from "./create-splice.js";
export type { ActiveContract, ContractsPage, NumberedPage } from "./active-contracts.js";
export { Submitter, type Submission, type Submitted } from "./submitter.js";
export type { ContractWithState, DescribedContract } from "./described-contract.js";
export type { EventItem, HistoryQuery, MigrationInfo } from "./history/history.js";
export type { Encoding } from "./history/event-text.js";
export type { AssignmentItem, ReassignmentItem, UnassignmentItem } from "./history/reassignment.js";
export type { CreatedTreeEvent, ExercisedTreeEvent, SignedUpdateItem, UpdateItem, UpdateItemWithOffset } from "./history/update.js";
export type { Verdict } from "./history/verdict.js";
export type { OwnerSummary, OwnerSummaryWithFees, Summary, SummaryWithFees } from "./holdings-summary.js";
export type { AnsEntry } from "./ans-entries.js";
export type { DsoInfo, MiningRounds } from "./network-reads.js";
export type { Answer, Refusal, RefusalKind } from "./refusal.js";
export type { FactoryContext } from "./registry/amulet.js";
export type { AnyValue, ChoiceContext, DisclosedContract } from "./registry/choice-context.js";
export type { TokenContract, TokenInstrument, TokenRegistry } from "./registry/configuration.js";
export { clashAmong, readTokenRegistries } from "./registry/read-configuration.js";
export { findInstrument, type InstanceNames, type Instrument, type Metadata, type RegistryInfo } from "./registry/instruments.js";
export type { RoundFees } from "./round-fees.js";
export type { TransferCommandWithStatus } from "./transfer-commands.js";
export type { ReceivedFaucets } from "./validator-licenses.js";
export { migrationId } from "./snapshot-query.js";
export type { UserProblem } from "./wallet-users.js";
export type { VoteFilter } from "./votes/vote-results.js";
export {
  acceptDelegation,
  acceptOffer,
  acceptPaymentRequest,
  acceptSubscription,
  activeCoupons,
  allocateCoupon,
  allocateV1,
  allocateV2,
  allocationRequestsOf,
  type AllocationRequestV1,
  type AllocationRequestV2,
  type AllocationResult,
  allocationsOf,
  type AmuletPositions,
  type ArchivedCoupon,
  type Balance,
  balanceOf,
  cancelSubscription,
  couponHistory,
  createOffer,
  createOwnPreapproval,
  createTrafficRequest,
  createTransfer,
  delegationsOf,
  type DelegationsPage,
  endOffer,
  endTransfer,
  featureOwner,
  listedContracts,
  listedContractsWithState,
  listedValidatorRewards,
  type Meta,
  offerStatus,
  type OfferStatus,
  ownEntries,
  type OwnEntry,
  paymentRequest,
  positionsOf,
  rejectAllocationRequest,
  rejectDelegation,
  rejectPaymentRequest,
  rejectSubscription,
  requestEntry,
  sendPreapproved,
  type SignedSubmission,
  subscriptionRequest,
  subscriptionsOf,
  type SubscriptionWithState,
  tap,
  trafficRequestStatus,
  type TrafficRequestStatus,
  type TransactionItem,
  transactionsOf,
  type TransferRequest,
  type TransferResult,
  unfeatureOwner,
  type UserStatus,
  type Wallet,
  type WalletAct,
  type Wallets,
  withdrawCoupon,
  type WithdrawnV1,
  type WithdrawnV2,
  withdrawV1,
  withdrawV2,
} from "./wallet/index.js";
