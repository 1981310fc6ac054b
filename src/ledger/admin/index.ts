/** Administration: users, rights, identity providers, and what is local about parties. */
export type {
  Administration,
  AdministrationOptions,
  KnownUser,
  Parties,
  PartyAllocation,
  PartyAllocationRequest,
} from "./administration.js";
export { createAdministration, FirstUserRefused } from "./administration.js";
export { fitsAnnotations, mergeAnnotations } from "./annotations.js";
export { partyAnnotationsTooLarge } from "./errors.js";
export type { KnownParty, PartyDetailsFields } from "./party-details.js";
export type { Requester } from "./requester.js";
export type { PartyRight, PlainRight, RequestedRight, Right, RightsSummary } from "./rights.js";
export { isPartyRight, partyRightKinds, plainRightKinds } from "./rights.js";
export { StoredTables } from "./stored-tables.js";
export type { AdministrationTables, IdentityProviderRecord, UserRecord } from "./tables.js";
export type { UserFields, UserPage } from "./users.js";
export type { PartyDetails } from "./party-details.js";
