/** What a reader of updates asks for: a format and a range of offsets, and what is wrong with either. */
import { fail, isFailure, ok } from "../../base/result.js";
import {
  type AskedOffset,
  type EventFormat,
  filtersEntry,
  invalidField,
  ledgerError,
  type LedgerErrorData,
  type LogValue,
  negativeOffset,
  nonPositiveOffset,
  type Offset,
  offsetAfterLedgerEnd,
  type Outcome,
  partiesProblem,
  type Party,
  type TransactionShape,
} from "../model/index.js";
import { EventFilter, type FilterContext, parseEventFormat } from "./filters.js";
import type { GivenFormat, Traced, UpdateElementForm, UpdateFormatRequest } from "./formats.js";
import type { TransactionFilter } from "./selection.js";

/** An update format with its names resolved. */
export interface ResolvedUpdateFormat {
  readonly transactions: TransactionFilter | undefined;
  readonly reassignments: EventFilter | undefined;
  /** Undefined: no topology updates. Empty: those of all parties. */
  readonly topologyParties: readonly Party[] | undefined;
}

/** An update format that is well-formed; what its names stand for was not looked up. */
export interface ParsedUpdateFormat {
  readonly transactions: { readonly format: EventFormat; readonly shape: TransactionShape } | undefined;
  readonly reassignments: EventFormat | undefined;
  readonly topologyParties: readonly Party[] | undefined;
}

export function resolveGivenFormat(given: GivenFormat, context: FilterContext, traceId?: string): Outcome<ResolvedUpdateFormat> {
  const parsed = parseGivenFormat(given);
  return isFailure(parsed) ? parsed : resolveNames(parsed.ok, context, traceId);
}

export const parseGivenFormat = (given: GivenFormat): Outcome<ParsedUpdateFormat> =>
  "unreadable" in given ? fail(given.unreadable) : parseUpdateFormat(given);

function parseUpdateFormat(request: UpdateFormatRequest): Outcome<ParsedUpdateFormat> {
  const { includeTransactions, includeReassignments: asked, includeTopologyEvents } = request;
  const ofTransactions = includeTransactions && parseEventFormat(includeTransactions.eventFormat);
  if (ofTransactions && isFailure(ofTransactions)) return ofTransactions;
  const isSame = asked !== undefined && asked === includeTransactions?.eventFormat;
  const ofReassignments = isSame ? ofTransactions : asked && parseEventFormat(asked);
  if (ofReassignments && isFailure(ofReassignments)) return ofReassignments;
  const malformed = partiesProblem(includeTopologyEvents?.parties ?? []);
  if (malformed !== undefined) return fail(invalidField("parties", malformed));
  return ok({
    transactions: ofTransactions && { format: ofTransactions.ok, shape: includeTransactions!.shape },
    reassignments: ofReassignments?.ok,
    topologyParties: includeTopologyEvents?.parties,
  });
}

export function resolveNames(parsed: ParsedUpdateFormat, context: FilterContext, traceId?: string): Outcome<ResolvedUpdateFormat> {
  const { transactions: ofTransactions, reassignments: ofReassignments, topologyParties } = parsed;
  const transactions = ofTransactions && EventFilter.named(ofTransactions.format, context, traceId);
  if (transactions && isFailure(transactions)) return transactions;
  const isSame = ofReassignments !== undefined && ofReassignments === ofTransactions?.format;
  const reassignments = isSame ? transactions : ofReassignments && EventFilter.named(ofReassignments, context, traceId);
  if (reassignments && isFailure(reassignments)) return reassignments;
  return ok({
    transactions: transactions && { filter: transactions.ok, shape: ofTransactions!.shape },
    reassignments: reassignments?.ok,
    topologyParties,
  });
}

/** The entry `updateFormat` of the request's log. */
export const updateFormatEntry = ({ transactions, reassignments, topologyParties }: ParsedUpdateFormat): LogValue => ({
  "transaction format": transactions
    ? [{ filters: filtersEntry(transactions.format), transactionShape: shapeWords[transactions.shape] }]
    : [],
  "reassignment filters": reassignments ? [filtersEntry(reassignments)] : [],
  "topology format": topologyParties
    ? [{ participantAuthorizationFormat: topologyParties.length === 0 ? undefined : [...new Set(topologyParties)] }]
    : [],
});

const shapeWords: Readonly<Record<TransactionShape, string>> = { acsDelta: "AcsDelta", ledgerEffects: "LedgerEffects" };

/** Offsets as they were asked for. */
interface AskedRange {
  readonly beginExclusive: AskedOffset;
  readonly endInclusive: AskedOffset | undefined;
  readonly descending: boolean;
}

/** Of the ledger. */
export interface UpdateRange {
  readonly beginExclusive: Offset;
  readonly endInclusive: Offset | undefined;
  readonly descending: boolean;
}

/** Each by itself, in the order of Canton's `UpdateServiceRequestValidator`: before the format is looked at. */
export function offsetsProblem(range: AskedRange, ledgerEnd: Offset): LedgerErrorData | undefined {
  const { beginExclusive, endInclusive } = range;
  if (beginExclusive < 0) return negativeOffset("begin_exclusive", beginExclusive);
  if (endInclusive !== undefined && endInclusive <= 0) return nonPositiveOffset("end_inclusive", endInclusive, !range.descending);
  if (range.descending && endInclusive === undefined)
    return ledgerError("DESCENDING_ORDER_MISSING_END", "end_inclusive is not provided when descending_order is true");
  if (beginExclusive > ledgerEnd) return offsetAfterLedgerEnd("Begin", beginExclusive, ledgerEnd);
  return endInclusive !== undefined && endInclusive > ledgerEnd ? offsetAfterLedgerEnd("End", endInclusive, ledgerEnd) : undefined;
}

/** Behind the format. */
export const spanProblem = ({ beginExclusive, endInclusive }: UpdateRange): LedgerErrorData | undefined =>
  endInclusive !== undefined && endInclusive < beginExclusive
    ? ledgerError("OFFSET_OUT_OF_RANGE", `End offset ${endInclusive} is before begin offset ${beginExclusive}.`)
    : undefined;

/** Who asks for nothing misses nothing: the reference does not read for him. */
export const asksForNothing = ({ transactions, reassignments, topologyParties }: ResolvedUpdateFormat): boolean =>
  topologyParties === undefined && [transactions?.filter, reassignments].every((filter) => filter === undefined || filter.asksForNothing);

export interface UpdatesRequest extends AskedRange, Traced {
  readonly format: GivenFormat;
  readonly form: UpdateElementForm;
}

/** Of one whose offsets are those of the ledger: without its format, which may be large and is resolved by now. */
export const rangeOf = ({ beginExclusive, endInclusive, descending }: AskedRange): UpdateRange => ({
  beginExclusive: Number(beginExclusive),
  endInclusive: endInclusive === undefined ? undefined : Number(endInclusive),
  descending,
});
