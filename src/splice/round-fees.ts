/** What transfers cost in a round, in Amulet: rounds have their fees in dollars, and a price. */
import { isFailure, ok } from "../base/result.js";
import type { Participant, Party } from "../ledger/index.js";
import type { Contracts } from "./contracts.js";
import { parseDecimal, showDecimal } from "./decimal.js";
import { anyPartyFormat, transactionPages } from "./history/reading.js";
import { reference, templates } from "./names.js";
import type { Network, OpenMiningRound } from "./network.js";
import { type Answer, notFound, refuse } from "./refusal.js";

interface TransferConfig {
  readonly createFee: { readonly fee: string };
  readonly holdingFee: { readonly rate: string };
  readonly lockHolderFee: { readonly fee: string };
  readonly transferFee: { readonly initialRate: string; readonly steps: readonly { readonly _1: string; readonly _2: string }[] };
}
type PricedRound = OpenMiningRound & { readonly transferConfigUsd: TransferConfig };

/** As Scan prints it. */
export interface RoundFees {
  readonly amulet_create_fee: string;
  readonly holding_fee: string;
  readonly lock_holder_fee: string;
  readonly transfer_fee: { readonly initial: string; readonly steps: readonly { readonly amount: string; readonly rate: string }[] };
}

export interface RoundFeesContext {
  readonly ledger: Pick<Participant, "openUpdates" | "ledgerEnd" | "prunedOffsets">;
  readonly contracts: Contracts;
  readonly network: Network;
}

export async function feesOfRound(context: RoundFeesContext, number: number): Answer<RoundFees> {
  const dso = await context.network.dso(),
    wanted = String(number),
    missing = notFound(`Round ${number} not found`);
  if (isFailure(dso)) return missing;
  const open = (await context.network.openRounds(dso.ok)).find(({ payload }) => payload.round.number === wanted);
  if (open) return ok(feesOf(open.payload as PricedRound));
  const past = await pastRound(context, dso.ok, BigInt(number));
  if (isFailure(past)) return past;
  return past.ok ? ok(feesOf(past.ok)) : missing;
}

/**
 * From the end of history: rounds have rising numbers, so a smaller one ends the search, but not within a transaction: that which
 * makes a network opens its first three.
 */
async function pastRound({ ledger, contracts }: RoundFeesContext, dso: Party, wanted: bigint): Answer<PricedRound | undefined> {
  if (!contracts.knows(templates.openMiningRound)) return ok(undefined);
  const filter = { kind: "template", templateId: reference(templates.openMiningRound), includeCreatedEventBlob: false } as const;
  const span = { format: anyPartyFormat({ cumulative: [filter] }), after: 0, to: ledger.ledgerEnd(), descending: true };
  for await (const page of transactionPages(ledger, span)) {
    if (isFailure(page)) return refuse("internal", page.error.cause);
    for (const { events } of page.ok) {
      const rounds = events
        .flatMap(({ CreatedEvent }) => (CreatedEvent ? [CreatedEvent.createArgument as PricedRound] : []))
        .filter((round) => round.dso === dso);
      const found = rounds.find((round) => numberOf(round) === wanted);
      if (found) return ok(found);
      if (rounds.some((round) => numberOf(round) < wanted)) return ok(undefined);
    }
  }
  return ok(undefined);
}

const numberOf = ({ round }: PricedRound): bigint => BigInt(round.number);

function feesOf({ amuletPrice, transferConfigUsd: { createFee, holdingFee, lockHolderFee, transferFee } }: PricedRound): RoundFees {
  const inAmulet = (dollars: string): string => showDecimal(dividedBy(parseDecimal(dollars), parseDecimal(amuletPrice)));
  return {
    amulet_create_fee: inAmulet(createFee.fee),
    holding_fee: inAmulet(holdingFee.rate),
    lock_holder_fee: inAmulet(lockHolderFee.fee),
    transfer_fee: {
      initial: transferFee.initialRate,
      steps: transferFee.steps.map(({ _1: amount, _2: rate }) => ({ amount: inAmulet(amount), rate })),
    },
  };
}

const scale = 10n ** 10n;

/** Both not below zero; halves go to the even neighbour, as Daml's division does. */
function dividedBy(parts: bigint, divisor: bigint): bigint {
  const whole = (parts * scale) / divisor,
    twice = ((parts * scale) % divisor) * 2n;
  return twice > divisor || (twice === divisor && whole % 2n === 1n) ? whole + 1n : whole;
}
