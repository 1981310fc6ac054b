/** What owners hold at a snapshot, summed up; of the older kind with the holding fees of a round. */
import { groupBy } from "../base/group-by.js";
import { isFailure, ok } from "../base/result.js";
import { limits } from "../config.js";
import type { Party } from "../ledger/index.js";
import { holdingTemplates, ownerOf, type ActiveContractsContext } from "./active-contracts.js";
import { isOf, type Contract } from "./contracts.js";
import { parseDecimal, showDecimal } from "./decimal.js";
import { isOfNetwork } from "./dso-of.js";
import { isoTime } from "./instants.js";
import { templates } from "./names.js";
import type { OpenMiningRound } from "./network.js";
import { type Answer, invalid, refuse } from "./refusal.js";
import { ownersProblem, findSnapshot, migrationId, type SnapshotQuery } from "./snapshot-query.js";
import type { Snapshot } from "./snapshots.js";

export interface SummaryQuery extends SnapshotQuery {
  readonly owners: readonly Party[];
}

export interface Amount {
  readonly initialAmount: string;
  readonly createdAt: { readonly number: string };
  readonly ratePerRound: { readonly rate: string };
}
interface Amulet {
  readonly owner: Party;
  readonly amount: Amount;
}
export type Holding = Contract<Amulet | { readonly amulet: Amulet }>;

const amountOf = ({ payload }: Pick<Holding, "payload">): Amount => ("amulet" in payload ? payload.amulet : payload).amount;
export const initialOf = (holding: Pick<Holding, "payload">): bigint => parseDecimal(amountOf(holding).initialAmount);

export const feeOf = (holding: Pick<Holding, "payload">, round: bigint): bigint => feeOn(numbersOf(amountOf(holding)), round);

/** What an amount says, as numbers. */
export interface AmountNumbers {
  readonly initial: bigint;
  readonly createdIn: bigint;
  readonly rate: bigint;
}
export const numbersOf = ({ initialAmount, createdAt, ratePerRound }: Amount): AmountNumbers => ({
  initial: parseDecimal(initialAmount),
  createdIn: BigInt(createdAt.number),
  rate: parseDecimal(ratePerRound.rate),
});

/** Fees grow with every round until nothing is left; before the contract's own round they are negative. */
export function feeOn({ initial, createdIn, rate }: AmountNumbers, round: bigint): bigint {
  const fee = (round - createdIn) * rate;
  return fee < initial ? fee : initial;
}

export const isLocked = (holding: Holding): boolean => isOf(holding, templates.lockedAmulet);
const sum = (holdings: readonly Holding[], of: (holding: Holding) => bigint): bigint =>
  holdings.reduce((total, holding) => total + of(holding), 0n);

/** As Scan prints it. */
export interface OwnerSummary {
  readonly party_id: Party;
  readonly total_unlocked_coin: string;
  readonly total_locked_coin: string;
  readonly total_coin_holdings: string;
}
export interface OwnerSummaryWithFees extends OwnerSummary {
  readonly accumulated_holding_fees_unlocked: string;
  readonly accumulated_holding_fees_locked: string;
  readonly accumulated_holding_fees_total: string;
  readonly total_available_coin: string;
}
interface SummaryHead {
  readonly record_time: string;
  readonly migration_id: number;
}
export interface Summary extends SummaryHead {
  readonly summaries: readonly OwnerSummary[];
}
export interface SummaryWithFees extends SummaryHead {
  readonly computed_as_of_round: number;
  readonly summaries: readonly OwnerSummaryWithFees[];
}

export async function holdingsSummary(context: ActiveContractsContext, query: SummaryQuery): Answer<Summary> {
  const read = await readHoldings(context, query);
  if (isFailure(read)) return read;
  return ok({ ...read.ok.head, summaries: read.ok.byOwner.map(([party, holdings]) => summaryOf(party, holdings)) });
}

export async function holdingsSummaryWithFees(
  context: ActiveContractsContext,
  query: SummaryQuery & { readonly asOfRound: number | undefined },
): Answer<SummaryWithFees> {
  const round = query.asOfRound === undefined ? await earliestRound(context) : ok(BigInt(query.asOfRound));
  if (isFailure(round)) return round;
  const read = await readHoldings(context, query);
  if (isFailure(read)) return read;
  return ok({
    ...read.ok.head,
    computed_as_of_round: Number(round.ok),
    summaries: read.ok.byOwner.map(([party, holdings]) => summaryWithFeesOf(party, holdings, round.ok)),
  });
}

/** The round that was created first, be its number what it may. */
async function earliestRound({ contracts, network }: ActiveContractsContext): Answer<bigint> {
  const { ok: dso } = await network.dso(),
    earliest = (await contracts.all<OpenMiningRound>(templates.openMiningRound)).find(({ payload }) => isOfNetwork(payload, dso));
  return earliest ? ok(BigInt(earliest.payload.round.number)) : invalid("No open mining rounds found.");
}

interface ReadHoldings {
  readonly head: SummaryHead;
  readonly byOwner: readonly (readonly [Party, readonly Holding[]])[];
}

async function readHoldings(context: ActiveContractsContext, query: SummaryQuery): Answer<ReadHoldings> {
  const snapshot = findSnapshot(context.snapshots, query, () => ownersProblem("partyIds", query.owners));
  if (isFailure(snapshot)) return snapshot;
  const { recordTime, offset } = snapshot.ok,
    { ok: dso } = await context.network.dso(),
    max = limits.holdingsSummaryContractsMax;
  const found = await context.contracts.page<Holding["payload"]>({
    templates: holdingTemplates,
    stakeholders: query.owners,
    at: offset,
    limit: max + 1,
  });
  if (isFailure(found)) return refuse("internal", found.error.cause);
  if (found.ok.length > max)
    return invalid(`Size of the result exceeded the limit in queryAcsSnapshot. Result size: ${found.ok.length}. Limit: ${max}`);
  const held = groupBy(
    found.ok.filter(({ payload }) => isOfNetwork(payload, dso)),
    ownerOf,
  );
  return ok({
    head: { record_time: isoTime(recordTime), migration_id: migrationId },
    byOwner: [...new Set(query.owners)].flatMap((owner) => {
      const holdings = held.get(owner);
      return holdings === undefined ? [] : [[owner, holdings] as const];
    }),
  });
}

function summaryOf(party: Party, holdings: readonly Holding[]): OwnerSummary {
  const locked = sum(holdings.filter(isLocked), initialOf),
    all = sum(holdings, initialOf);
  return {
    party_id: party,
    total_unlocked_coin: showDecimal(all - locked),
    total_locked_coin: showDecimal(locked),
    total_coin_holdings: showDecimal(all),
  };
}

/** As of a round. */
export function summaryWithFeesOf(party: Party, holdings: readonly Holding[], round: bigint): OwnerSummaryWithFees {
  const fees = (of: readonly Holding[]): bigint => sum(of, (holding) => feeOf(holding, round));
  const unlocked = holdings.filter((holding) => !isLocked(holding)),
    unlockedFees = fees(unlocked),
    lockedFees = fees(holdings.filter(isLocked));
  return {
    ...summaryOf(party, holdings),
    accumulated_holding_fees_unlocked: showDecimal(unlockedFees),
    accumulated_holding_fees_locked: showDecimal(lockedFees),
    accumulated_holding_fees_total: showDecimal(unlockedFees + lockedFees),
    total_available_coin: showDecimal(sum(unlocked, initialOf) - unlockedFees),
  };
}

/** All that there is of Amulet at a snapshot; undefined when it was pruned meanwhile. */
export async function totalSupply(
  { contracts, network }: Pick<ActiveContractsContext, "contracts" | "network">,
  { offset }: Snapshot,
): Promise<bigint | undefined> {
  const { ok: dso } = await network.dso();
  let total = 0n;
  const read = await contracts.page<Holding["payload"]>(
    {
      templates: holdingTemplates,
      at: offset,
      limit: Infinity,
      ...(dso === undefined ? {} : { stakeholders: [dso] }), // who signs all that there is
    },
    (holding) => {
      total += initialOf(holding);
      return false; // there may be more than memory holds
    },
  );
  return isFailure(read) ? undefined : total;
}
