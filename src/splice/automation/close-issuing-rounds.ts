/** A round whose coupons had their time is closed. */
import { instantOf } from "../instants.js";
import { byRules, dueAt, type Trigger } from "./trigger.js";

export const closeIssuingRounds: Trigger = {
  name: "close-issuing-rounds",
  what: "closes a round whose coupons had their time",
  async due(economy, now) {
    const { network, dso, amuletRules } = economy;
    const rounds = await network.issuingRounds(dso);
    return dueAt(
      now,
      rounds.map(({ contractId, payload }) => ({
        at: instantOf(payload.targetClosesAt),
        task: () => ({
          key: contractId,
          submission: () =>
            byRules(economy, "DsoRules_MiningRound_Close", { amuletRulesCid: amuletRules.contractId, issuingRoundCid: contractId }),
        }),
      })),
    );
  },
};
