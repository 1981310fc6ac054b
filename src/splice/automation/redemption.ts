/** Transfers of a party to itself, which make Amulet of its rewards and one contract of what it holds. */
import { assert } from "../../base/assert.js";
import { isFailure } from "../../base/result.js";
import { limits } from "../../config.js";
import type { Party } from "../../ledger/index.js";
import type { Contract } from "../contracts.js";
import { parseDecimal } from "../decimal.js";
import { entityOf, templates } from "../names.js";
import { inputsMaxOf, type OfDso } from "../network.js";
import { rewardTemplates, type Reward, type TransferInput } from "./rewards.js";
import type { Economy } from "./trigger.js";

interface Amulet extends OfDso {
  readonly owner: Party;
  readonly amount: { readonly initialAmount: string };
}
export type Held = Contract<Amulet>;

export const partsOf = ({ payload }: Held): bigint => parseDecimal(payload.amount.initialAmount);
export const amuletInput = ({ contractId }: Held): TransferInput => ({ tag: "InputAmulet", value: contractId });

/** Amulet that a party may spend, the least first: of the oldest as many as fit into one transfer at least. */
export async function heldBy({ network, dso, amuletRules }: Economy, owner: Party): Promise<readonly Held[]> {
  const own = await network.contracts<Amulet>(dso, templates.amulet, {
    stakeholder: owner,
    where: ({ payload }) => payload.owner === owner,
    max: Math.max(limits.automationContractsMax, inputsMaxOf(amuletRules.payload)),
    withBlobs: false,
  });
  return [...own].sort((a, b) => (partsOf(a) < partsOf(b) ? -1 : 1));
}

/** Whether a party has anything but one contract of Amulet: most have not, and that is found out with one question. */
export async function hasSomething({ contracts }: Economy, owner: Party): Promise<boolean> {
  const page = await contracts.page({ templates: [templates.amulet, ...rewardTemplates], stakeholders: [owner], limit: 2 });
  assert(!isFailure(page), `what is active now can be read: ${page.error?.cause}`);
  return page.ok.length > 1 || page.ok.some(({ templateId }) => entityOf(templateId) !== templates.amulet.entity);
}

/** The context in which a transfer takes these rewards: of the rounds and rights that are there those that it needs. */
export function redeeming({ amuletRules }: Economy, openMiningRound: string, rewards: readonly Reward[]) {
  const rounds = new Map(rewards.flatMap(({ round }) => (round ? [[round.contractId, round.payload.round] as const] : []))),
    rights = new Map(rewards.flatMap(({ right }) => (right ? [[right.payload.user, right.contractId] as const] : [])));
  return {
    amuletRules: amuletRules.contractId,
    context: {
      openMiningRound,
      issuingMiningRounds: [...rounds].map(([contractId, number]) => [number, contractId]),
      validatorRights: [...rights],
      featuredAppRight: null,
    },
  };
}
