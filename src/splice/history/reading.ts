/** Transactions with all their effects, read from either end of the log page after page: a long history is never held whole. */
import { isFailure, ok, type Result } from "../../base/result.js";
import { limits } from "../../config.js";
import type { EventFormatRequest, LedgerErrorData, Offset, Participant, UpdateFormatRequest } from "../../ledger/index.js";
import { readElements } from "../elements.js";
import type { Transaction } from "./transaction.js";

export const effects = (eventFormat: EventFormatRequest): UpdateFormatRequest => ({
  includeTransactions: { eventFormat, shape: "ledgerEffects" },
  includeReassignments: undefined,
  includeTopologyEvents: undefined,
});

export const partyFormat = (filtersByParty: EventFormatRequest["filtersByParty"]): EventFormatRequest =>
  ({ filtersByParty, filtersForAnyParty: undefined, verbose: false });

export const anyPartyFormat = (filtersForAnyParty: NonNullable<EventFormatRequest["filtersForAnyParty"]>): EventFormatRequest =>
  ({ filtersByParty: {}, filtersForAnyParty, verbose: false });

export interface TransactionSpan {
  readonly format: EventFormatRequest;
  /** Exclusive; what is pruned is left out. */
  readonly after: Offset;
  /** Inclusive. */
  readonly to: Offset;
  /** The newest first. */
  readonly descending?: boolean;
  readonly pageSize?: number;
}

type Ledger = Pick<Participant, "openUpdates" | "prunedOffsets">;
interface Element { readonly update: { readonly Transaction: { readonly value: Transaction } } }

/** A refusal is the last page. */
export async function* transactionPages(
  ledger: Ledger,
  { format, after, to, descending = false, pageSize = limits.scanPageElementsMax }: TransactionSpan,
): AsyncGenerator<Result<readonly Transaction[], LedgerErrorData>> {
  let beginExclusive = Math.max(after, ledger.prunedOffsets().participantPrunedUpToInclusive), endInclusive = to;
  while (beginExclusive < endInclusive) {
    const opened = ledger.openUpdates({ beginExclusive, endInclusive, format: effects(format), form: "update", descending });
    const read = await readElements<Element>(opened, pageSize);
    if (isFailure(read)) {
      yield read;
      return;
    }
    const page = read.ok.map(({ update: { Transaction: { value } } }) => value), last = page.at(-1);
    yield ok(page);
    if (!last || page.length < pageSize) return;
    if (descending) endInclusive = last.offset - 1;
    else beginExclusive = last.offset;
  }
}
