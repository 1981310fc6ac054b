/** The errors of administration. Causes name the operation, as clients' logs have come to expect. */
import { invalidArgument, ledgerError, type LedgerErrorData } from "../model/index.js";

const user = (userId: string) => ({ resources: [["USER", userId]] }) as const;
const provider = (id: string) => ({ resources: [["IDENTITY_PROVIDER_CONFIG", id]] }) as const;
const partyResource = (party: string) => ({ resources: [["PARTY", party]] }) as const;

export const permissionDenied = (reason: string): LedgerErrorData => ledgerError("PERMISSION_DENIED", reason);

export const userNotFound = (operation: string, userId: string): LedgerErrorData =>
  ledgerError("USER_NOT_FOUND", `${operation} failed for unknown user "${userId}"`, user(userId));
export const userAlreadyExists = (operation: string, userId: string): LedgerErrorData =>
  ledgerError("USER_ALREADY_EXISTS", `${operation} failed, as user "${userId}" already exists`, user(userId));
export const tooManyUserRights = (operation: string, userId: string): LedgerErrorData =>
  ledgerError("TOO_MANY_USER_RIGHTS", `${operation} failed, as user "${userId}" would have too many rights.`, user(userId));
export const invalidUserUpdate = (userId: string, reason: string): LedgerErrorData =>
  ledgerError("INVALID_USER_UPDATE_REQUEST", `Update operation for user id '${userId}' failed due to: ${reason}`, user(userId));
export const userAnnotationsTooLarge = (userId: string): LedgerErrorData =>
  ledgerError("MAX_USER_ANNOTATIONS_SIZE_EXCEEDED", `Maximum annotations size for user '${userId}' has been exceeded`, user(userId));
export const concurrentUserUpdate = (userId: string): LedgerErrorData =>
  ledgerError(
    "CONCURRENT_USER_UPDATE_DETECTED",
    `Update operation for user '${userId}' failed due to a concurrent update to the same user`,
    user(userId),
  );
export const userDeletedMeanwhile = (userId: string): LedgerErrorData =>
  ledgerError(
    "USER_DELETED_WHILE_UPDATING",
    `Update operation for user '${userId}' failed because user was removed in the meantime`,
    user(userId),
  );

export const identityProviderUnknown = (id: string): LedgerErrorData =>
  invalidArgument(`Provided identity_provider_id Id(${id}) has not been found.`);
export const identityProviderNotFound = (operation: string, id: string): LedgerErrorData =>
  ledgerError("IDP_CONFIG_NOT_FOUND", `${operation} failed for unknown identity provider id="${id}"`, provider(id));
export const identityProviderAlreadyExists = (operation: string, id: string): LedgerErrorData =>
  ledgerError("IDP_CONFIG_ALREADY_EXISTS", `${operation} failed, as identity provider "${id}" already exists`, provider(id));
export const issuerAlreadyExists = (operation: string, issuer: string): LedgerErrorData =>
  ledgerError(
    "IDP_CONFIG_ISSUER_ALREADY_EXISTS",
    `${operation} failed, as identity provider with issuer "${issuer}" already exists`,
    provider(issuer),
  );
export const tooManyIdentityProviders = (operation: string): LedgerErrorData =>
  ledgerError("TOO_MANY_IDENTITY_PROVIDER_CONFIGS", `${operation} failed.`);
export const invalidIdentityProviderUpdate = (id: string, reason: string): LedgerErrorData =>
  ledgerError(
    "INVALID_IDENTITY_PROVIDER_UPDATE_REQUEST",
    `Update operation for identity provider config '${id}' failed due to: ${reason}`,
    provider(id),
  );

export const partyNotFound = (operation: string, party: string): LedgerErrorData =>
  ledgerError("PARTY_NOT_FOUND", `Party: '${party}' was not found when ${operation}`, partyResource(party));
export const invalidPartyUpdate = (party: string, reason: string): LedgerErrorData =>
  ledgerError(
    "INVALID_PARTY_DETAILS_UPDATE_REQUEST",
    `Update operation for party '${party}' failed due to: ${reason}`,
    partyResource(party),
  );
export const partyAnnotationsTooLarge = (party: string): LedgerErrorData =>
  ledgerError(
    "MAX_PARTY_DETAILS_ANNOTATIONS_SIZE_EXCEEDED",
    `Maximum annotations size for party '${party}' has been exceeded`,
    partyResource(party),
  );
export const concurrentPartyUpdate = (party: string): LedgerErrorData =>
  ledgerError(
    "CONCURRENT_PARTY_DETAILS_UPDATE_DETECTED",
    `Update operation for party '${party}' failed due to a concurrent update to the same party`,
    partyResource(party),
  );
export const partiesNotInProvider = (parties: readonly string[], identityProviderId: string): LedgerErrorData =>
  ledgerError(
    "UNKNOWN_RESOURCE",
    `The submitted request refers to a non-existing PARTIES: Provided parties have not been found in identity_provider_id=\`${identityProviderId}\`: [${parties.join(",")}].`,
    { resources: parties.map((party) => ["PARTIES", party] as const) },
  );
