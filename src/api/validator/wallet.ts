import { ok } from "../../base/result.js";
import {
  type AmuletPositions,
  type Balance,
  balanceOf,
  createOwnPreapproval,
  featureOwner,
  positionsOf,
  sendPreapproved,
  tap,
  transactionsOf,
  unfeatureOwner,
  type UserStatus,
} from "../../splice/index.js";
import { jsonBody, noBody, optionalBody } from "../body.js";
import { toInt64 } from "../ledger/index.js";
import { json, nothing } from "../operation.js";
import { asOwner, asOwnerAs, asOwnerDone, walletUserOf } from "./owner.js";
import { claims, declare } from "./services.js";
import type {
  CreateTransferPreapprovalResponse,
  ListTransactionsRequest,
  ListTransactionsResponse,
  SelfGrantFeaturedAppRightRequest,
  TapRequest,
  TapResponse,
  TransferPreapprovalSendRequest,
  WalletFeatureSupportResponse,
} from "./wallet-types.js";

/** What a user does with the Amulet of his wallet, and sees of it. */
export const walletOperations = {
  walletUserStatus: declare({
    route: "GET /v0/wallet/user-status",
    summary: "Whether the caller has a wallet, and its party.",
    claims,
    body: noBody(),
    reply: json<UserStatus>(),
    handle: async ({ splice }, { caller }) => ok(await splice.wallets.status(walletUserOf({ splice }, caller))),
  }),
  walletFeatureSupport: declare({
    route: "GET /v0/feature-support",
    summary: "What the packages on the ledger allow.",
    claims,
    body: noBody(),
    reply: json<WalletFeatureSupportResponse>(),
    handle: ({ splice }) => ok({ token_standard: splice.wallets.knowsTokenStandard, transfer_preapproval_description: true }),
  }),
  walletTap: declare({
    route: "POST /v0/wallet/tap",
    summary: "New Amulet for an amount of dollars, as development networks allow; again with the same command id it is the first.",
    claims,
    body: jsonBody(typia.createValidate<TapRequest>(), typia.createAssert<TapRequest>()),
    reply: json<TapResponse>(),
    handle: (services, { caller, body }) =>
      asOwnerAs(
        services,
        caller,
        "tap",
        (context, owner) => tap(context, owner, { amount: body.amount, commandId: body.command_id ?? undefined }),
        (contract) => ({
          contract_id: contract,
        }),
      ),
  }),
  walletBalance: declare({
    route: "GET /v0/wallet/balance",
    summary: "What the caller holds, with the holding fees of the current round.",
    claims,
    body: noBody(),
    reply: json<Balance>(),
    handle: (services, { caller }) => asOwner(services, caller, "getBalance", balanceOf),
  }),
  walletAmulets: declare({
    route: "GET /v0/wallet/amulets",
    summary: "The contracts that the caller holds Amulet with.",
    claims,
    body: noBody(),
    reply: json<AmuletPositions>(),
    handle: (services, { caller }) => asOwner(services, caller, "list", positionsOf),
  }),
  walletTransactions: declare({
    route: "POST /v0/wallet/transactions",
    summary: "What moved the caller's Amulet, the newest first.",
    claims,
    body: jsonBody(typia.createValidate<ListTransactionsRequest>(), typia.createAssert<ListTransactionsRequest>()),
    reply: json<ListTransactionsResponse>(),
    handle: (services, { caller, body }) =>
      asOwnerAs(
        services,
        caller,
        "listTransactions",
        (context, owner) =>
          transactionsOf(context, owner, { beginAfterId: body.begin_after_id || undefined, pageSize: toInt64(body.page_size) }),
        (items) => ({ items }),
      ),
  }),
  walletSelfGrantFeaturedAppRight: declare({
    route: "POST /v0/wallet/self-grant-feature-app-right",
    summary: "Makes the caller's party a featured app, as development networks allow.",
    claims,
    body: optionalBody(
      jsonBody(typia.createValidate<SelfGrantFeaturedAppRightRequest>(), typia.createAssert<SelfGrantFeaturedAppRightRequest>()),
    ),
    reply: json<TapResponse>(),
    handle: (services, { caller }) =>
      asOwnerAs(services, caller, "selfGrantFeatureAppRight", featureOwner, (contract) => ({ contract_id: contract })),
  }),
  walletCancelFeaturedAppRights: declare({
    route: "DELETE /v0/wallet/cancel-featured-app-rights",
    summary: "Gives up the right to be featured, if there is one.",
    claims,
    body: noBody(),
    reply: nothing(),
    handle: (services, { caller }) => asOwnerDone(services, caller, "cancelFeaturedAppRights", unfeatureOwner),
  }),
  walletPreapproval: declare({
    route: "POST /v0/wallet/transfer-preapproval",
    summary: "Lets all transfers to the caller complete at once; the validator pays. 409 names the one that is there.",
    claims,
    body: noBody(),
    reply: json<CreateTransferPreapprovalResponse>(),
    handle: (services, { caller }) =>
      asOwnerAs(services, caller, "createTransferPreapproval", createOwnPreapproval, (contract) => ({
        transfer_preapproval_contract_id: contract,
      })),
  }),
  walletPreapprovalSend: declare({
    route: "POST /v0/wallet/transfer-preapproval/send",
    summary: "A transfer to somebody with a preapproval; once for a deduplication id.",
    claims,
    body: jsonBody(typia.createValidate<TransferPreapprovalSendRequest>(), typia.createAssert<TransferPreapprovalSendRequest>()),
    reply: nothing(),
    handle: (services, { caller, body }) =>
      asOwnerDone(services, caller, "transferPreapprovalSend", (context, owner) =>
        sendPreapproved(context, owner, {
          receiver: body.receiver_party_id,
          amount: body.amount,
          deduplicationId: body.deduplication_id,
          description: body.description ?? undefined,
        }),
      ),
  }),
};
