/** What a participant keeps about a party for itself: annotations and the identity provider it belongs to. */
import type { Int64 } from "../../base/int64.js";
import { fail, isFailure, ok } from "../../base/result.js";
import { invalidArgument, missingField, type Outcome, type Party, partyProblem } from "../model/index.js";
import { type Annotations, checkAnnotations, fitsAnnotations, mergeAnnotations } from "./annotations.js";
import * as errors from "./errors.js";
import { optionalIdentityProviderId, optionalResourceVersion } from "./field-rules.js";
import { type Mask, masked, parseMask } from "./masks.js";

export interface PartyDetails {
  readonly party: Party;
  readonly isLocal: boolean;
  readonly annotations: Readonly<Record<string, string>>;
  readonly resourceVersion: string;
  readonly identityProviderId: string;
}

export interface PartyDetailsFields {
  readonly party: string;
  readonly isLocal: boolean;
  readonly identityProviderId: string;
  readonly annotations: Annotations;
  readonly resourceVersion: string;
}

export interface KnownParty {
  readonly party: string;
  readonly isLocal: boolean;
  readonly identityProviderId: string;
  readonly annotations: Annotations;
  /** Undefined: nothing was ever written about the party. */
  readonly resourceVersion: number | undefined;
}

export interface PartyUpdate {
  readonly details: PartyDetailsFields;
  readonly mask: Mask;
  readonly expectedVersion: Int64 | undefined;
}

const updatableFields = ["party", "is_local", "local_metadata.annotations", "local_metadata.resource_version", "identity_provider_id"];

/** Everything about a request that can be said without looking at the party. */
export function checkPartyUpdate(
  details: PartyDetailsFields | undefined,
  paths: readonly string[] | undefined,
  providerKnown: (id: string) => Outcome<undefined>,
): Outcome<PartyUpdate> {
  if (details === undefined) return fail(missingField("party_details"));
  const problem = partyProblem(details.party);
  if (problem !== undefined) return fail(invalidArgument(problem));
  const version = optionalResourceVersion(details.resourceVersion, "party_details.local_metadata");
  if (isFailure(version)) return version;
  const annotations = checkAnnotations(details.annotations, "party_details.local_metadata.annotations", "allowed");
  if (isFailure(annotations)) return annotations;
  if (paths === undefined) return fail(missingField("update_mask"));
  const provider = optionalIdentityProviderId(details.identityProviderId);
  if (isFailure(provider)) return provider;
  const known = providerKnown(details.identityProviderId);
  if (isFailure(known)) return known;
  const mask = parseMask(paths, updatableFields);
  return isFailure(mask)
    ? fail(errors.invalidPartyUpdate(details.party, mask.error))
    : ok({ details, mask: mask.ok, expectedVersion: version.ok });
}

/**
 * The party as it will be. A change without effect counts as one: the version grows. The first one about a party, which has to be local,
 * is not held against an expected version, gives it to the identity provider that is named, and its annotations are taken as they come,
 * also empty ones.
 */
export function applyPartyUpdate({ details, mask, expectedVersion }: PartyUpdate, known: KnownParty | undefined): Outcome<KnownParty> {
  const { party } = details;
  if (known === undefined) return fail(errors.partyNotFound("updating a party record", party));
  const isLocal = masked(mask, "is_local", { old: known.isLocal, new: details.isLocal, isDefault: !details.isLocal });
  if (isLocal !== known.isLocal)
    return fail(errors.invalidPartyUpdate(party, "Update request attempted to modify not-modifiable 'is_local' attribute"));
  const isFirst = known.resourceVersion === undefined;
  if (!isFirst && details.identityProviderId !== known.identityProviderId)
    return fail(errors.permissionDenied("The party belongs to another identity provider."));
  if (isFirst && !known.isLocal) return fail(errors.partyNotFound("updating a participant party record", party));
  if (!isFirst && expectedVersion !== undefined && expectedVersion !== known.resourceVersion)
    return fail(errors.concurrentPartyUpdate(party));
  const annotations = masked(mask, "local_metadata.annotations", {
    old: known.annotations,
    new: isFirst ? details.annotations : mergeAnnotations(known.annotations, details.annotations),
    isDefault: Object.keys(details.annotations).length === 0,
  });
  if (!fitsAnnotations(annotations)) return fail(errors.partyAnnotationsTooLarge(party));
  const resourceVersion = isFirst ? 0 : known.resourceVersion + 1;
  return ok({ ...known, identityProviderId: details.identityProviderId, annotations, resourceVersion });
}

export interface PartyMove {
  readonly party: string;
  /** "" is the default provider, here and there. */
  readonly source: string;
  readonly target: string;
}

/** Everything about a move between identity providers that can be said without looking at party and providers. */
export function checkPartyMove({ party, source, target }: PartyMove): Outcome<undefined> {
  const problem = partyProblem(party);
  if (problem !== undefined) return fail(invalidArgument(problem));
  const from = optionalIdentityProviderId(source, "source_identity_provider_id");
  if (isFailure(from)) return from;
  const to = optionalIdentityProviderId(target, "target_identity_provider_id");
  return isFailure(to) ? to : ok(undefined);
}

/**
 * The party as it will be. Its version stays, unlike after an update. A local party about which nothing was ever written is one of the
 * default provider.
 */
export function applyPartyMove({ party, source, target }: PartyMove, known: KnownParty | undefined): Outcome<KnownParty> {
  const isFirst = known?.resourceVersion === undefined,
    isOfSource = isFirst ? known?.isLocal === true && source === "" : known.identityProviderId === source;
  if (known === undefined || !isOfSource) return fail(errors.partyNotFound("updating party's identity provider", party));
  return ok({ ...known, identityProviderId: target, resourceVersion: known.resourceVersion ?? 0 });
}
