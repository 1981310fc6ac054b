/**
 * Of a closed round, coupons that nobody redeemed go back to the network, some in each transaction; then the round goes, too. One that
 * cannot be taken back keeps its round, but no other coupon.
 */
import { limits } from "../../config.js";
import { exercise } from "../commands.js";
import type { Contract } from "../contracts.js";
import { instantOf } from "../instants.js";
import { templates } from "../names.js";
import type { OfDso } from "../network.js";
import type { Submission } from "../submitter.js";
import { batchOf } from "./batch.js";
import { couponsOf, idsOf, type Coupons } from "./reward-coupons.js";
import { byDso, bySv, ofDso, type Economy, type IsWaiting, type Task, type Trigger } from "./trigger.js";

interface ClosedMiningRound extends OfDso {
  readonly round: { readonly number: string };
}
type Closed = Contract<ClosedMiningRound>;

export const archiveClosedRounds: Trigger = {
  name: "archive-closed-rounds",
  what: "takes back coupons that nobody redeemed, then archives their round",
  restSeconds: limits.automationRestSeconds, // that a round has no coupons is known once all coupons were looked at
  async due(economy, _, isWaiting) {
    const rounds = await ofDso<ClosedMiningRound>(economy, templates.closedMiningRound);
    const tasks = await Promise.all(rounds.map((round) => taskOf(economy, round, isWaiting)));
    return { tasks: tasks.filter((task) => task !== undefined) };
  },
};

/** Undefined: what is left of it waits for another attempt. */
async function taskOf(economy: Economy, closed: Closed, isWaiting: IsWaiting): Promise<Task | undefined> {
  const { contracts, dso } = economy,
    of = { dso, number: closed.payload.round.number };
  const coupons = await couponsOf(contracts, of, limits.automationContractsMax, isWaiting),
    all = everyOne(coupons),
    since = instantOf(closed.createdAt);
  if (all.length > 0) return batchOf(all, (some) => claim(economy, closed, coupons, some), since);
  if (everyOne(await couponsOf(contracts, of, 1)).length > 0) return undefined;
  return { key: closed.contractId, since, submission: () => archival(economy, closed) };
}

const everyOne = (coupons: Coupons): readonly Contract[] => Object.values(coupons).flat();

function claim(economy: Economy, { contractId }: Closed, coupons: Coupons, some: readonly Contract[]): Submission {
  const { sv, amuletRules, dsoRules } = economy,
    chosen = new Set(some),
    chosenIds = (kind: keyof Coupons) => idsOf(coupons[kind].filter((coupon) => chosen.has(coupon)));
  const choiceArg = {
    closedRoundCid: contractId,
    validatorRewardCouponCids: chosenIds("validator"),
    appCouponCids: chosenIds("app"),
    svRewardCouponCids: chosenIds("sv"),
    optValidatorFaucetCouponCids: chosenIds("faucet"),
    optValidatorLivenessActivityRecordCids: chosenIds("liveness"),
  };
  return bySv(
    economy,
    exercise(templates.dsoRules, dsoRules.contractId, "DsoRules_ClaimExpiredRewards", {
      amuletRulesCid: amuletRules.contractId,
      choiceArg,
      sv,
    }),
  );
}

const archival = (economy: Economy, { contractId }: Closed): Submission =>
  byDso(
    economy,
    exercise(templates.amuletRules, economy.amuletRules.contractId, "AmuletRules_MiningRound_Archive", { closedRoundCid: contractId }),
  );
