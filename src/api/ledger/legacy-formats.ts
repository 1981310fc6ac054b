/**
 * Formats of requests that still carry the older fields: one way or the other, never both (`GetUpdatesRequest`,
 * `GetActiveContractsRequest`).
 */
import { fail, ok, type Result } from "../../base/result.js";
import type { EventFormatRequest, TransactionShape, UpdateFormatRequest } from "../../ledger/index.js";
import type { RequestFailure } from "../errors.js";
import { invalidArgument } from "../failures.js";
import { eventFormatOf, onlyTransactions, transactionFormatOf, updateFormatOf, wildcardFor, withWildcards } from "./formats.js";
import type { GetActiveContractsRequest } from "./types/state.js";
import type { GetTransactionByIdRequest, GetTransactionByOffsetRequest, GetUpdatesRequest } from "./types/updates.js";

type Decoded<T> = Result<T, RequestFailure>;

const both = (field: string, legacy: string, legacyFields: string): RequestFailure =>
  invalidArgument(
    `Both ${field} and ${legacy} are set. Please use either backwards compatible arguments (${legacyFields}) or ${field}, but not both.`,
  );
const neither = (field: string, legacyNames: string, legacyFields: string): RequestFailure =>
  invalidArgument(
    `Either ${legacyNames} or ${field} is required. Please use either backwards compatible arguments (${legacyFields}) or ${field}.`,
  );

/** `updateFormat`, or `filter` and `verbose`: those give transactions of this shape, and reassignments. */
export function updatesFormat(wire: GetUpdatesRequest, shape: TransactionShape): Decoded<UpdateFormatRequest> {
  if (wire.updateFormat != null) {
    const clash = wire.filter != null ? "filter" : wire.verbose ? "verbose" : undefined;
    return clash === undefined ? updateFormatOf(wire.updateFormat) : fail(both("update_format", clash, "filter and verbose"));
  }
  if (wire.filter == null) return fail(neither("update_format", "filter/verbose", "filter and verbose"));
  const eventFormat = eventFormatOf({ ...wire.filter, verbose: wire.verbose ?? false });
  if (eventFormat.error !== undefined) return eventFormat;
  return ok({
    includeTransactions: { eventFormat: eventFormat.ok, shape },
    includeReassignments: eventFormat.ok,
    includeTopologyEvents: undefined,
  });
}

/**
 * The tree form has no place for archived events, so it shows whole transactions, and none for topology events. Only the
 * older fields are widened to all that the parties see: `updateFormat` is taken as it is (`JsUpdateService.toGetUpdatesRequest`).
 */
export function treesFormat(wire: GetUpdatesRequest): Decoded<UpdateFormatRequest> {
  const format = updatesFormat(wire, "ledgerEffects");
  if (format.error !== undefined) return format;
  const { includeTransactions, includeReassignments, includeTopologyEvents } = format.ok;
  if (includeTopologyEvents !== undefined) return fail(invalidArgument("Topology events cannot be shown as transaction trees."));
  if (wire.updateFormat != null)
    return ok({ ...format.ok, includeTransactions: includeTransactions && { ...includeTransactions, shape: "ledgerEffects" } });
  const eventFormat = includeReassignments && withWildcards(includeReassignments); // the same of both, as they come from the same fields
  return ok({
    includeTransactions: eventFormat && { eventFormat, shape: "ledgerEffects" },
    includeReassignments: eventFormat,
    includeTopologyEvents: undefined,
  });
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
