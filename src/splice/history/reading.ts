/** Transactions with all their effects, read from either end of the log page after page: a long history is never held whole. */
import { assert } from "../../base/assert.js";
import { isFailure, ok, type Result } from "../../base/result.js";
import type { Steps } from "../../base/steps.js";
import type { Turns } from "../../base/turns.js";
import { limits } from "../../config.js";
import type { EventFormatRequest, LedgerErrorData, Offset, Participant, UpdateFormatRequest } from "../../ledger/index.js";
import { readElements, readInSteps } from "../elements.js";
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
export interface TextReading {
  readonly ledger: Ledger;
  /** Of those who read texts, which may be long. */
  readonly turns: Turns;
}
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
export const transactionIn = (element: string): Steps<TransactionText> =>
  TransactionText.of(element.slice(elementPrefix.length + transactionPrefix.length, -(elementSuffix.length + updateSuffix.length)));

/** The same of a transaction or a reassignment. */
export function* updateIn(element: string): Steps<TransactionText | ReassignmentText> {
  if (element.startsWith(transactionPrefix, elementPrefix.length)) return yield* transactionIn(element);
  assert(element.startsWith(reassignmentPrefix, elementPrefix.length), "nothing else was asked for");
  return new ReassignmentText(
    element.slice(elementPrefix.length + reassignmentPrefix.length, -(elementSuffix.length + updateSuffix.length)),
  );
}

/** A refusal is the last page. */
export const transactionPages = (ledger: Ledger, span: TransactionSpan): AsyncGenerator<Page<Transaction>> =>
  pages(ledger, { ...span, format: effects(span.format) }, async (opened, max) => {
    const elements = await readElements<Element>(opened, max);
    return isFailure(elements) ? elements : ok(elements.ok.map(({ update }) => update.Transaction.value));
  });

/** The same, cut into their members and not read. */
export const transactionTextPages = ({ ledger, turns }: TextReading, span: TransactionSpan): AsyncGenerator<Page<TransactionText>> =>
  pages(ledger, { ...span, format: effects(span.format) }, (opened, max) => readInSteps(opened, { max, turns }, transactionIn));

/** The same, and contracts that leave a synchronizer or arrive on one. */
export const updateTextPages = (
  { ledger, turns }: TextReading,
  span: TransactionSpan,
): AsyncGenerator<Page<TransactionText | ReassignmentText>> =>
  pages(ledger, { ...span, format: effectsAndMoves(span.format) }, (opened, max) => readInSteps(opened, { max, turns }, updateIn));

async function* pages<T extends { readonly offset: Offset }>(
  ledger: Ledger,
  {
    format,
    after,
    to,
    descending = false,
    pageSize = limits.scanPageElementsMax,
  }: Omit<TransactionSpan, "format"> & { readonly format: UpdateFormatRequest },
  read: (opened: ReturnType<Ledger["openUpdates"]>, max: number) => Promise<Page<T>>,
): AsyncGenerator<Page<T>> {
  let beginExclusive = Math.max(after, ledger.prunedOffsets().participantPrunedUpToInclusive),
    endInclusive = to;
  while (beginExclusive < endInclusive) {
    const found = await read(ledger.openUpdates({ beginExclusive, endInclusive, format, form: "update", descending }), pageSize);
    if (isFailure(found)) {
      yield found;
      return;
    }
    const page = found.ok,
      last = page.at(-1);
    yield found;
    if (!last || page.length < pageSize) return;
    if (descending) endInclusive = last.offset - 1;
    else beginExclusive = last.offset;
  }
}
