/** What the owner of a wallet holds, and pays with. */
import { isFailure, ok } from "../../base/result.js";
import { limits } from "../../config.js";
import type { Party } from "../../ledger/index.js";
import { holdingTemplates, ownerOf } from "../active-contracts.js";
import type { Contract } from "../contracts.js";
import { showDecimal } from "../decimal.js";
import { describeContracts, withState, type ContractWithState } from "../described-contract.js";
import { isOfNetwork } from "../dso-of.js";
import { feeOf, feeOn, initialOf, isLocked, type Holding } from "../holdings-summary.js";
import { inputsMaxOf, type AmuletRules, type OpenMiningRound } from "../network.js";
import type { Answer } from "../refusal.js";
import type { OwnAmulet } from "./own-amulets.js";
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
export interface Balance {
  readonly round: number;
  readonly effective_unlocked_qty: string;
  readonly effective_locked_qty: string;
  readonly total_holding_fees: string;
}

/** `dso`: the network's; undefined: there is none. */
const isHeldBy =
  (party: Party, dso: Party | undefined) =>
  (holding: Holding): boolean =>
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
  const { amulets, ledger, network } = context,
    { ok: dso } = await network.dso(),
    at = ledger.ledgerEnd();
  const [free, locked] = await Promise.all([amulets.free(party, at), amulets.locked(party, at)]),
    isTold = (amulet: OwnAmulet): boolean => isOfNetwork(amulet, dso),
    unlocked = free.filter(isTold);
  return ok({
    round: Number(round.ok),
    effective_unlocked_qty: showDecimal(sum(unlocked, ({ initial }) => initial)),
    effective_locked_qty: showDecimal(sum(locked.filter(isTold), ({ initial }) => initial)),
    total_holding_fees: showDecimal(sum(unlocked, (amulet) => feeOn(amulet, round.ok))),
  });
}
const sum = (amulets: readonly OwnAmulet[], of: (amulet: OwnAmulet) => bigint): bigint =>
  amulets.reduce((total, amulet) => total + of(amulet), 0n);

/** With what a payment is made. */
export const inputsOf = async ({ amulets, ledger }: WalletContext, party: Party, rules: AmuletRules): Promise<readonly string[]> =>
  largestOf(await amulets.free(party, ledger.ledgerEnd()), rules);

/** With what the token standard's choices pay, which free Amulet whose lock is over. */
export async function holdingInputsOf({ amulets, ledger }: WalletContext, party: Party, rules: AmuletRules): Promise<readonly string[]> {
  const at = ledger.ledgerEnd(),
    [free, locked] = await Promise.all([amulets.free(party, at), amulets.locked(party, at)]);
  const now = ledger.nowMicros(),
    freed = locked.filter(({ lockedUntil }) => lockedUntil < now);
  return largestOf([...free, ...freed], rules);
}

/** The largest, as many as rules allow, so that small ones merge on the way. */
const largestOf = (amulets: readonly OwnAmulet[], rules: AmuletRules): readonly string[] =>
  amulets
    .filter(({ dso }) => dso === rules.dso)
    .sort((a, b) => (a.initial < b.initial ? 1 : -1))
    .slice(0, inputsMaxOf(rules))
    .map(({ contractId }) => contractId);

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
