/**
 * Amulet whose holding fees are as much as it is worth is archived, locked or not: nothing can be paid with it any more. A round ends it
 * for the newer rules once both states of the configuration know that round, for the older ones two rounds later.
 */
import { isFailure } from "../../base/result.js";
import { limits } from "../../config.js";
import type { Party } from "../../ledger/index.js";
import { exercise } from "../commands.js";
import type { Contract } from "../contracts.js";
import { parseDecimal } from "../decimal.js";
import { generationOf } from "../generations.js";
import { instantOf } from "../instants.js";
import { packageNames, templates, type Name } from "../names.js";
import type { OfDso } from "../network.js";
import { batchOf } from "./batch.js";
import { bySv, contractsWhere, nothingDue, ofDso, type Economy, type IsWaiting, type Trigger } from "./trigger.js";

interface Amulet {
  readonly dso: Party;
  readonly amount: {
    readonly initialAmount: string;
    readonly createdAt: { readonly number: string };
    readonly ratePerRound: { readonly rate: string };
  };
}
interface Locked {
  readonly amulet: Amulet;
  readonly lock: { readonly expiresAt: string };
}
interface ConfigState extends OfDso {
  readonly holdingFeesOpenRoundNumber: { readonly number: string };
}

/** What ends Amulet now: up to which round, and what the choices take for it. */
interface End {
  readonly round: bigint;
  readonly suffix: "" | "V2";
  readonly choiceArg: object;
}

const roundsOfGrace = 2n;

export const expireAmulets: Trigger = {
  name: "expire-amulets",
  what: "archives Amulet whose holding fees are as much as it is worth",
  restSeconds: limits.expiredAmuletsRestSeconds,
  restsAnyway: true,
  async due(economy, now, isWaiting) {
    const end = await endOf(economy);
    if (end === undefined) return nothingDue;
    const free = await expired<Amulet>(economy, end, templates.amulet, (amulet) => amulet, isWaiting),
      locked = await expired<Locked>(
        economy,
        end,
        templates.lockedAmulet,
        ({ amulet, lock }) => (instantOf(lock.expiresAt) <= now ? amulet : undefined),
        isWaiting,
      );
    const isLocked = new Set<Contract>(locked),
      all: readonly Contract[] = [...free, ...locked].slice(0, limits.automationContractsMax);
    if (all.length === 0) return nothingDue;
    const { sv, dsoRules } = economy,
      { choiceArg, suffix } = end;
    const expire = (contract: Contract) => {
      const choice = isLocked.has(contract) ? "DsoRules_LockedAmulet_ExpireAmulet" : "DsoRules_Amulet_Expire";
      return exercise(templates.dsoRules, dsoRules.contractId, `${choice}${suffix}`, { cid: contract.contractId, choiceArg, sv });
    };
    return { tasks: [batchOf(all, (some) => bySv(economy, ...some.map(expire)), now)] };
  },
};

async function endOf(economy: Economy): Promise<End | undefined> {
  const newest = economy.newest(packageNames.amulet);
  if (newest === undefined) return undefined;
  if (generationOf(newest) === "rounds") {
    const round = await economy.network.usableRound(economy.dso);
    if (isFailure(round)) return undefined;
    const { contractId, payload } = round.ok;
    return { round: BigInt(payload.round.number) - roundsOfGrace, suffix: "", choiceArg: { roundCid: contractId } };
  }
  const [older, newer] = await ofDso<ConfigState>(economy, templates.externalPartyConfigState);
  if (older === undefined || newer === undefined) return undefined;
  const [first, second] = [older, newer].map(({ payload }) => BigInt(payload.holdingFeesOpenRoundNumber.number)) as [bigint, bigint];
  return {
    round: first < second ? first : second,
    suffix: "V2",
    choiceArg: { externalPartyConfigState0Cid: older.contractId, externalPartyConfigState1Cid: newer.contractId },
  };
}

const expired = <P>(
  { contracts, dso }: Economy,
  { round }: End,
  template: Name,
  amuletOf: (payload: P) => Amulet | undefined,
  isWaiting: IsWaiting,
): Promise<readonly Contract<P>[]> => {
  const isWanted = ({ contractId, payload }: Contract<P>): boolean => {
    const amulet = amuletOf(payload);
    return amulet?.dso === dso && isWorthNothing(amulet, round) && !isWaiting(contractId);
  };
  return contractsWhere(contracts, { templates: [template], stakeholders: [dso], isWanted, max: limits.automationContractsMax });
};

function isWorthNothing({ amount: { initialAmount, createdAt, ratePerRound } }: Amulet, round: bigint): boolean {
  const rate = parseDecimal(ratePerRound.rate),
    since = round - BigInt(createdAt.number);
  return rate > 0n && since > 0n && rate * since >= parseDecimal(initialAmount);
}
