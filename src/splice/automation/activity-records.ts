/**
 * Activity that the SVs voted to reward afterwards: a record of it takes what it is worth from rewards that nobody claimed, and then is
 * its beneficiary's to collect, both until it expires.
 */
import { limits } from "../../config.js";
import type { Contract } from "../contracts.js";
import { parseDecimal, showDecimal } from "../decimal.js";
import { instantOf } from "../instants.js";
import { templates, type Name } from "../names.js";
import type { OfDso } from "../network.js";
import { idsOf } from "./reward-coupons.js";
import { byRules, dueAt, nothingDue, ofDso, ofDsoWhere, type Economy, type Trigger } from "./trigger.js";

interface WithAmount extends OfDso {
  readonly amount: string;
}
interface ActivityRecord extends WithAmount {
  readonly expiresAt: string;
}

export const allocateActivityRecords: Trigger = {
  name: "allocate-activity-records",
  what: "pays for activity that the SVs voted to reward, with rewards that nobody claimed",
  async due(economy, now) {
    const max = limits.automationContractsMax;
    const isLive = ({ payload }: Contract<ActivityRecord>): boolean => instantOf(payload.expiresAt) > now,
      waiting = await ofDsoWhere<ActivityRecord>(economy, templates.unallocatedActivityRecord, isLive, max);
    if (waiting.length === 0) return nothingDue;
    const rewards = await ofDso<WithAmount>(economy, templates.unclaimedReward, max);
    const payable = waiting.map((record) => ({ record, paid: enough(rewards, parseDecimal(record.payload.amount)) })),
      [lacking] = payable.filter(({ paid }) => paid === undefined);
    return {
      tasks: payable.flatMap(({ record: { contractId, createdAt }, paid }) =>
        paid === undefined
          ? []
          : [{ key: contractId, since: instantOf(createdAt), submission: () => allocation(economy, contractId, paid) }],
      ),
      isSequential: true, // what pays for one is not there for another
      obstacle: lacking && `an activity is worth ${lacking.record.payload.amount}, and of unclaimed rewards there are ${totalOf(rewards)}`,
    };
  },
};

const amountOf = ({ payload }: Contract<WithAmount>): bigint => parseDecimal(payload.amount);
const totalOf = (rewards: readonly Contract<WithAmount>[]): string => showDecimal(rewards.reduce((sum, each) => sum + amountOf(each), 0n));

/** The largest that are worth so much together; undefined: all of them are not. */
function enough(rewards: readonly Contract<WithAmount>[], amount: bigint): readonly Contract[] | undefined {
  const taken: Contract<WithAmount>[] = [];
  let sum = 0n;
  for (const reward of [...rewards].sort((a, b) => Number(amountOf(b) - amountOf(a)))) {
    if (sum >= amount) break;
    taken.push(reward);
    sum += amountOf(reward);
  }
  return sum >= amount ? taken : undefined;
}

function allocation(economy: Economy, contractId: string, paid: readonly Contract[]) {
  return byRules(economy, "DsoRules_AllocateUnallocatedUnclaimedActivityRecord", {
    unallocatedUnclaimedActivityRecordCid: contractId,
    amuletRulesCid: economy.amuletRules.contractId,
    unclaimedRewardsToBurnCids: idsOf(paid),
  });
}

interface Kind {
  readonly template: Name;
  readonly choice: string;
  readonly argument: (contractId: string) => object;
}

const kinds: readonly Kind[] = [
  {
    template: templates.unallocatedActivityRecord,
    choice: "DsoRules_ExpireUnallocatedUnclaimedActivityRecord",
    argument: (unallocatedUnclaimedActivityRecordCid) => ({ unallocatedUnclaimedActivityRecordCid }),
  },
  {
    template: templates.unclaimedActivityRecord,
    choice: "DsoRules_ExpireUnclaimedActivityRecord",
    argument: (unclaimedActivityRecordCid) => ({ unclaimedActivityRecordCid }),
  },
];

export const expireActivityRecords: Trigger = {
  name: "expire-activity-records",
  what: "ends records of such activity whose time is over; what was paid for it is unclaimed again",
  restSeconds: limits.automationRestSeconds,
  async due(economy, now) {
    const timed = await Promise.all(
      kinds.map(async ({ template, choice, argument }) =>
        (await ofDso<ActivityRecord>(economy, template)).map(({ contractId, payload }) => ({
          at: instantOf(payload.expiresAt),
          task: () => ({
            key: contractId,
            submission: () => byRules(economy, choice, argument(contractId)),
          }),
        })),
      ),
    );
    return dueAt(now, timed.flat());
  },
};
