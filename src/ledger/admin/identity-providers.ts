/** Identity providers: whose tokens are taken, and which users and parties are theirs. */
import { fail, isFailure, ok } from "../../base/result.js";
import { limits } from "../../config.js";
import { invalidArgument, invalidField, missingField, type Outcome } from "../model/index.js";
import type { Draft } from "./draft.js";
import * as errors from "./errors.js";
import { optionalIdentityProviderId, requireIdentityProviderId } from "./field-rules.js";
import { parseMask } from "./masks.js";
import { type AdministrationTables, type IdentityProviderRecord, userIndexPrefix } from "./tables.js";

type Reader = Pick<AdministrationTables, "get" | "keys">;

/** Does a party belong to this identity provider? */
export type ProviderHasParties = (identityProviderId: string) => boolean;

export const allIdentityProviders = (tables: Reader): readonly IdentityProviderRecord[] =>
  tables
    .keys("identityProviders", { prefix: "", after: "", limit: limits.identityProvidersMax })
    .flatMap((id) => tables.get("identityProviders", id) ?? []);

/** "" is the default provider, which always exists. */
export function requireKnownProvider(tables: Reader, id: string): Outcome<undefined> {
  const valid = optionalIdentityProviderId(id);
  if (isFailure(valid)) return valid;
  return id === "" || tables.get("identityProviders", id) !== undefined ? ok(undefined) : fail(errors.identityProviderUnknown(id));
}

export function createIdentityProvider(draft: Draft, config: IdentityProviderRecord | undefined): Outcome<IdentityProviderRecord> {
  const operation = "creating identity provider config";
  if (config === undefined) return fail(missingField("identity_provider_config"));
  const id = requireIdentityProviderId(config.identityProviderId, "identity_provider_id");
  if (isFailure(id)) return id;
  const url = config.jwksUrl === "" ? fail(missingField("jwks_url")) : checkUrl(config.jwksUrl);
  if (isFailure(url)) return url;
  if (config.issuer === "") return fail(missingField("issuer"));
  if (draft.get("identityProviders", id.ok) !== undefined) return fail(errors.identityProviderAlreadyExists(operation, id.ok));
  const others = allIdentityProviders(draft);
  if (others.some((other) => other.issuer === config.issuer)) return fail(errors.issuerAlreadyExists(operation, config.issuer));
  if (others.length >= limits.identityProvidersMax) return fail(errors.tooManyIdentityProviders(operation));
  draft.put("identityProviders", id.ok, config);
  return ok(config);
}

export function getIdentityProvider(
  tables: Reader,
  id: string,
  operation = "getting identity provider config",
): Outcome<IdentityProviderRecord> {
  const valid = requireIdentityProviderId(id, "identity_provider_id");
  if (isFailure(valid)) return valid;
  const config = tables.get("identityProviders", id);
  return config === undefined ? fail(errors.identityProviderNotFound(operation, id)) : ok(config);
}

const updatableFields = ["identity_provider_id", "is_deactivated", "jwks_url", "issuer", "audience"];

/** An empty issuer or address in the request changes nothing; an empty audience removes it. */
export function updateIdentityProvider(
  draft: Draft,
  request: { readonly config: IdentityProviderRecord | undefined; readonly mask: readonly string[] | undefined },
): Outcome<IdentityProviderRecord> {
  const operation = "updating identity provider config";
  const { config } = request;
  if (config === undefined) return fail(missingField("identity_provider_config"));
  const id = requireIdentityProviderId(config.identityProviderId, "identity_provider_id");
  if (isFailure(id)) return id;
  const url = config.jwksUrl === "" ? ok(undefined) : checkUrl(config.jwksUrl);
  if (isFailure(url)) return url;
  if (request.mask === undefined) return fail(missingField("update_mask"));
  const mask = parseMask(request.mask, updatableFields);
  if (isFailure(mask)) return fail(errors.invalidIdentityProviderUpdate(id.ok, mask.error));
  const old = getIdentityProvider(draft, id.ok, operation);
  if (isFailure(old)) return old;
  const changes = (field: string): boolean => mask.ok.matches(field) !== undefined;
  const updated: IdentityProviderRecord = {
    identityProviderId: id.ok,
    isDeactivated: changes("is_deactivated") ? config.isDeactivated : old.ok.isDeactivated,
    issuer: changes("issuer") && config.issuer !== "" ? config.issuer : old.ok.issuer,
    jwksUrl: changes("jwks_url") && config.jwksUrl !== "" ? config.jwksUrl : old.ok.jwksUrl,
    audience: changes("audience") ? config.audience : old.ok.audience,
  };
  const taken = allIdentityProviders(draft).some((other) => other.issuer === updated.issuer && other.identityProviderId !== id.ok);
  if (taken) return fail(errors.issuerAlreadyExists(operation, updated.issuer));
  draft.put("identityProviders", id.ok, updated);
  return ok(updated);
}

/** The reference fails with an internal error while users or parties refer to the provider; we say why. */
export function deleteIdentityProvider(draft: Draft, id: string, hasParties: ProviderHasParties): Outcome<undefined> {
  const config = getIdentityProvider(draft, id, "deleting identity provider config");
  if (isFailure(config)) return config;
  const hasUsers = draft.keys("userIndex", { prefix: userIndexPrefix(id), after: "", limit: 1 }).length > 0;
  if (hasUsers || hasParties(id))
    return fail(
      invalidArgument(`identity provider ${JSON.stringify(id)} cannot be deleted while it has ${hasUsers ? "users" : "parties"}`),
    );
  draft.remove("identityProviders", id);
  return ok(undefined);
}

/** What RFC 2396 has no place for is no part of an address, nor is a `%` that escapes nothing. */
function checkUrl(url: string): Outcome<undefined> {
  const valid = URL.canParse(url) && /^https?:\/\//i.test(url) && !/[\s"<>\\^`{|}]|%(?![0-9a-f]{2})/i.test(url);
  return valid ? ok(undefined) : fail(invalidField("jwks_url", "Malformed URL: an http or https address is needed"));
}
