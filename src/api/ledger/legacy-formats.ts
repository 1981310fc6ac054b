/** Formats of requests that still carry the older fields: one way or the other, never both (`GetUpdatesRequest`, `GetActiveContractsRequest`). */
import type { Result } from "../../base/result.js";
import { fail, ok } from "../../base/result.js";
import type { EventFormatRequest, UpdateFormatRequest } from "../../ledger/ledger.js";
import type { TransactionShape } from "../../ledger/model.js";
import type { RequestFailure } from "../errors.js";
import { invalidArgument } from "../failures.js";
import { eventFormatOf, onlyTransactions, transactionFormatOf, updateFormatOf, wildcardFor, withWildcards } from "./formats.js";
import type { GetActiveContractsRequest } from "./types/state.js";
import type { GetTransactionByIdRequest, GetTransactionByOffsetRequest, GetUpdatesRequest } from "./types/updates.js";

type Decoded<T> = Result<T, RequestFailure>;

const both = (field: string, legacy: string, legacyFields: string): RequestFailure =>
  invalidArgument(`Both ${field} and ${legacy} are set. Please use either backwards compatible arguments (${legacyFields}) or ${field}, but not both.`);
const neither = (field: string, legacyNames: string, legacyFields: string): RequestFailure =>
  invalidArgument(`Either ${legacyNames} or ${field} is required. Please use either backwards compatible arguments (${legacyFields}) or ${field}.`);

/** `updateFormat`, or `filter` and `verbose`: those give transactions of this shape, and reassignments. */
export function updatesFormat(wire: GetUpdatesRequest, shape: TransactionShape): Decoded<UpdateFormatRequest> {
  if (wire.updateFormat != null) {
    const clash = wire.filter != null ? "filter" : wire.verbose ? "verbose" : undefined;
    return clash === undefined ? updateFormatOf(wire.updateFormat) : fail(both("update_format", clash, "filter and verbose"));
  }
  if (wire.filter == null) return fail(neither("update_format", "filter/verbose", "filter and verbose"));
  const eventFormat = eventFormatOf({ ...wire.filter, verbose: wire.verbose ?? false });
  if (eventFormat.error !== undefined) return eventFormat;
  return ok({ includeTransactions: { eventFormat: eventFormat.ok, shape }, includeReassignments: eventFormat.ok, includeTopologyEvents: undefined });
}

/** The flat form shows what changed in the set of active contracts, whatever shape was asked for, and reassignments. */
export function flatsFormat(wire: GetUpdatesRequest): Decoded<UpdateFormatRequest> {
  const format = updatesFormat(wire, "acsDelta");
  return format.error === undefined ? ok(reshaped(format.ok, "acsDelta", eventFormat => eventFormat)) : format;
}

/** The tree form shows whole transactions and has no place for topology events. */
export function treesFormat(wire: GetUpdatesRequest): Decoded<UpdateFormatRequest> {
  const format = updatesFormat(wire, "ledgerEffects");
  if (format.error !== undefined) return format;
  if (format.ok.includeTopologyEvents !== undefined) return fail(invalidArgument("Topology events cannot be shown as transaction trees."));
  return ok(reshaped(format.ok, "ledgerEffects", withWildcards));
}

function reshaped(format: UpdateFormatRequest, shape: TransactionShape, widen: (eventFormat: EventFormatRequest) => EventFormatRequest): UpdateFormatRequest {
  const transactions = format.includeTransactions;
  return {
    includeTransactions: transactions && { eventFormat: widen(transactions.eventFormat), shape },
    includeReassignments: format.includeReassignments ?? transactions?.eventFormat,
    includeTopologyEvents: format.includeTopologyEvents,
  };
}

/** `eventFormat`, or `filter` and `verbose`. */
export function activeContractsFormat(wire: GetActiveContractsRequest): Decoded<EventFormatRequest> {
  if (wire.eventFormat != null) {
    const clash = wire.filter != null ? "filter" : wire.verbose ? "verbose" : undefined;
    return clash === undefined ? eventFormatOf(wire.eventFormat) : fail(both("event_format", clash, "filter and verbose"));
  }
  if (wire.filter == null) return fail(neither("event_format", "filter/verbose", "filter and verbose"));
  return eventFormatOf({ ...wire.filter, verbose: wire.verbose ?? false });
}

/** `transactionFormat`, or `requestingParties`: those see all that changed for them. */
export function singleTransactionFormat(wire: GetTransactionByIdRequest | GetTransactionByOffsetRequest): Decoded<UpdateFormatRequest> {
  const parties = wire.requestingParties ?? [];
  if (wire.transactionFormat == null) {
    if (parties.length === 0) return fail(neither("transaction_format", "requesting_parties", "requesting_parties"));
    return ok(onlyTransactions(wildcardFor(parties), "acsDelta"));
  }
  if (parties.length > 0) return fail(both("transaction_format", "requesting_parties", "requesting_parties"));
  const format = transactionFormatOf(wire.transactionFormat);
  return format.error === undefined ? ok(onlyTransactions(format.ok.eventFormat, format.ok.shape)) : format;
}
