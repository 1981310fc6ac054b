import { listedContracts, listedContractsWithState, listedValidatorRewards, type WalletAct } from "../../splice/index.js";
import { noBody } from "../body.js";
import { json, type Reply, type RouteText } from "../operation.js";
import type { Spliced } from "../wire.js";
import { asOwnerAs } from "./owner.js";
import { claims, declare } from "./services.js";
import type {
  ListAcceptedAppPaymentsResponse,
  ListAcceptedTransferOffersResponse,
  ListAppPaymentRequestsResponse,
  ListAppRewardCouponsResponse,
  ListSubscriptionInitialPaymentsResponse,
  ListSubscriptionRequestsResponse,
  ListSvRewardCouponsResponse,
  ListTransferOffersResponse,
  ListValidatorFaucetCouponsResponse,
  ListValidatorLivenessActivityRecordsResponse,
  ListValidatorRewardCouponsResponse,
} from "./wallet-types.js";

interface Listing<R extends RouteText, T, W> {
  readonly route: R;
  readonly summary: string;
  /** As Splice's documents call it. */
  readonly operation: string;
  readonly reply: Reply<W | Spliced<W>, W>;
  readonly read: WalletAct<T>;
  readonly as: (contracts: T) => NoInfer<W>;
}

const listed = <const R extends RouteText, T, W>({ route, summary, operation, reply, read, as }: Listing<R, T, W>) =>
  declare({
    route,
    summary,
    claims,
    body: noBody(),
    reply,
    handle: (services, { caller }) => asOwnerAs(services, caller, operation, read, as),
  });

/** Contracts of the caller's that are told as they are. */
export const walletContractOperations = {
  walletTransferOffers: listed({
    route: "GET /v0/wallet/transfer-offers",
    summary: "Offers that wait for their receiver.",
    operation: "listTransferOffers",
    reply: json<ListTransferOffersResponse>(),
    read: (context, owner) => listedContracts(context, owner, "transferOffer"),
    as: (contracts) => ({ offers: contracts }),
  }),
  walletAcceptedTransferOffers: listed({
    route: "GET /v0/wallet/accepted-transfer-offers",
    summary: "Offers that wait for their payment.",
    operation: "listAcceptedTransferOffers",
    reply: json<ListAcceptedTransferOffersResponse>(),
    read: (context, owner) => listedContracts(context, owner, "acceptedTransferOffer"),
    as: (contracts) => ({ accepted_offers: contracts }),
  }),
  walletAppPaymentRequests: listed({
    route: "GET /v0/wallet/app-payment-requests",
    summary: "Payments that apps ask for.",
    operation: "listAppPaymentRequests",
    reply: json<ListAppPaymentRequestsResponse>(),
    read: (context, owner) => listedContractsWithState(context, owner, "appPaymentRequest"),
    as: (contracts) => ({ payment_requests: contracts }),
  }),
  walletAcceptedAppPayments: listed({
    route: "GET /v0/wallet/accepted-app-payments",
    summary: "Payments that apps have not collected yet.",
    operation: "listAcceptedAppPayments",
    reply: json<ListAcceptedAppPaymentsResponse>(),
    read: (context, owner) => listedContractsWithState(context, owner, "acceptedAppPayment"),
    as: (contracts) => ({ accepted_app_payments: contracts }),
  }),
  walletSubscriptionRequests: listed({
    route: "GET /v0/wallet/subscription-requests",
    summary: "Subscriptions that apps ask for.",
    operation: "listSubscriptionRequests",
    reply: json<ListSubscriptionRequestsResponse>(),
    read: (context, owner) => listedContracts(context, owner, "subscriptionRequest"),
    as: (contracts) => ({ subscription_requests: contracts }),
  }),
  walletSubscriptionInitialPayments: listed({
    route: "GET /v0/wallet/subscription-initial-payments",
    summary: "First payments of subscriptions that apps have not collected yet.",
    operation: "listSubscriptionInitialPayments",
    reply: json<ListSubscriptionInitialPaymentsResponse>(),
    read: (context, owner) => listedContracts(context, owner, "subscriptionInitialPayment"),
    as: (contracts) => ({ initial_payments: contracts }),
  }),
  walletAppRewardCoupons: listed({
    route: "GET /v0/wallet/app-reward-coupons",
    summary: "Rewards of apps that are not collected yet.",
    operation: "listAppRewardCoupons",
    reply: json<ListAppRewardCouponsResponse>(),
    read: (context, owner) => listedContracts(context, owner, "appRewardCoupon"),
    as: (contracts) => ({ app_reward_coupons: contracts }),
  }),
  walletValidatorRewardCoupons: listed({
    route: "GET /v0/wallet/validator-reward-coupons",
    summary: "Rewards of validators that are not collected yet.",
    operation: "listValidatorRewardCoupons",
    reply: json<ListValidatorRewardCouponsResponse>(),
    read: listedValidatorRewards,
    as: (contracts) => ({ validator_reward_coupons: contracts }),
  }),
  walletValidatorFaucetCoupons: listed({
    route: "GET /v0/wallet/validator-faucet-coupons",
    summary: "Faucet coupons that are not collected yet.",
    operation: "listValidatorFaucetCoupons",
    reply: json<ListValidatorFaucetCouponsResponse>(),
    read: (context, owner) => listedContracts(context, owner, "validatorFaucetCoupon"),
    as: (contracts) => ({ validator_faucet_coupons: contracts }),
  }),
  walletValidatorLivenessActivityRecords: listed({
    route: "GET /v0/wallet/validator-liveness-activity-records",
    summary: "Records of liveness that are not collected yet.",
    operation: "listValidatorLivenessActivityRecords",
    reply: json<ListValidatorLivenessActivityRecordsResponse>(),
    read: (context, owner) => listedContracts(context, owner, "validatorLivenessActivityRecord"),
    as: (contracts) => ({ validator_liveness_activity_records: contracts }),
  }),
  walletSvRewardCoupons: listed({
    route: "GET /v0/wallet/sv-reward-coupons",
    summary: "Rewards of SVs that are not collected yet.",
    operation: "listSvRewardCoupons",
    reply: json<ListSvRewardCouponsResponse>(),
    read: (context, owner) => listedContracts(context, owner, "svRewardCoupon"),
    as: (contracts) => ({ sv_reward_coupons: contracts }),
  }),
};
