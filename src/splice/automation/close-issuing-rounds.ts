/** A round whose coupons had their time is closed. */
import { exercise } from "../commands.js";
import { instantOf } from "../instants.js";
import { templates } from "../names.js";
import { bySv, dueAt, type Trigger } from "./trigger.js";

export const closeIssuingRounds: Trigger = {
  name: "close-issuing-rounds",
  what: "closes a round whose coupons had their time",
  async due(economy, now) {
    const { network, dso, sv, amuletRules, dsoRules } = economy;
    const rounds = await network.issuingRounds(dso);
    return dueAt(
      now,
      rounds.map(({ contractId, payload }) => ({
        at: instantOf(payload.targetClosesAt),
        task: () => ({
          key: contractId,
          submission: () =>
            bySv(
              economy,
              exercise(templates.dsoRules, dsoRules.contractId, "DsoRules_MiningRound_Close", {
                amuletRulesCid: amuletRules.contractId,
                issuingRoundCid: contractId,
                sv,
              }),
            ),
        }),
      })),
    );
  },
};
