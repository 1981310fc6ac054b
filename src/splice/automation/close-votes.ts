/** A vote that is decided, or whose time is over, is closed; what was voted for happens then. */
import { instantOf } from "../instants.js";
import { templates } from "../names.js";
import type { DsoRules, OfDso } from "../network.js";
import type { Contract } from "../contracts.js";
import { votesNeeded } from "../votes/threshold.js";
import { byRules, dueAt, ofDso, type Trigger } from "./trigger.js";

interface VoteRequest extends OfDso {
  readonly voteBefore: string;
  readonly votes: readonly (readonly [string, { readonly accept: boolean }])[];
  readonly targetEffectiveAt?: string | null;
}

export const closeVotes: Trigger = {
  name: "close-votes",
  what: "closes votes that are decided or whose time is over",
  async due(economy, now) {
    const { amuletRules, dsoRules } = economy;
    const requests = await ofDso<VoteRequest>(economy, templates.voteRequest);
    const due = dueAt(
      now,
      requests.map((request) => ({
        at: closableAt(request, dsoRules.payload),
        task: () => ({
          key: request.contractId,
          submission: () =>
            byRules(economy, "DsoRules_CloseVoteRequest", { requestCid: request.contractId, amuletRulesCid: amuletRules.contractId }),
        }),
      })),
    );
    // What one vote does may replace the very contracts that the next one needs.
    return { ...due, isSequential: true };
  },
};

/** From when on the rules find an outcome. */
function closableAt({ payload, createdAt }: Contract<VoteRequest>, { svs }: DsoRules): bigint {
  const names = new Set(svs.map(([, { name }]) => name)),
    needed = votesNeeded(names.size);
  const valid = payload.votes.filter(([name]) => names.has(name)).map(([, vote]) => vote);
  const yes = valid.filter(({ accept }) => accept).length,
    no = valid.length - yes;
  const voteBefore = instantOf(payload.voteBefore),
    now = instantOf(createdAt);
  if (no >= needed) return now;
  if (payload.targetEffectiveAt == null) return yes >= needed ? now : voteBefore;
  return valid.length < needed ? voteBefore : instantOf(payload.targetEffectiveAt);
}
