/** Whose contracts a format shows, as claims (Canton's `RequiredClaims`). */
import { type Claims, type RequiredClaim, readAs } from "../../auth/index.js";
import type { EventFormat, TransactionFilter, TransactionFormat, UpdateFormat } from "./types/formats.js";

type Wanted<T> = T | null | undefined;
const readAsAnyParty: RequiredClaim = { kind: "readAsAnyParty" };

export function eventFormatClaims(format: Wanted<EventFormat | TransactionFilter>): readonly RequiredClaim[] {
  if (format == null) return [];
  const parties = readAs(Object.keys(format.filtersByParty ?? {}));
  return format.filtersForAnyParty == null ? parties : [...parties, readAsAnyParty];
}

export const transactionFormatClaims = (format: Wanted<TransactionFormat>): readonly RequiredClaim[] =>
  eventFormatClaims(format?.eventFormat);

export function updateFormatClaims(format: Wanted<UpdateFormat>): readonly RequiredClaim[] {
  const topology = format?.includeTopologyEvents?.includeParticipantAuthorizationEvents;
  return [
    ...transactionFormatClaims(format?.includeTransactions),
    ...eventFormatClaims(format?.includeReassignments),
    ...(topology == null ? [] : partiesOrAny(topology.parties ?? [])),
  ];
}

/** An empty list of parties means all of them. */
export const partiesOrAny = (parties: readonly string[]): readonly RequiredClaim[] =>
  parties.length === 0 ? [readAsAnyParty] : readAs(parties);

/** A token is needed in any case. */
export const withToken = (claims: readonly RequiredClaim[]): Claims => [{ kind: "authenticated" }, ...claims];
