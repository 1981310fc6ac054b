import {
  acceptPaymentRequest,
  acceptSubscription,
  cancelSubscription,
  type ContractWithState,
  type DescribedContract,
  paymentRequest,
  rejectPaymentRequest,
  rejectSubscription,
  subscriptionRequest,
  subscriptionsOf,
} from "../../splice/index.js";
import { noBody } from "../body.js";
import { json, nothing } from "../operation.js";
import { asOwner, asOwnerAs, asOwnerDone } from "./owner.js";
import { claims, declare } from "./services.js";
import type { AcceptAppPaymentRequestResponse, AcceptSubscriptionRequestResponse, ListSubscriptionsResponse } from "./wallet-types.js";

/** What apps ask the caller to pay, once or again and again. */
export const walletSubscriptionOperations = {
  walletAppPaymentRequest: declare({
    route: "GET /v0/wallet/app-payment-requests/{contract_id}",
    summary: "A payment that an app asks for.",
    claims,
    body: noBody(),
    reply: json<ContractWithState>(),
    handle: (services, { caller, params }) =>
      asOwner(services, caller, "getAppPaymentRequest", (context, owner) => paymentRequest(context, owner, params.contract_id)),
  }),
  walletAppPaymentAccept: declare({
    route: "POST /v0/wallet/app-payment-requests/{contract_id}/accept",
    summary: "Locks what an app asks for, until it collects it; again it is the same.",
    claims,
    body: noBody(),
    reply: json<AcceptAppPaymentRequestResponse>(),
    handle: (services, { caller, params }) =>
      asOwnerAs(
        services,
        caller,
        "acceptAppPaymentRequest",
        (context, owner, validator) => acceptPaymentRequest(context, owner, params.contract_id, validator),
        (contract) => ({
          accepted_payment_contract_id: contract,
        }),
      ),
  }),
  walletAppPaymentReject: declare({
    route: "POST /v0/wallet/app-payment-requests/{contract_id}/reject",
    summary: "Declines what an app asks for.",
    claims,
    body: noBody(),
    reply: nothing(),
    handle: (services, { caller, params }) =>
      asOwnerDone(services, caller, "rejectAppPaymentRequest", (context, owner) =>
        rejectPaymentRequest(context, owner, params.contract_id),
      ),
  }),
  walletSubscriptions: declare({
    route: "GET /v0/wallet/subscriptions",
    summary: "What the caller has subscribed to.",
    claims,
    body: noBody(),
    reply: json<ListSubscriptionsResponse>(),
    handle: (services, { caller }) =>
      asOwnerAs(services, caller, "listSubscriptions", subscriptionsOf, (subscriptions) => ({ subscriptions })),
  }),
  walletSubscriptionRequest: declare({
    route: "GET /v0/wallet/subscription-requests/{contract_id}",
    summary: "A subscription that an app asks for.",
    claims,
    body: noBody(),
    reply: json<DescribedContract>(),
    handle: (services, { caller, params }) =>
      asOwner(services, caller, "getSubscriptionRequest", (context, owner) => subscriptionRequest(context, owner, params.contract_id)),
  }),
  walletSubscriptionAccept: declare({
    route: "POST /v0/wallet/subscription-requests/{contract_id}/accept",
    summary: "Subscribes with a first payment; again it is the same.",
    claims,
    body: noBody(),
    reply: json<AcceptSubscriptionRequestResponse>(),
    handle: (services, { caller, params }) =>
      asOwnerAs(
        services,
        caller,
        "acceptSubscriptionRequest",
        (context, owner, validator) => acceptSubscription(context, owner, params.contract_id, validator),
        (contract) => ({
          initial_payment_contract_id: contract,
        }),
      ),
  }),
  walletSubscriptionReject: declare({
    route: "POST /v0/wallet/subscription-requests/{contract_id}/reject",
    summary: "Declines a subscription.",
    claims,
    body: noBody(),
    reply: nothing(),
    handle: (services, { caller, params }) =>
      asOwnerDone(services, caller, "rejectSubscriptionRequest", (context, owner) =>
        rejectSubscription(context, owner, params.contract_id),
      ),
  }),
  walletSubscriptionCancel: declare({
    route: "DELETE /v0/wallet/subscription-requests/{contract_id}",
    summary: "Ends a subscription, by its idle state.",
    claims,
    body: noBody(),
    reply: nothing(),
    handle: (services, { caller, params }) =>
      asOwnerDone(services, caller, "cancelSubscriptionRequest", (context, owner) =>
        cancelSubscription(context, owner, params.contract_id),
      ),
  }),
};
