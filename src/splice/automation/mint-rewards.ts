/**
 * Parties with keys of their own leave it to somebody here to mint their rewards, and to keep what they hold in few contracts: at twice as
 * many as they want, all but as many become one.
 */
import { limits } from "../../config.js";
import type { Party } from "../../ledger/index.js";
import { exercise } from "../commands.js";
import type { Contract } from "../contracts.js";
import { mayActFor } from "../hosting.js";
import { instantOf } from "../instants.js";
import { templates } from "../names.js";
import { inputsMaxOf, type OfDso } from "../network.js";
import type { Submission } from "../submitter.js";
import { amuletInput, heldBy, redeeming, type Held } from "./redemption.js";
import { rewardsOf, type Reward, type RewardKind, type RewardsQuery } from "./rewards.js";
import { setUpUsers } from "./set-up-users.js";
import { contractsWhere, nothingDue, type Economy, type Task, type Trigger } from "./trigger.js";

interface MintingDelegation extends OfDso {
  readonly beneficiary: Party;
  readonly delegate: Party;
  readonly expiresAt: string;
  readonly amuletMergeLimit: string;
}
/** What the model's delegates mint. */
const kinds: readonly RewardKind[] = ["liveness", "app", "appV2", "activity", "fund"];

export const mintRewards: Trigger = {
  name: "mint-rewards",
  what: "mints rewards for parties that left it to somebody here",
  restSeconds: limits.automationRestSeconds,
  async due(economy, now, isWaiting) {
    const delegations = (await delegationsIn(economy, now)).filter(({ contractId }) => !isWaiting(contractId));
    if (delegations.length === 0) return nothingDue;
    const moment = await momentAt(economy, now),
      tasks: Task[] = [];
    for (const delegation of delegations) {
      if (tasks.length === limits.automationContractsMax) break; // the others are looked at once these are done
      if ((await mintable(economy, delegation, moment)) !== undefined)
        tasks.push({ key: delegation.contractId, since: now, submission: () => minting(economy, delegation, now) });
    }
    return { tasks };
  },
};

/** One for each beneficiary, the first, among those whom a validator of this node has set up. */
async function delegationsIn(economy: Economy, now: bigint): Promise<readonly Contract<MintingDelegation>[]> {
  const { contracts, ledger, dso } = economy;
  const acting = await contractsWhere<MintingDelegation>(contracts, {
    templates: [templates.mintingDelegation],
    isWanted: ({ payload }) => payload.dso === dso && instantOf(payload.expiresAt) > now && mayActFor(ledger, payload.delegate),
    max: Infinity,
  });
  const first = [...new Map([...acting].reverse().map((delegation) => [delegation.payload.beneficiary, delegation])).values()];
  if (first.length === 0) return [];
  const known = await setUpUsers(
    economy,
    first.map(({ payload }) => payload.beneficiary),
  );
  return first.filter(({ payload }) => known.has(payload.beneficiary));
}

interface Mintable {
  readonly rewards: readonly Reward[];
  readonly merged: readonly Held[];
}

type Moment = Pick<RewardsQuery, "now" | "rounds">;

async function momentAt({ network, dso }: Economy, now: bigint): Promise<Moment> {
  const rounds = await network.issuingRounds(dso);
  return { now, rounds: rounds.filter(({ payload }) => instantOf(payload.opensAt) <= now) };
}

/** Undefined: there is nothing to do for who delegated. */
async function mintable(economy: Economy, { payload }: Contract<MintingDelegation>, moment: Moment): Promise<Mintable | undefined> {
  const { beneficiary: owner, amuletMergeLimit } = payload;
  const rewards = await rewardsOf(economy, { owner, ...moment, kinds, isValidator: true }),
    held = await heldBy(economy, owner),
    kept = Number(amuletMergeLimit);
  const merged = held.length >= 2 * kept && held.length > 1 ? held.slice(0, held.length - kept + 1) : [];
  return rewards.length > 0 || merged.length > 1 ? { rewards, merged } : undefined;
}

async function minting(economy: Economy, delegation: Contract<MintingDelegation>, now: bigint): Promise<Submission | undefined> {
  const { network, dso, amuletRules, packagePreference } = economy,
    found = await mintable(economy, delegation, await momentAt(economy, now)),
    round = await network.usableRound(dso);
  if (found === undefined || round.error !== undefined) return undefined;
  const max = inputsMaxOf(amuletRules.payload),
    rewards = found.rewards.slice(0, max);
  const inputs = [...rewards.map(({ input }) => input), ...found.merged.map(amuletInput)].slice(0, max);
  return {
    actAs: [delegation.payload.delegate],
    readAs: [dso],
    commands: [
      exercise(templates.mintingDelegation, delegation.contractId, "MintingDelegation_Mint", {
        inputs,
        context: redeeming(economy, round.ok.contractId, rewards),
      }),
    ],
    packagePreference,
  };
}
