/** What of the development fund was given to somebody who did not take it in time is unclaimed again. */
import { instantOf } from "../instants.js";
import { templates } from "../names.js";
import type { OfDso } from "../network.js";
import { byRules, dueAt, ofDso, type Trigger } from "./trigger.js";

interface Coupon extends OfDso {
  readonly expiresAt: string;
}

export const expireFundCoupons: Trigger = {
  name: "expire-fund-coupons",
  what: "gives back to the development fund what nobody took in time",
  async due(economy, now) {
    const coupons = await ofDso<Coupon>(economy, templates.developmentFundCoupon);
    return dueAt(
      now,
      coupons.map(({ contractId, payload }) => ({
        at: instantOf(payload.expiresAt),
        task: () => ({
          key: contractId,
          submission: () => byRules(economy, "DsoRules_ExpireDevelopmentFundCoupon", { developmentFundCouponCid: contractId }),
        }),
      })),
    );
  },
};
