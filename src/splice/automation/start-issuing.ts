/** A round that ended is summed up, and what its coupons are worth is fixed. */
import { exercise } from "../commands.js";
import { parseDecimal, showDecimal } from "../decimal.js";
import { instantOf } from "../instants.js";
import { templates } from "../names.js";
import type { OfDso } from "../network.js";
import type { Contract } from "../contracts.js";
import { couponsOf, type Coupon, type Coupons } from "./reward-coupons.js";
import { byDso, ofDso, type Trigger } from "./trigger.js";

interface SummarizingMiningRound extends OfDso {
  readonly round: { readonly number: string };
}

export const startIssuing: Trigger = {
  name: "start-issuing",
  what: "sums up a round that ended and fixes what its coupons are worth",
  async due(economy) {
    const { contracts, dso, amuletRules } = economy;
    const rounds = await ofDso<SummarizingMiningRound>(economy, templates.summarizingMiningRound);
    return {
      tasks: rounds.map(({ contractId, createdAt, payload: { round } }) => ({
        key: contractId,
        since: instantOf(createdAt),
        submission: async () =>
          byDso(
            economy,
            exercise(templates.amuletRules, amuletRules.contractId, "AmuletRules_MiningRound_StartIssuing", {
              miningRoundCid: contractId,
              summary: summaryOf(await couponsOf(contracts, { dso, number: round.number }, Infinity)),
            }),
          ),
      })),
    };
  },
};

const summaryOf = ({ validator, app, sv, faucet, liveness }: Coupons) => ({
  totalValidatorRewardCoupons: total(validator),
  totalFeaturedAppRewardCoupons: total(app.filter(({ payload }) => payload.featured)),
  totalUnfeaturedAppRewardCoupons: total(app.filter(({ payload }) => !payload.featured)),
  totalSvRewardWeight: String(sv.reduce((sum, { payload }) => sum + BigInt(payload.weight ?? "0"), 0n)),
  optTotalValidatorFaucetCoupons: String(faucet.length + liveness.length),
});

const total = (coupons: readonly Contract<Coupon>[]): string =>
  showDecimal(coupons.reduce((sum, { payload }) => sum + parseDecimal(payload.amount ?? "0.0"), 0n));
