/** What the owner of a wallet holds, and pays with. */
import { isFailure, ok } from "../../base/result.js";
import { limits } from "../../config.js";
import type { Party } from "../../ledger/index.js";
import { holdingTemplates, ownerOf } from "../active-contracts.js";
import type { Contract } from "../contracts.js";
import { parseDecimal, showDecimal } from "../decimal.js";
import { describeContracts, withState, type ContractWithState } from "../described-contract.js";
import { isOfNetwork } from "../dso-of.js";
import { feeOf, initialOf, isLocked, type Holding } from "../holdings-summary.js";
import { instantOf } from "../instants.js";
import { templates } from "../names.js";
import { inputsMaxOf, type AmuletRules, type OpenMiningRound } from "../network.js";
import type { Answer } from "../refusal.js";
import type { Owner, WalletContext } from "./wallet-context.js";

export interface AmuletPosition {
  readonly contract: ContractWithState;
  readonly round: number;
  readonly accrued_holding_fee: string;
  readonly effective_amount: string;
}
export interface AmuletPositions {
  readonly amulets: readonly AmuletPosition[];
  readonly locked_amulets: readonly AmuletPosition[];
}
type Held = Pick<Holding, "payload">;
export interface Balance {
  readonly round: number;
  readonly effective_unlocked_qty: string;
  readonly effective_locked_qty: string;
  readonly total_holding_fees: string;
}

/** `dso`: the network's; undefined: there is none. */
const isHeldBy =
  (party: Party, dso: Party | undefined) =>
  (holding: Held): boolean =>
    ownerOf(holding) === party && isOfNetwork(holding.payload, dso);

/** `max`: of each template, the oldest; left out: all. */
export async function holdingsOf({ contracts, network }: WalletContext, party: Party, max = Infinity): Promise<readonly Holding[]> {
  const { ok: dso } = await network.dso(),
    isOwn = isHeldBy(party, dso);
  const held = await Promise.all(
    holdingTemplates.map((template) => contracts.first<Holding["payload"]>(template, { stakeholder: party, max }, isOwn)),
  );
  return held.flat();
}

/** The newest round that is open now. */
async function currentRound({ network }: WalletContext): Answer<bigint> {
  const dso = await network.dso();
  if (isFailure(dso)) return dso;
  const round = await network.usableRound(dso.ok);
  return isFailure(round) ? round : ok(BigInt(round.ok.payload.round.number));
}

export async function positionsOf(context: WalletContext, { party }: Owner): Answer<AmuletPositions> {
  const round = await currentRound(context);
  if (isFailure(round)) return round;
  const holdings = await holdingsOf(context, party, limits.walletListContractsMax),
    described = await describeContracts(context.types, holdings);
  const positions = holdings.map((holding, index) => ({
    isLocked: isLocked(holding),
    position: {
      contract: withState(described[index]!, context.ledger),
      round: Number(round.ok),
      accrued_holding_fee: showDecimal(feeOf(holding, round.ok)),
      effective_amount: showDecimal(initialOf(holding)),
    },
  }));
  const of = (locked: boolean) => positions.filter((each) => each.isLocked === locked).map(({ position }) => position);
  return ok({ amulets: of(false), locked_amulets: of(true) });
}

export async function balanceOf(context: WalletContext, { party }: Owner): Answer<Balance> {
  const round = await currentRound(context);
  if (isFailure(round)) return round;
  let unlocked = 0n,
    locked = 0n,
    fees = 0n;
  const { contracts, network } = context,
    { ok: dso } = await network.dso(),
    isOwn = isHeldBy(party, dso);
  const free = (holding: Held): void => {
    if (!isOwn(holding)) return;
    unlocked += initialOf(holding);
    fees += feeOf(holding, round.ok);
  };
  const bound = (holding: Held): void => {
    if (isOwn(holding)) locked += initialOf(holding);
  };
  // At once, so that both are told as they are at the same moment.
  await Promise.all([contracts.each(templates.amulet, free, party), contracts.each(templates.lockedAmulet, bound, party)]);
  return ok({
    round: Number(round.ok),
    effective_unlocked_qty: showDecimal(unlocked),
    effective_locked_qty: showDecimal(locked),
    total_holding_fees: showDecimal(fees),
  });
}

interface Spendable {
  readonly dso: Party;
  readonly owner: Party;
  readonly amount: { readonly initialAmount: string };
}

interface Locked {
  readonly amulet: Spendable;
  readonly lock: { readonly expiresAt: string };
}
type Input = Pick<Contract<Spendable>, "contractId" | "payload">;

/** With what a payment is made. */
export const inputsOf = async ({ contracts }: WalletContext, party: Party, rules: AmuletRules): Promise<readonly string[]> =>
  largestOf(await contracts.all<Spendable>(templates.amulet, party), party, rules);

/** With what the token standard's choices pay, which free Amulet whose lock is over. */
export async function holdingInputsOf({ contracts, ledger }: WalletContext, party: Party, rules: AmuletRules): Promise<readonly string[]> {
  const [free, locked] = await Promise.all([
    contracts.all<Spendable>(templates.amulet, party),
    contracts.all<Locked>(templates.lockedAmulet, party),
  ]);
  const now = ledger.nowMicros(),
    freed = locked.filter(({ payload }) => instantOf(payload.lock.expiresAt) < now);
  return largestOf([...free, ...freed.map(({ contractId, payload: { amulet } }) => ({ contractId, payload: amulet }))], party, rules);
}

/** The largest, as many as rules allow, so that small ones merge on the way. */
function largestOf(inputs: readonly Input[], party: Party, rules: AmuletRules): readonly string[] {
  const size = ({ payload }: Input): bigint => parseDecimal(payload.amount.initialAmount);
  return inputs
    .filter(({ payload }) => payload.owner === party && payload.dso === rules.dso)
    .sort((a, b) => (size(a) < size(b) ? 1 : -1))
    .slice(0, inputsMaxOf(rules))
    .map(({ contractId }) => contractId);
}

/** The contracts that every payment refers to. */
export interface PaymentContracts {
  readonly rules: Contract<AmuletRules>;
  readonly round: Contract<OpenMiningRound>;
}

export async function paymentContracts({ network }: WalletContext): Answer<PaymentContracts> {
  const rules = await network.amuletRules();
  if (isFailure(rules)) return rules;
  const round = await network.usableRound(rules.ok.payload.dso);
  return isFailure(round) ? round : ok({ rules: rules.ok, round: round.ok });
}

/** The argument under which choices take them. */
export const paymentContext = ({ rules, round }: PaymentContracts, featuredAppRight: string | null = null) => ({
  amuletRules: rules.contractId,
  context: { openMiningRound: round.contractId, issuingMiningRounds: [], validatorRights: [], featuredAppRight },
});
export const amuletInputs = (contractIds: readonly string[]) => contractIds.map((value) => ({ tag: "InputAmulet", value }));
