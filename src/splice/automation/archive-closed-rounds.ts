/**
 * Of a closed round, coupons that nobody redeemed go back to the network, some in each transaction; then the round goes, too. One that
 * cannot be taken back keeps its round, but no other coupon.
 */
import { limits } from "../../config.js";
import type { Contract } from "../contracts.js";
import { instantOf } from "../instants.js";
import { templates } from "../names.js";
import type { OfDso } from "../network.js";
import type { Submission } from "../submitter.js";
import { batchOf } from "./batch.js";
import { jointly, type ActionKind, type Joint } from "./confirmed-actions.js";
import { couponsOf, idsOf, type Coupons } from "./reward-coupons.js";
import { byRules, nothingDue, ofDso, type Economy, type IsWaiting, type Task, type Trigger } from "./trigger.js";

interface ClosedMiningRound extends OfDso {
  readonly round: { readonly number: string };
}
type Closed = Contract<ClosedMiningRound>;
interface Archival {
  readonly closedRoundCid: string;
}

export const archiveRound: ActionKind<Archival> = {
  of: "amuletRules",
  tag: "CRARC_MiningRound_Archive",
  choice: "AmuletRules_MiningRound_Archive",
  about: "closedRoundCid",
  isOver: async ({ contracts }, { closedRoundCid }) => (await contracts.findOf(templates.closedMiningRound, closedRoundCid)) === undefined,
};

export const archiveClosedRounds: Trigger = {
  name: "archive-closed-rounds",
  what: "takes back coupons that nobody redeemed, then confirms that their round is over",
  restSeconds: limits.automationRestSeconds, // that a round has no coupons is known once all coupons were looked at
  async due(economy, _, isWaiting) {
    const rounds = await ofDso<ClosedMiningRound>(economy, templates.closedMiningRound);
    if (rounds.length === 0) return nothingDue;
    const archival = await jointly(economy, archiveRound);
    const tasks = await Promise.all(rounds.map((round) => taskOf(economy, round, archival, isWaiting)));
    return { tasks: tasks.filter((task) => task !== undefined) };
  },
};

/** Undefined: what is left of it waits for another attempt, or for what was confirmed. */
async function taskOf(economy: Economy, closed: Closed, archival: Joint<Archival>, isWaiting: IsWaiting): Promise<Task | undefined> {
  const { contracts, dso, amuletRules } = economy,
    { contractId: closedRoundCid } = closed,
    of = { dso, number: closed.payload.round.number };
  const coupons = await couponsOf(contracts, of, limits.automationContractsMax, isWaiting),
    all = everyOne(coupons),
    since = instantOf(closed.createdAt);
  if (all.length > 0) return batchOf(all, (some) => claim(economy, closed, coupons, some), since);
  if (everyOne(await couponsOf(contracts, of, 1)).length > 0) return undefined;
  if (!archival.isOpen(closedRoundCid)) return undefined;
  return { key: closedRoundCid, since, submission: () => archival.submission(amuletRules.contractId, { closedRoundCid }) };
}

const everyOne = (coupons: Coupons): readonly Contract[] => Object.values(coupons).flat();

function claim(economy: Economy, { contractId }: Closed, coupons: Coupons, some: readonly Contract[]): Submission {
  const chosen = new Set(some),
    chosenIds = (kind: keyof Coupons) => idsOf(coupons[kind].filter((coupon) => chosen.has(coupon)));
  const choiceArg = {
    closedRoundCid: contractId,
    validatorRewardCouponCids: chosenIds("validator"),
    appCouponCids: chosenIds("app"),
    svRewardCouponCids: chosenIds("sv"),
    optValidatorFaucetCouponCids: chosenIds("faucet"),
    optValidatorLivenessActivityRecordCids: chosenIds("liveness"),
  };
  return byRules(economy, "DsoRules_ClaimExpiredRewards", { amuletRulesCid: economy.amuletRules.contractId, choiceArg });
}
