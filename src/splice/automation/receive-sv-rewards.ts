/** SVs claim their share of each round's rewards: a coupon with the weight that they have, for themselves alone. */
import { limits } from "../../config.js";
import { exercise } from "../commands.js";
import { mayActFor } from "../hosting.js";
import { instantOf } from "../instants.js";
import { templates } from "../names.js";
import type { OfDso } from "../network.js";
import { firstRoundAfter } from "./first-round-after.js";
import { dueAt, ofDso, type Trigger } from "./trigger.js";

interface SvRewardState extends OfDso {
  readonly svName: string;
  /** -1: of none yet. */
  readonly state: { readonly lastRoundCollected: { readonly number: string } };
}

export const receiveSvRewards: Trigger = {
  name: "receive-sv-rewards",
  what: "claims in each round the share of this node's SVs in its rewards",
  restSeconds: limits.automationRestSeconds,
  async due(economy, now) {
    const { ledger, network, dso, dsoRules, packagePreference } = economy,
      rounds = await network.openRounds(dso),
      states = await ofDso<SvRewardState>(economy, templates.svRewardState);
    const claims = dsoRules.payload.svs.flatMap(([sv, { name, svRewardWeight }]) => {
      const state = states.findLast(({ payload }) => payload.svName === name);
      if (state === undefined || !mayActFor(ledger, sv)) return [];
      const round = firstRoundAfter(state.payload.state.lastRoundCollected.number, rounds);
      return round === undefined ? [] : { sv, svRewardWeight, state, round };
    });
    return dueAt(
      now,
      claims.map(({ sv, svRewardWeight, state, round }) => ({
        at: instantOf(round.payload.opensAt),
        task: () => ({
          key: state.contractId,
          submission: () => ({
            actAs: [sv],
            readAs: [dso],
            commands: [
              exercise(templates.dsoRules, dsoRules.contractId, "DsoRules_ReceiveSvRewardCoupon", {
                sv,
                openRoundCid: round.contractId,
                rewardStateCid: state.contractId,
                beneficiaries: [{ _1: sv, _2: svRewardWeight }],
              }),
            ],
            packagePreference,
          }),
        }),
      })),
    );
  },
};
