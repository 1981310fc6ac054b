/** Wire formats to the ledger's: who is asked for, which templates, how much of each event (`transaction_filter.proto`). */
import { fail, ok, type Result } from "../../base/result.js";
import type {
  EventFormatRequest,
  FilterRequest,
  FiltersRequest,
  GivenFormat,
  TransactionShape,
  UpdateFormatRequest,
} from "../../ledger/index.js";
import type { RequestFailure } from "../errors.js";
import { missingField } from "../failures.js";
import type { CumulativeFilter, EventFormat, Filters, TransactionFormat, UpdateFormat } from "./types/formats.js";

type Decoded<T> = Result<T, RequestFailure>;
type TransactionFormatRequest = NonNullable<UpdateFormatRequest["includeTransactions"]>;

export function eventFormatOf(wire: EventFormat): EventFormatRequest {
  const byParty = wire.filtersByParty ?? {},
    filtersByParty: Record<string, FiltersRequest> = {},
    known = new Map<string, FiltersRequest>(); // one for all parties that ask for the same: there may be thousands
  for (const party of Object.keys(byParty)) {
    const text = JSON.stringify(byParty[party]);
    let filters = known.get(text);
    if (filters === undefined) known.set(text, (filters = filtersOf(byParty[party]!)));
    setOwn(filtersByParty, party, filters);
  }
  return {
    filtersByParty,
    filtersForAnyParty: wire.filtersForAnyParty == null ? undefined : filtersOf(wire.filtersForAnyParty),
    verbose: wire.verbose ?? false,
  };
}

/** A member of any name; to assign one would not make it of `__proto__`. */
function setOwn<T>(object: Record<string, T>, name: string, value: T): void {
  if (name === "__proto__") Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  else object[name] = value;
}

const filtersOf = ({ cumulative = [] }: Filters): FiltersRequest => ({ cumulative: cumulative.map(filterOf) });

function filterOf({ identifierFilter }: CumulativeFilter): FilterRequest {
  if (identifierFilter === undefined || "Empty" in identifierFilter) return { kind: "empty" };
  if ("WildcardFilter" in identifierFilter) {
    const { includeCreatedEventBlob = false } = identifierFilter.WildcardFilter.value;
    return { kind: "wildcard", includeCreatedEventBlob };
  }
  if ("TemplateFilter" in identifierFilter) {
    const { templateId, includeCreatedEventBlob = false } = identifierFilter.TemplateFilter.value;
    return { kind: "template", templateId: templateId ?? undefined, includeCreatedEventBlob };
  }
  const { interfaceId, includeInterfaceView = false, includeCreatedEventBlob = false } = identifierFilter.InterfaceFilter.value;
  return { kind: "interface", interfaceId: interfaceId ?? undefined, includeInterfaceView, includeCreatedEventBlob };
}

export function updateFormatOf(wire: UpdateFormat): Decoded<UpdateFormatRequest> {
  const transactions: Decoded<TransactionFormatRequest | undefined> =
    wire.includeTransactions == null ? ok(undefined) : transactionFormatOf(wire.includeTransactions);
  if (transactions.error !== undefined) return transactions;
  const topology = wire.includeTopologyEvents?.includeParticipantAuthorizationEvents;
  return ok({
    includeTransactions: transactions.ok,
    includeReassignments: wire.includeReassignments == null ? undefined : eventFormatOf(wire.includeReassignments),
    includeTopologyEvents: topology == null ? undefined : { parties: topology.parties ?? [] },
  });
}

export const given = (format: Decoded<UpdateFormatRequest>): GivenFormat =>
  format.error === undefined ? format.ok : { unreadable: format.error };

export function transactionFormatOf(wire: TransactionFormat): Decoded<TransactionFormatRequest> {
  const shape = shapes[wire.transactionShape];
  if (shape === undefined) return fail(missingField("transaction_shape"));
  if (wire.eventFormat == null) return fail(missingField("event_format"));
  return ok({ eventFormat: eventFormatOf(wire.eventFormat), shape });
}

const shapes: Readonly<Record<TransactionFormat["transactionShape"], TransactionShape | undefined>> = {
  TRANSACTION_SHAPE_UNSPECIFIED: undefined,
  TRANSACTION_SHAPE_ACS_DELTA: "acsDelta",
  TRANSACTION_SHAPE_LEDGER_EFFECTS: "ledgerEffects",
};

const wildcard: FilterRequest = { kind: "wildcard", includeCreatedEventBlob: false };
const onlyWildcard: FiltersRequest = { cumulative: [wildcard] };

/** Everything that these parties see. */
export const wildcardFor = (parties: readonly string[]): EventFormatRequest => ({
  filtersByParty: Object.fromEntries(parties.map((party) => [party, onlyWildcard])),
  filtersForAnyParty: undefined,
  verbose: true,
});

/** Adds a wildcard wherever there is none: trees always show whole transactions. */
export function withWildcards(format: EventFormatRequest): EventFormatRequest {
  const widened = (filters: FiltersRequest): FiltersRequest => {
    if (filters.cumulative.length === 0) return onlyWildcard;
    return filters.cumulative.some((filter) => filter.kind === "wildcard") ? filters : { cumulative: [...filters.cumulative, wildcard] };
  };
  const filtersByParty: Record<string, FiltersRequest> = {};
  for (const party of Object.keys(format.filtersByParty)) setOwn(filtersByParty, party, widened(format.filtersByParty[party]!));
  return {
    filtersByParty,
    filtersForAnyParty: format.filtersForAnyParty && widened(format.filtersForAnyParty),
    verbose: format.verbose,
  };
}

export const onlyTransactions = (eventFormat: EventFormatRequest, shape: TransactionShape): UpdateFormatRequest => ({
  includeTransactions: { eventFormat, shape },
  includeReassignments: undefined,
  includeTopologyEvents: undefined,
});
