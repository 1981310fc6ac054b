/** Transactions with all their effects, read from either end of the log page after page: a long history is never held whole. */
import { assert } from "../../base/assert.js";
import { isFailure, type Result } from "../../base/result.js";
import { limits } from "../../config.js";
import type { EventFormatRequest, LedgerErrorData, Offset, Participant, UpdateFormatRequest } from "../../ledger/index.js";
import { readEach } from "../elements.js";
import { TransactionText } from "./event-text.js";
import { ReassignmentText } from "./reassignment.js";
import type { Transaction } from "./transaction.js";

export const effects = (eventFormat: EventFormatRequest): UpdateFormatRequest => ({
  includeTransactions: { eventFormat, shape: "ledgerEffects" },
  includeReassignments: undefined,
  includeTopologyEvents: undefined,
});

/** The same, with contracts that leave a synchronizer or arrive on one. */
export const effectsAndMoves = (eventFormat: EventFormatRequest): UpdateFormatRequest => ({
  ...effects(eventFormat),
  includeReassignments: eventFormat,
});

export const partyFormat = (filtersByParty: EventFormatRequest["filtersByParty"]): EventFormatRequest => ({
  filtersByParty,
  filtersForAnyParty: undefined,
  verbose: false,
});

export const anyPartyFormat = (filtersForAnyParty: NonNullable<EventFormatRequest["filtersForAnyParty"]>): EventFormatRequest => ({
  filtersByParty: {},
  filtersForAnyParty,
  verbose: false,
});

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
type Page<T> = Result<readonly T[], LedgerErrorData>;
interface Element {
  readonly update: { readonly Transaction: { readonly value: Transaction } };
}

/** Around an update in a list. */
const elementPrefix = `{"update":`,
  elementSuffix = "}";
/** Around a transaction, and around a reassignment, where either may be. */
const transactionPrefix = `{"Transaction":{"value":`,
  reassignmentPrefix = `{"Reassignment":{"value":`,
  updateSuffix = "}}";
/** A transaction that is an element of a list, cut into its members. */
export const transactionIn = (element: string): TransactionText =>
  new TransactionText(element.slice(elementPrefix.length + transactionPrefix.length, -(elementSuffix.length + updateSuffix.length)));

/** What Scan tells of; undefined of another update. */
export function updateOf(update: string): TransactionText | ReassignmentText | undefined {
  if (update.startsWith(transactionPrefix)) return new TransactionText(update.slice(transactionPrefix.length, -updateSuffix.length));
  return update.startsWith(reassignmentPrefix)
    ? new ReassignmentText(update.slice(reassignmentPrefix.length, -updateSuffix.length))
    : undefined;
}
/** The same of an element of a list. */
export const updateIn = (element: string): TransactionText | ReassignmentText | undefined =>
  updateOf(element.slice(elementPrefix.length, -elementSuffix.length));

/** A refusal is the last page. */
export const transactionPages = (ledger: Ledger, span: TransactionSpan): AsyncGenerator<Page<Transaction>> =>
  pages(ledger, { ...span, format: effects(span.format) }, (element) => (JSON.parse(element) as Element).update.Transaction.value);

/** The same, cut into their members and not read. */
export const transactionTextPages = (ledger: Ledger, span: TransactionSpan): AsyncGenerator<Page<TransactionText>> =>
  pages(ledger, { ...span, format: effects(span.format) }, transactionIn);

/** The same, and contracts that leave a synchronizer or arrive on one. */
export const updateTextPages = (ledger: Ledger, span: TransactionSpan): AsyncGenerator<Page<TransactionText | ReassignmentText>> =>
  pages(ledger, { ...span, format: effectsAndMoves(span.format) }, (element) => {
    const update = updateIn(element);
    assert(update, "nothing else was asked for");
    return update;
  });

async function* pages<T extends { readonly offset: Offset }>(
  ledger: Ledger,
  {
    format,
    after,
    to,
    descending = false,
    pageSize = limits.scanPageElementsMax,
  }: Omit<TransactionSpan, "format"> & { readonly format: UpdateFormatRequest },
  transactionOf: (element: string) => T,
): AsyncGenerator<Page<T>> {
  let beginExclusive = Math.max(after, ledger.prunedOffsets().participantPrunedUpToInclusive),
    endInclusive = to;
  while (beginExclusive < endInclusive) {
    const opened = ledger.openUpdates({ beginExclusive, endInclusive, format, form: "update", descending });
    const read = await readEach(opened, pageSize, transactionOf);
    if (isFailure(read)) {
      yield read;
      return;
    }
    const page = read.ok,
      last = page.at(-1);
    yield read;
    if (!last || page.length < pageSize) return;
    if (descending) endInclusive = last.offset - 1;
    else beginExclusive = last.offset;
  }
}
