/** What clients of a wallet send and get; names are Splice's. */
import type {
  ArchivedCoupon,
  ContractWithState,
  DescribedContract,
  Meta,
  OwnEntry,
  SubscriptionWithState,
  TransactionItem,
} from "../../splice/index.js";
import type { Int64, Int64Input } from "../ledger/types/scalars.js";

export interface TapRequest {
  readonly amount: string;
  readonly command_id?: string | null;
}
export interface TapResponse {
  readonly contract_id: string;
}
export type SelfGrantFeaturedAppRightRequest = object | null;
export interface ListTransactionsRequest {
  readonly begin_after_id?: string | null;
  readonly page_size: Int64Input;
}
export interface ListTransactionsResponse {
  readonly items: readonly TransactionItem[];
}
export interface CreateTransferPreapprovalResponse {
  readonly transfer_preapproval_contract_id: string;
}
export interface TransferPreapprovalSendRequest {
  readonly receiver_party_id: string;
  readonly amount: string;
  readonly deduplication_id: string;
  readonly description?: string | null;
}
/** Of transfers by the token standard, and of offers: times are microseconds since the epoch. */
export interface CreateTransferRequest {
  readonly receiver_party_id: string;
  readonly amount: string;
  readonly description: string;
  readonly expires_at: Int64Input;
  readonly tracking_id: string;
}
export interface ListTokenStandardTransfersResponse {
  readonly transfers: readonly DescribedContract[];
}
export interface CreateTransferOfferResponse {
  readonly offer_contract_id: string;
}
export interface ListTransferOffersResponse {
  readonly offers: readonly DescribedContract[];
}
export interface AcceptTransferOfferResponse {
  readonly accepted_offer_contract_id: string;
}
export interface ListAcceptedTransferOffersResponse {
  readonly accepted_offers: readonly DescribedContract[];
}
interface SettlementReference {
  readonly id: string;
  readonly cid?: string | null;
}
export interface AllocateAmuletRequest {
  readonly settlement: {
    readonly executor: string;
    readonly settlement_ref: SettlementReference;
    readonly requested_at: Int64Input;
    readonly allocate_before: Int64Input;
    readonly settle_before: Int64Input;
    readonly meta?: Meta | null;
  };
  readonly transfer_leg_id: string;
  readonly transfer_leg: { readonly receiver: string; readonly amount: string; readonly meta?: Meta | null };
}
export interface AllocateAmuletV2Request {
  readonly settlement: {
    readonly executors: readonly string[];
    readonly settlement_ref: SettlementReference;
    readonly settlement_deadline?: Int64Input | null;
    readonly meta?: Meta | null;
  };
  readonly transfer_leg_sides: readonly {
    readonly transfer_leg_id: string;
    readonly side: "SENDERSIDE" | "RECEIVERSIDE";
    readonly otherside: string;
    readonly amount: string;
    readonly meta?: Meta | null;
  }[];
  readonly next_iteration_funding?: Meta | null;
  readonly committed: boolean;
  readonly meta?: Meta | null;
}
export interface ListAllocationsResponse {
  readonly allocations: readonly { readonly contract: DescribedContract }[];
}
export interface ListAllocationRequestsResponse {
  readonly allocation_requests: readonly { readonly contract: DescribedContract }[];
}
export interface ChoiceExecutionMetadata {
  readonly meta: Meta;
}
export interface WalletFeatureSupportResponse {
  readonly token_standard: boolean;
  readonly transfer_preapproval_description: boolean;
}
export interface ListTransferPreapprovalsResponse {
  readonly contracts: readonly ContractWithState[];
}
export interface ListAppRewardCouponsResponse {
  readonly app_reward_coupons: readonly DescribedContract[];
}
export interface ListValidatorRewardCouponsResponse {
  readonly validator_reward_coupons: readonly DescribedContract[];
}
export interface ListValidatorFaucetCouponsResponse {
  readonly validator_faucet_coupons: readonly DescribedContract[];
}
export interface ListValidatorLivenessActivityRecordsResponse {
  readonly validator_liveness_activity_records: readonly DescribedContract[];
}
export interface ListSvRewardCouponsResponse {
  readonly sv_reward_coupons: readonly DescribedContract[];
}
export interface ListSubscriptionRequestsResponse {
  readonly subscription_requests: readonly DescribedContract[];
}
export interface ListSubscriptionInitialPaymentsResponse {
  readonly initial_payments: readonly DescribedContract[];
}
export interface ListAppPaymentRequestsResponse {
  readonly payment_requests: readonly ContractWithState[];
}
export interface ListAcceptedAppPaymentsResponse {
  readonly accepted_app_payments: readonly ContractWithState[];
}
export interface AcceptAppPaymentRequestResponse {
  readonly accepted_payment_contract_id: string;
}
export interface AcceptSubscriptionRequestResponse {
  readonly initial_payment_contract_id: string;
}
export interface ListSubscriptionsResponse {
  readonly subscriptions: readonly SubscriptionWithState[];
}
export interface CreateBuyTrafficRequest {
  readonly receiving_validator_party_id: string;
  readonly domain_id: string;
  readonly traffic_amount: Int64Input;
  readonly tracking_id: string;
  readonly expires_at: Int64Input;
}
export interface CreateBuyTrafficRequestResponse {
  readonly request_contract_id: string;
}
interface MintingDelegationWithStatus {
  readonly contract: DescribedContract;
  readonly beneficiary_hosted: boolean;
}
export interface ListMintingDelegationProposalsResponse {
  readonly proposals: readonly MintingDelegationWithStatus[];
  /** Null where there is none, as Splice's servers have it and their clients compare; its document leaves it out. */
  readonly next_page_token: Int64 | null;
}
export interface ListMintingDelegationsResponse {
  readonly delegations: readonly MintingDelegationWithStatus[];
  readonly next_page_token: Int64 | null;
}
export interface AcceptMintingDelegationProposalResponse {
  readonly contract_id: string;
}
export interface CreateAnsEntryRequest {
  readonly name: string;
  readonly url: string;
  readonly description: string;
}
export interface CreateAnsEntryResponse extends CreateAnsEntryRequest {
  readonly entryContextCid: string;
  readonly subscriptionRequestCid: string;
}
export interface ListAnsEntriesResponse {
  readonly entries: readonly OwnEntry[];
}

export interface AllocateDevelopmentFundCouponRequest {
  readonly beneficiary: string;
  readonly amount: string;
  /** Microseconds since the epoch. */
  readonly expiresAt: Int64Input;
  readonly reason: string;
}
export interface AllocateDevelopmentFundCouponResponse {
  readonly development_fund_coupon_contract_id: string;
  readonly unclaimed_development_fund_coupon_contract_id?: string;
}
export interface ListActiveDevelopmentFundCouponsResponse {
  readonly active_development_fund_coupons: readonly DescribedContract[];
}
export interface ListDevelopmentFundCouponHistoryResponse {
  readonly development_fund_coupon_history: readonly ArchivedCoupon[];
  readonly next_page_token: Int64 | null;
}
export interface WithdrawDevelopmentFundCouponRequest {
  readonly reason: string;
}
export interface WithdrawDevelopmentFundCouponResponse {
  readonly unclaimed_development_fund_coupon_contract_id: string;
}
