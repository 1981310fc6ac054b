import { activeCoupons, allocateCoupon, couponHistory, withdrawCoupon } from "../../splice/index.js";
import { jsonBody, noBody } from "../body.js";
import { toInt64 } from "../ledger/index.js";
import { json } from "../operation.js";
import { int32, int64, required } from "../query.js";
import { asOwnerAs } from "./owner.js";
import { claims, declare } from "./services.js";
import type {
  AllocateDevelopmentFundCouponRequest,
  AllocateDevelopmentFundCouponResponse,
  ListActiveDevelopmentFundCouponsResponse,
  ListDevelopmentFundCouponHistoryResponse,
  WithdrawDevelopmentFundCouponRequest,
  WithdrawDevelopmentFundCouponResponse,
} from "./wallet-types.js";

/** Shares of the development fund that its manager gives. */
export const walletDevelopmentFundOperations = {
  walletDevelopmentFundAllocate: declare({
    route: "POST /v0/wallet/development-fund-coupons/allocate",
    summary: "A share of the development fund for somebody, by the fund's manager; the same request once.",
    claims,
    body: jsonBody(
      typia.createValidate<AllocateDevelopmentFundCouponRequest>(),
      typia.createAssert<AllocateDevelopmentFundCouponRequest>(),
    ),
    reply: json<AllocateDevelopmentFundCouponResponse>(),
    handle: (services, { caller, body }) =>
      asOwnerAs(
        services,
        caller,
        "allocateDevelopmentFundCoupon",
        (context, owner) => allocateCoupon(context, owner, { ...body, expiresAt: toInt64(body.expiresAt) }),
        ({ coupon, rest }) => ({
          development_fund_coupon_contract_id: coupon,
          ...(rest === undefined ? {} : { unclaimed_development_fund_coupon_contract_id: rest }),
        }),
      ),
  }),
  walletDevelopmentFundCoupons: declare({
    route: "GET /v0/wallet/development-fund-coupons",
    summary: "Coupons that the caller gave or got, the first to expire first.",
    claims,
    body: noBody(),
    reply: json<ListActiveDevelopmentFundCouponsResponse>(),
    handle: (services, { caller }) =>
      asOwnerAs(services, caller, "listActiveDevelopmentFundCoupons", activeCoupons, (coupons) => ({
        active_development_fund_coupons: coupons,
      })),
  }),
  walletDevelopmentFundHistory: declare({
    route: "GET /v0/wallet/development-fund-coupons/history",
    summary: "Coupons that are gone, the last to go first.",
    claims,
    query: { after: int64(), limit: required(int32()) },
    body: noBody(),
    reply: json<ListDevelopmentFundCouponHistoryResponse>(),
    handle: (services, { caller, query }) =>
      asOwnerAs(
        services,
        caller,
        "listDevelopmentFundCouponHistory",
        (context, owner) => couponHistory(context, owner, query),
        ({ coupons, nextPageToken }) => ({
          development_fund_coupon_history: coupons,
          next_page_token: nextPageToken ?? null,
        }),
      ),
  }),
  walletDevelopmentFundWithdraw: declare({
    route: "POST /v0/wallet/development-fund-coupons/{contract_id}/withdraw",
    summary: "Takes a coupon back, by the fund's manager.",
    claims,
    body: jsonBody(
      typia.createValidate<WithdrawDevelopmentFundCouponRequest>(),
      typia.createAssert<WithdrawDevelopmentFundCouponRequest>(),
    ),
    reply: json<WithdrawDevelopmentFundCouponResponse>(),
    handle: (services, { caller, params, body }) =>
      asOwnerAs(
        services,
        caller,
        "withdrawDevelopmentFundCoupon",
        (context, owner) => withdrawCoupon(context, owner, params.contract_id, body.reason),
        (contract) => ({ unclaimed_development_fund_coupon_contract_id: contract }),
      ),
  }),
};
