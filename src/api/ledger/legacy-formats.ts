/**
 * Formats of requests that still carry the older fields: one way or the other, never both (`GetUpdatesRequest`,
 * `GetActiveContractsRequest`).
 */
import { fail, ok, type Result } from "../../base/result.js";
import type { EventFormatRequest, GivenFormat, TransactionShape } from "../../ledger/index.js";
import type { RequestFailure } from "../errors.js";
import { invalidArgument } from "../failures.js";
import { eventFormatOf, given, onlyTransactions, transactionFormatOf, updateFormatOf, wildcardFor, withWildcards } from "./formats.js";
import type { GetActiveContractsRequest } from "./types/state.js";
import type { GetTransactionByIdRequest, GetTransactionByOffsetRequest, GetUpdatesRequest } from "./types/updates.js";

type Decoded<T> = Result<T, RequestFailure>;

/** Clients look for these words, which are not quite the same for single transactions. */
const both = (field: string, legacy: string): RequestFailure =>
  invalidArgument(
    `Both ${field} and ${legacy} are set. Please use either backwards compatible arguments (filter and verbose) or ${field}, but not both.`,
  );
const neither = (field: string): RequestFailure =>
  invalidArgument(
    `Either filter/verbose or ${field} is required. Please use either backwards compatible arguments (filter and verbose) or ${field}.`,
  );
const bothOfOne = (): RequestFailure =>
  invalidArgument(
    "Both transaction_format and requesting_parties are set. Please use either backwards compatible arguments (requesting_parties) or transaction_format but not both.",
  );
const neitherOfOne = (): RequestFailure =>
  invalidArgument(
    "Either transaction_format or requesting_parties is required. Please use either backwards compatible arguments (requesting_parties) or transaction_format.",
  );

/** `updateFormat`, or `filter` and `verbose`: those give transactions of this shape, and reassignments. */
export function updatesFormat(wire: GetUpdatesRequest, shape: TransactionShape): Decoded<GivenFormat> {
  if (wire.updateFormat != null) {
    const clash = wire.filter != null ? "filter" : wire.verbose ? "verbose" : undefined;
    return clash === undefined ? ok(given(updateFormatOf(wire.updateFormat))) : fail(both("update_format", clash));
  }
  if (wire.filter == null) return fail(neither("update_format"));
  const eventFormat = eventFormatOf({ ...wire.filter, verbose: wire.verbose ?? false });
  return ok({
    includeTransactions: { eventFormat, shape },
    includeReassignments: eventFormat,
    includeTopologyEvents: undefined,
  });
}

/**
 * The older fields are widened to whole transactions, as the parties see them. `updateFormat` is taken as it is
 * (`JsUpdateService.toGetUpdatesRequest`): of its deltas a tree has the created events, as it has no place for archived ones.
 */
export function treesFormat(wire: GetUpdatesRequest): Decoded<GivenFormat> {
  const format = updatesFormat(wire, "ledgerEffects");
  if (format.error !== undefined || "unreadable" in format.ok) return format;
  if (wire.updateFormat != null) return format;
  const { includeReassignments } = format.ok;
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
    return clash === undefined ? ok(eventFormatOf(wire.eventFormat)) : fail(both("event_format", clash));
  }
  if (wire.filter == null) return fail(neither("event_format"));
  return ok(eventFormatOf({ ...wire.filter, verbose: wire.verbose ?? false }));
}

/** `transactionFormat`, or `requestingParties`: those see all that changed for them. */
export function singleTransactionFormat(wire: GetTransactionByIdRequest | GetTransactionByOffsetRequest): Decoded<GivenFormat> {
  const parties = wire.requestingParties ?? [];
  if (wire.transactionFormat == null) {
    if (parties.length === 0) return fail(neitherOfOne());
    return ok(onlyTransactions(wildcardFor(parties), "acsDelta"));
  }
  if (parties.length > 0) return fail(bothOfOne());
  const format = transactionFormatOf(wire.transactionFormat);
  return ok(format.error === undefined ? onlyTransactions(format.ok.eventFormat, format.ok.shape) : { unreadable: format.error });
}
