/** The oldest of the three open rounds ends and a new one is announced. */
import { instantOf } from "../instants.js";
import { countedVotes } from "./price-votes.js";
import { idsOf } from "./reward-coupons.js";
import { byRules, dueAt, nothingDue, type Trigger } from "./trigger.js";

export const advanceOpenRounds: Trigger = {
  name: "advance-open-rounds",
  what: "ends the oldest open round and announces the next",
  async due(economy, now) {
    const { network, dso, amuletRules } = economy;
    const rounds = await network.openRounds(dso),
      [oldest, middle, newest] = rounds;
    if (rounds.length !== 3) return nothingDue;
    const openFor = instantOf(middle!.payload.opensAt) + BigInt(middle!.payload.tickDuration.microseconds);
    const at = latest(instantOf(oldest!.payload.targetClosesAt), instantOf(newest!.payload.opensAt), openFor);
    const submission = async () => {
      const votes = await countedVotes(economy);
      return byRules(economy, "DsoRules_AdvanceOpenMiningRounds", {
        amuletRulesCid: amuletRules.contractId,
        roundToArchiveCid: oldest!.contractId,
        middleRoundCid: middle!.contractId,
        latestRoundCid: newest!.contractId,
        amuletPriceVoteCids: idsOf(votes),
      });
    };
    return dueAt(now, [{ at, task: () => ({ key: oldest!.contractId, submission }) }]);
  },
};

const latest = (...times: readonly bigint[]): bigint => times.reduce((last, at) => (at > last ? at : last));
