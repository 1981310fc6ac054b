/** Of a closed round, coupons that nobody redeemed go back to the network, some in each transaction; then the round goes, too. */
import { limits } from "../../config.js";
import { exercise } from "../commands.js";
import { instantOf } from "../instants.js";
import { templates } from "../names.js";
import type { OfDso } from "../network.js";
import { couponsOf, idsOf } from "./reward-coupons.js";
import { byDso, bySv, ofDso, type Trigger } from "./trigger.js";

interface ClosedMiningRound extends OfDso {
  readonly round: { readonly number: string };
}

export const archiveClosedRounds: Trigger = {
  name: "archive-closed-rounds",
  what: "takes back coupons that nobody redeemed, then archives their round",
  async due(economy) {
    const { contracts, dso, sv, amuletRules, dsoRules } = economy;
    const rounds = await ofDso<ClosedMiningRound>(economy, templates.closedMiningRound);
    return {
      tasks: rounds.map(({ contractId, createdAt, payload: { round } }) => ({
        key: contractId,
        since: instantOf(createdAt),
        submission: async () => {
          const coupons = await couponsOf(contracts, { dso, number: round.number }, limits.automationContractsMax);
          if (Object.values(coupons).every((some) => some.length === 0))
            return byDso(
              economy,
              exercise(templates.amuletRules, amuletRules.contractId, "AmuletRules_MiningRound_Archive", {
                closedRoundCid: contractId,
              }),
            );
          const choiceArg = {
            closedRoundCid: contractId,
            validatorRewardCouponCids: idsOf(coupons.validator),
            appCouponCids: idsOf(coupons.app),
            svRewardCouponCids: idsOf(coupons.sv),
            optValidatorFaucetCouponCids: idsOf(coupons.faucet),
            optValidatorLivenessActivityRecordCids: idsOf(coupons.liveness),
          };
          return bySv(
            economy,
            exercise(templates.dsoRules, dsoRules.contractId, "DsoRules_ClaimExpiredRewards", {
              amuletRulesCid: amuletRules.contractId,
              choiceArg,
              sv,
            }),
          );
        },
      })),
    };
  },
};
