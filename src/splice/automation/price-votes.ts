/** Votes of the SVs for the price of Amulet: each has one, and rounds do not go on with any other. */
import { groupBy } from "../../base/group-by.js";
import { limits } from "../../config.js";
import type { Party } from "../../ledger/index.js";
import type { Contract } from "../contracts.js";
import { templates } from "../names.js";
import type { OfDso } from "../network.js";
import { idsOf } from "./reward-coupons.js";
import { byRules, nothingDue, ofDso, type Economy, type Trigger } from "./trigger.js";

interface PriceVote extends OfDso {
  readonly sv: Party;
}

/** By SV, oldest first. */
const votesBySv = async (economy: Economy) =>
  groupBy(await ofDso<PriceVote>(economy, templates.amuletPriceVote), ({ payload }) => payload.sv);

const isSv = ({ dsoRules }: Economy, party: Party): boolean => dsoRules.payload.svs.some(([sv]) => sv === party);

/** The newest of each SV. */
export async function countedVotes(economy: Economy): Promise<readonly Contract[]> {
  const votes = [...(await votesBySv(economy))];
  return votes.filter(([party]) => isSv(economy, party)).map(([, own]) => own.at(-1)!);
}

export const clearPriceVotes: Trigger = {
  name: "clear-price-votes",
  what: "archives votes for the price of Amulet that do not count: of who is no SV any more, and all but the last of an SV",
  restSeconds: limits.automationRestSeconds,
  async due(economy, now) {
    const votes = [...(await votesBySv(economy))],
      ofOthers = votes.filter(([party]) => !isSv(economy, party)).flatMap(([, own]) => own);
    const several = votes.filter(([party, own]) => isSv(economy, party) && own.length > 1).map(([, own]) => idsOf(own));
    if (ofOthers.length + several.length === 0) return nothingDue;
    const argument = { nonSvVoteCids: idsOf(ofOthers), duplicateVoteCids: several },
      submission = () => byRules(economy, "DsoRules_GarbageCollectAmuletPriceVotes", argument);
    return { tasks: [{ key: economy.dsoRules.contractId, since: now, submission }] };
  },
};
