/** Users and their rights. Every function is one operation on the tables; `Administration` runs and writes them. */
import type { Int64 } from "../../base/int64.js";
import { fail, isFailure, ok } from "../../base/result.js";
import { limits } from "../../config.js";
import {
  invalidArgument,
  type LedgerErrorData,
  ListTokens,
  missingField,
  type Outcome,
  partyProblem,
  type TokenKey,
} from "../model/index.js";
import { type Annotations, checkAnnotations, fitsAnnotations, mergeAnnotations } from "./annotations.js";
import type { Draft } from "./draft.js";
import * as errors from "./errors.js";
import { optionalIdentityProviderId, optionalResourceVersion, requireUserId } from "./field-rules.js";
import { requireKnownProvider } from "./identity-providers.js";
import { type Mask, masked, parseMask } from "./masks.js";
import type { Requester } from "./requester.js";
import { checkRights, isPartyRight, type RequestedRight, type Right, rightsWithout } from "./rights.js";
import { type AdministrationTables, userIndexKey, userIndexPrefix, type UserRecord } from "./tables.js";

export interface UserFields {
  readonly id: string;
  readonly identityProviderId: string;
  readonly primaryParty: string;
  readonly isDeactivated: boolean;
  readonly primaryPartyAuthentication: boolean;
  readonly annotations: Annotations;
  readonly resourceVersion: string;
}

export interface UserOfProvider {
  readonly userId: string;
  readonly identityProviderId: string;
}
export interface RightsChange extends UserOfProvider {
  readonly rights: readonly RequestedRight[];
}

/** Is the party known as one of this identity provider? */
export type PartyInProvider = (party: string, identityProviderId: string) => boolean;

type Reader = Pick<AdministrationTables, "get" | "keys">;

const defaultAdmin = "participant_admin";

export function createDefaultAdmin(draft: Draft): Outcome<undefined> {
  if (draft.get("marks", "defaultAdminCreated") !== undefined) return ok(undefined); // it may have been deleted since
  draft.put("marks", "defaultAdminCreated", true);
  putUser(draft, {
    id: defaultAdmin,
    identityProviderId: "",
    primaryParty: "",
    isDeactivated: false,
    primaryPartyAuthentication: false,
    annotations: {},
    resourceVersion: 0,
  });
  draft.put("rights", defaultAdmin, [{ kind: "ParticipantAdmin" }]);
  return ok(undefined);
}

export function createUser(
  draft: Draft,
  request: { readonly user: UserFields | undefined; readonly rights: readonly RequestedRight[] },
  requester: Requester,
  partyInProvider: PartyInProvider,
): Outcome<UserRecord> {
  const operation = "creating user";
  const { user } = request;
  if (user === undefined) return fail(missingField("user"));
  const id = requireUserId(user.id, "id");
  if (isFailure(id)) return id;
  if (user.resourceVersion !== "") return fail(invalidArgument("field user.metadata.resource_version must be not set"));
  const annotations = checkAnnotations(user.annotations, "user.metadata.annotations", "refused");
  if (isFailure(annotations)) return annotations;
  const party = optionalParty(user.primaryParty);
  if (isFailure(party)) return party;
  const rights = checkRights(request.rights);
  if (isFailure(rights)) return rights;
  const provider = requireKnownProvider(draft, user.identityProviderId);
  if (isFailure(provider)) return provider;
  const foreign = foreignParties(rights.ok, user.identityProviderId, requester, partyInProvider);
  if (foreign.length > 0) return fail(errors.partiesNotInProvider(foreign, user.identityProviderId));
  const existing = draft.get("users", user.id);
  if (existing !== undefined)
    return fail(
      existing.identityProviderId === user.identityProviderId ? errors.userAlreadyExists(operation, user.id) : ofAnotherProvider(),
    );
  if (rights.ok.length > limits.userRightsMax) return fail(errors.tooManyUserRights(operation, user.id));
  const created: UserRecord = { ...user, resourceVersion: 0 };
  putUser(draft, created);
  if (rights.ok.length > 0) draft.put("rights", user.id, rights.ok);
  return ok(created);
}

export function getUser(tables: Reader, request: UserOfProvider, operation = "getting user"): Outcome<UserRecord> {
  const userId = requireUserId(request.userId, "user_id");
  if (isFailure(userId)) return userId;
  const provider = optionalIdentityProviderId(request.identityProviderId);
  if (isFailure(provider)) return provider;
  const user = tables.get("users", request.userId);
  if (user === undefined) return fail(errors.userNotFound(operation, request.userId));
  return user.identityProviderId === request.identityProviderId ? ok(user) : fail(ofAnotherProvider());
}

export function deleteUser(draft: Draft, request: UserOfProvider, requester: Requester): Outcome<undefined> {
  if (request.userId === requester.userId) return fail(invalidArgument("Requesting user cannot delete itself"));
  const user = getUser(draft, request, "deleting user");
  if (isFailure(user)) return user;
  draft.remove("users", user.ok.id);
  draft.remove("rights", user.ok.id);
  draft.remove("userIndex", userIndexKey(user.ok.identityProviderId, user.ok.id));
  return ok(undefined);
}

const updatableFields = [
  "id",
  "primary_party",
  "is_deactivated",
  "metadata.annotations",
  "metadata.resource_version",
  "identity_provider_id",
  "primary_party_authentication",
];

export function updateUser(
  draft: Draft,
  request: { readonly user: UserFields | undefined; readonly mask: readonly string[] | undefined },
  requester: Requester,
): Outcome<UserRecord> {
  const { user } = request;
  if (user === undefined) return fail(missingField("user"));
  const checked = checkUpdate(user, request.mask);
  if (isFailure(checked)) return checked;
  const { mask, expectedVersion } = checked.ok;
  const provider = requireKnownProvider(draft, user.identityProviderId);
  if (isFailure(provider)) return provider;
  // Also without effect: what counts is that the request names the field and sets it.
  const deactivates = user.isDeactivated && mask.matches("is_deactivated") !== undefined;
  if (deactivates && user.id === requester.userId) return fail(invalidArgument("Requesting user cannot self-deactivate"));
  const found = getUser(draft, { userId: user.id, identityProviderId: user.identityProviderId }, "updating user");
  if (isFailure(found)) return found;
  if (expectedVersion !== undefined && expectedVersion !== found.ok.resourceVersion) return fail(errors.concurrentUserUpdate(user.id));
  const updated = applyUpdate(found.ok, user, mask);
  if (!fitsAnnotations(updated.annotations)) return fail(errors.userAnnotationsTooLarge(user.id));
  draft.put("users", user.id, updated);
  return ok(updated);
}

function checkUpdate(
  user: UserFields,
  paths: readonly string[] | undefined,
): Outcome<{ readonly mask: Mask; readonly expectedVersion: Int64 | undefined }> {
  const id = requireUserId(user.id, "user.id");
  if (isFailure(id)) return id;
  if (paths === undefined) return fail(missingField("update_mask"));
  const party = optionalParty(user.primaryParty);
  if (isFailure(party)) return party;
  const provider = optionalIdentityProviderId(user.identityProviderId);
  if (isFailure(provider)) return provider;
  const version = optionalResourceVersion(user.resourceVersion, "user.metadata.resource_version");
  if (isFailure(version)) return version;
  const annotations = checkAnnotations(user.annotations, "user.metadata.annotations", "allowed");
  if (isFailure(annotations)) return annotations;
  const mask = parseMask(paths, updatableFields);
  return isFailure(mask) ? fail(errors.invalidUserUpdate(user.id, mask.error)) : ok({ mask: mask.ok, expectedVersion: version.ok });
}

const applyUpdate = (old: UserRecord, change: UserFields, mask: Mask): UserRecord => ({
  ...old,
  primaryParty: masked(mask, "primary_party", { old: old.primaryParty, new: change.primaryParty, isDefault: change.primaryParty === "" }),
  isDeactivated: masked(mask, "is_deactivated", { old: old.isDeactivated, new: change.isDeactivated, isDefault: !change.isDeactivated }),
  primaryPartyAuthentication: masked(mask, "primary_party_authentication", {
    old: old.primaryPartyAuthentication,
    new: change.primaryPartyAuthentication,
    isDefault: !change.primaryPartyAuthentication,
  }),
  annotations: masked(mask, "metadata.annotations", {
    old: old.annotations,
    new: mergeAnnotations(old.annotations, change.annotations),
    isDefault: Object.keys(change.annotations).length === 0,
  }),
  resourceVersion: old.resourceVersion + 1,
});

export interface UserPage {
  readonly users: readonly UserRecord[];
  readonly nextPageToken: string;
}

export function listUsers(
  tables: Reader,
  request: { readonly pageSize: number; readonly pageToken: string; readonly identityProviderId: string },
  tokenKey: TokenKey,
): Outcome<UserPage> {
  const { pageSize, identityProviderId } = request;
  const tokens = new ListTokens(tokenKey, "users", [identityProviderId]);
  const after = request.pageToken === "" ? ok("") : tokens.textPlace(request.pageToken);
  if (isFailure(after)) return fail(invalidArgument("Invalid page token"));
  if (pageSize < 0) return fail(invalidArgument("Max page size must be non-negative"));
  const provider = optionalIdentityProviderId(identityProviderId);
  if (isFailure(provider)) return provider;
  const limit = pageSize === 0 ? limits.usersPageElementsMax : Math.min(pageSize, limits.usersPageElementsMax);
  const prefix = userIndexPrefix(identityProviderId);
  const ids = tables
    .keys("userIndex", { prefix, after: after.ok === "" ? "" : prefix + after.ok, limit })
    .map((key) => key.slice(prefix.length));
  const users = ids.flatMap((id) => tables.get("users", id) ?? []);
  return ok({ users, nextPageToken: ids.length < limit ? "" : tokens.text(ids.at(-1)!) });
}

export function listRights(tables: Reader, request: UserOfProvider, operation = "list user rights"): Outcome<readonly Right[]> {
  const user = getUser(tables, request, operation);
  return isFailure(user) ? user : ok(tables.get("rights", request.userId) ?? []);
}

/** Gives what is newly granted. The user's resource version stays. */
export function grantRights(
  draft: Draft,
  request: RightsChange,
  requester: Requester,
  partyInProvider: PartyInProvider,
): Outcome<readonly Right[]> {
  const operation = "grant user rights";
  const rights = checkChange(request);
  if (isFailure(rights)) return rights;
  const foreign = foreignParties(rights.ok, request.identityProviderId, requester, partyInProvider);
  if (foreign.length > 0) return fail(errors.partiesNotInProvider(foreign, request.identityProviderId));
  const held = listRights(draft, request, operation);
  if (isFailure(held)) return held;
  const added = rightsWithout(rights.ok, held.ok);
  if (held.ok.length + added.length > limits.userRightsMax) return fail(errors.tooManyUserRights(operation, request.userId));
  if (added.length > 0) draft.put("rights", request.userId, [...held.ok, ...added]);
  return ok(added);
}

/** Gives what was really revoked. */
export function revokeRights(
  draft: Draft,
  request: RightsChange,
  requester: Requester,
  partyInProvider: PartyInProvider,
): Outcome<readonly Right[]> {
  const rights = checkChange(request);
  if (isFailure(rights)) return rights;
  const ownAdminRight = request.userId === requester.userId && rights.ok.some(({ kind }) => kind === "ParticipantAdmin");
  if (ownAdminRight) return fail(invalidArgument("Requesting user cannot remove own admin rights"));
  const foreign = foreignParties(rights.ok, request.identityProviderId, requester, partyInProvider);
  if (foreign.length > 0) return fail(errors.partiesNotInProvider(foreign, request.identityProviderId));
  const held = listRights(draft, request, "revoke user rights");
  if (isFailure(held)) return held;
  const kept = rightsWithout(held.ok, rights.ok);
  if (kept.length < held.ok.length) draft.put("rights", request.userId, kept);
  return ok(rightsWithout(held.ok, kept));
}

export function moveUser(
  draft: Draft,
  request: { readonly userId: string; readonly source: string; readonly target: string },
): Outcome<undefined> {
  const { userId, source, target } = request;
  const malformed = [
    requireUserId(userId, "user_id"),
    optionalIdentityProviderId(source, "source_identity_provider_id"),
    optionalIdentityProviderId(target, "target_identity_provider_id"),
  ].find(isFailure);
  if (malformed) return malformed;
  for (const id of [source, target]) {
    const provider = requireKnownProvider(draft, id);
    if (isFailure(provider)) return provider;
  }
  const user = getUser(draft, { userId, identityProviderId: source }, "update user identity provider");
  if (isFailure(user)) return user;
  draft.remove("userIndex", userIndexKey(source, userId));
  putUser(draft, { ...user.ok, identityProviderId: target });
  return ok(undefined);
}

function putUser(draft: Draft, user: UserRecord): void {
  draft.put("users", user.id, user);
  draft.put("userIndex", userIndexKey(user.identityProviderId, user.id), true);
}

/** The rights, where all of the request is well-formed. */
function checkChange({ userId, rights: requested, identityProviderId }: RightsChange): Outcome<readonly Right[]> {
  const user = requireUserId(userId, "user_id");
  if (isFailure(user)) return user;
  const rights = checkRights(requested);
  if (isFailure(rights)) return rights;
  const provider = optionalIdentityProviderId(identityProviderId);
  return isFailure(provider) ? provider : rights;
}

/**
 * Rights to act and read as parties outside the identity provider are for participant admins to give and take; the right to execute as
 * one is not looked at, as in the reference. Each party is told once.
 */
function foreignParties(
  rights: readonly Right[],
  identityProviderId: string,
  requester: Requester,
  partyInProvider: PartyInProvider,
): readonly string[] {
  if (requester.participantAdmin) return [];
  const parties = new Set(rights.flatMap((right) => (isPartyRight(right) && right.kind !== "CanExecuteAs" ? [right.party] : [])));
  return [...parties].filter((party) => !partyInProvider(party, identityProviderId));
}

function optionalParty(party: string): Outcome<undefined> {
  const problem = party === "" ? undefined : partyProblem(party);
  return problem === undefined ? ok(undefined) : fail(invalidArgument(problem));
}

const ofAnotherProvider = (): LedgerErrorData => errors.permissionDenied("The user belongs to another identity provider.");
