/** What nobody claimed is kept in few contracts. */
import { limits } from "../../config.js";
import { instantOf } from "../instants.js";
import { templates, type Name } from "../names.js";
import { idsOf } from "./reward-coupons.js";
import { byRules, nothingDue, ofDso, type Economy, type Trigger } from "./trigger.js";

interface Kind {
  readonly template: Name;
  readonly choice: string;
  readonly argument: (contractIds: readonly string[]) => object;
}

export const mergeUnclaimedRewards = merging("merge-unclaimed-rewards", "puts rewards that nobody claimed together in one contract", {
  template: templates.unclaimedReward,
  choice: "DsoRules_MergeUnclaimedRewards",
  argument: (unclaimedRewardCids) => ({ unclaimedRewardCids }),
});

export const mergeUnclaimedCoupons = merging("merge-unclaimed-coupons", "the same for coupons of the development fund", {
  template: templates.unclaimedDevelopmentFundCoupon,
  choice: "DsoRules_MergeUnclaimedDevelopmentFundCoupons",
  argument: (unclaimedDevelopmentFundCouponCids) => ({ choiceArg: { unclaimedDevelopmentFundCouponCids } }),
});

function merging(name: string, what: string, { template, choice, argument }: Kind): Trigger {
  return {
    name,
    what,
    async due(economy) {
      const { amuletRules } = economy,
        contracts = await ofDso(economy, template, limits.automationContractsMax);
      const last = contracts.at(-1);
      if (last === undefined || contracts.length <= keptApart(economy)) return nothingDue;
      const submission = () => byRules(economy, choice, { amuletRulesCid: amuletRules.contractId, ...argument(idsOf(contracts)) });
      return { tasks: [{ key: last.contractId, since: instantOf(last.createdAt), submission }] };
    },
  };
}

/** The rules refuse to merge fewer rewards. */
const keptApart = ({ dsoRules }: Economy): number => Number(dsoRules.payload.config.numUnclaimedRewardsThreshold);
