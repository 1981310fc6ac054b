import { authenticated } from "../../auth/index.js";
import { noBody } from "../body.js";
import { json } from "../operation.js";
import { asOwnerAs } from "./owner.js";
import { declare } from "./services.js";
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

const claims = () => authenticated;

/** Contracts of the caller's that are told as they are. */
export const walletContractOperations = {
  walletTransferOffers: declare({
    route: "GET /v0/wallet/transfer-offers",
    summary: "Offers that wait for their receiver.",
    claims,
    body: noBody(),
    reply: json<ListTransferOffersResponse>(),
    handle: (services, { caller }) =>
      asOwnerAs(
        services,
        caller,
        "walletTransferOffers",
        (wallet) => wallet.contracts("transferOffer"),
        (contracts) => ({ offers: contracts }),
      ),
  }),
  walletAcceptedTransferOffers: declare({
    route: "GET /v0/wallet/accepted-transfer-offers",
    summary: "Offers that wait for their payment.",
    claims,
    body: noBody(),
    reply: json<ListAcceptedTransferOffersResponse>(),
    handle: (services, { caller }) =>
      asOwnerAs(
        services,
        caller,
        "walletAcceptedTransferOffers",
        (wallet) => wallet.contracts("acceptedTransferOffer"),
        (contracts) => ({ accepted_offers: contracts }),
      ),
  }),
  walletAppPaymentRequests: declare({
    route: "GET /v0/wallet/app-payment-requests",
    summary: "Payments that apps ask for.",
    claims,
    body: noBody(),
    reply: json<ListAppPaymentRequestsResponse>(),
    handle: (services, { caller }) =>
      asOwnerAs(
        services,
        caller,
        "walletAppPaymentRequests",
        (wallet) => wallet.contractsWithState("appPaymentRequest"),
        (contracts) => ({ payment_requests: contracts }),
      ),
  }),
  walletAcceptedAppPayments: declare({
    route: "GET /v0/wallet/accepted-app-payments",
    summary: "Payments that apps have not collected yet.",
    claims,
    body: noBody(),
    reply: json<ListAcceptedAppPaymentsResponse>(),
    handle: (services, { caller }) =>
      asOwnerAs(
        services,
        caller,
        "walletAcceptedAppPayments",
        (wallet) => wallet.contractsWithState("acceptedAppPayment"),
        (contracts) => ({ accepted_app_payments: contracts }),
      ),
  }),
  walletSubscriptionRequests: declare({
    route: "GET /v0/wallet/subscription-requests",
    summary: "Subscriptions that apps ask for.",
    claims,
    body: noBody(),
    reply: json<ListSubscriptionRequestsResponse>(),
    handle: (services, { caller }) =>
      asOwnerAs(
        services,
        caller,
        "walletSubscriptionRequests",
        (wallet) => wallet.contracts("subscriptionRequest"),
        (contracts) => ({ subscription_requests: contracts }),
      ),
  }),
  walletSubscriptionInitialPayments: declare({
    route: "GET /v0/wallet/subscription-initial-payments",
    summary: "First payments of subscriptions that apps have not collected yet.",
    claims,
    body: noBody(),
    reply: json<ListSubscriptionInitialPaymentsResponse>(),
    handle: (services, { caller }) =>
      asOwnerAs(
        services,
        caller,
        "walletSubscriptionInitialPayments",
        (wallet) => wallet.contracts("subscriptionInitialPayment"),
        (contracts) => ({ initial_payments: contracts }),
      ),
  }),
  walletAppRewardCoupons: declare({
    route: "GET /v0/wallet/app-reward-coupons",
    summary: "Rewards of apps that are not collected yet.",
    claims,
    body: noBody(),
    reply: json<ListAppRewardCouponsResponse>(),
    handle: (services, { caller }) =>
      asOwnerAs(
        services,
        caller,
        "walletAppRewardCoupons",
        (wallet) => wallet.contracts("appRewardCoupon"),
        (contracts) => ({ app_reward_coupons: contracts }),
      ),
  }),
  walletValidatorRewardCoupons: declare({
    route: "GET /v0/wallet/validator-reward-coupons",
    summary: "Rewards of validators that are not collected yet.",
    claims,
    body: noBody(),
    reply: json<ListValidatorRewardCouponsResponse>(),
    handle: (services, { caller }) =>
      asOwnerAs(
        services,
        caller,
        "walletValidatorRewardCoupons",
        (wallet) => wallet.validatorRewards(),
        (contracts) => ({ validator_reward_coupons: contracts }),
      ),
  }),
  walletValidatorFaucetCoupons: declare({
    route: "GET /v0/wallet/validator-faucet-coupons",
    summary: "Faucet coupons that are not collected yet.",
    claims,
    body: noBody(),
    reply: json<ListValidatorFaucetCouponsResponse>(),
    handle: (services, { caller }) =>
      asOwnerAs(
        services,
        caller,
        "walletValidatorFaucetCoupons",
        (wallet) => wallet.contracts("validatorFaucetCoupon"),
        (contracts) => ({ validator_faucet_coupons: contracts }),
      ),
  }),
  walletValidatorLivenessActivityRecords: declare({
    route: "GET /v0/wallet/validator-liveness-activity-records",
    summary: "Records of liveness that are not collected yet.",
    claims,
    body: noBody(),
    reply: json<ListValidatorLivenessActivityRecordsResponse>(),
    handle: (services, { caller }) =>
      asOwnerAs(
        services,
        caller,
        "walletValidatorLivenessActivityRecords",
        (wallet) => wallet.contracts("validatorLivenessActivityRecord"),
        (contracts) => ({ validator_liveness_activity_records: contracts }),
      ),
  }),
  walletSvRewardCoupons: declare({
    route: "GET /v0/wallet/sv-reward-coupons",
    summary: "Rewards of SVs that are not collected yet.",
    claims,
    body: noBody(),
    reply: json<ListSvRewardCouponsResponse>(),
    handle: (services, { caller }) =>
      asOwnerAs(
        services,
        caller,
        "walletSvRewardCoupons",
        (wallet) => wallet.contracts("svRewardCoupon"),
        (contracts) => ({ sv_reward_coupons: contracts }),
      ),
  }),
};
