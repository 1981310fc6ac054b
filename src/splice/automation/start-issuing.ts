/** A round that ended is summed up, and what its coupons are worth is fixed by that. */
import { parseDecimal, showDecimal } from "../decimal.js";
import { instantOf } from "../instants.js";
import { templates } from "../names.js";
import type { OfDso } from "../network.js";
import type { Contract } from "../contracts.js";
import { couponsOf, type Coupon, type Coupons } from "./reward-coupons.js";
import { jointly, type ActionKind } from "./confirmed-actions.js";
import { nothingDue, ofDso, type Trigger } from "./trigger.js";

interface SummarizingMiningRound extends OfDso {
  readonly round: { readonly number: string };
}

interface StartIssuing {
  readonly miningRoundCid: string;
  readonly summary: object;
}

export const issueRound: ActionKind<StartIssuing> = {
  of: "amuletRules",
  tag: "CRARC_MiningRound_StartIssuing",
  choice: "AmuletRules_MiningRound_StartIssuing",
  about: "miningRoundCid",
  isOver: async ({ contracts }, { miningRoundCid }) =>
    (await contracts.findOf(templates.summarizingMiningRound, miningRoundCid)) === undefined,
};

export const startIssuing: Trigger = {
  name: "start-issuing",
  what: "sums up a round that ended and confirms what its coupons are worth",
  async due(economy) {
    const { contracts, dso, amuletRules } = economy;
    const rounds = await ofDso<SummarizingMiningRound>(economy, templates.summarizingMiningRound);
    if (rounds.length === 0) return nothingDue;
    const issuing = await jointly(economy, issueRound),
      open = rounds.filter(({ contractId }) => issuing.isOpen(contractId));
    return {
      tasks: open.map(({ contractId: miningRoundCid, createdAt, payload: { round } }) => ({
        key: miningRoundCid,
        since: instantOf(createdAt),
        submission: async () => {
          const summary = summaryOf(await couponsOf(contracts, { dso, number: round.number }, Infinity));
          return issuing.submission(amuletRules.contractId, { miningRoundCid, summary });
        },
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
