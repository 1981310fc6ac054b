/**
 * What an operation requires of its caller, and whether he has it. Required claims are a pure function of the request
 * (requirements: RequiredClaims.scala of the reference; implications: Claims.scala).
 */
import { unreachable } from "../base/assert.js";
import { ledgerStringCharsMax, ledgerStringPattern } from "../base/ledger-string.js";
import type { Caller, Rights } from "./caller.js";

export type RequiredClaim =
  /** Any caller that authenticated. */
  | { readonly kind: "authenticated" }
  | { readonly kind: "participantAdmin" }
  /** Participant admin, or admin of that identity provider. */
  | { readonly kind: "identityProviderAdmin"; readonly identityProviderId: string }
  /** The request stays within what the caller's identity provider may touch. */
  | { readonly kind: "identityProvider"; readonly identityProviderId: string }
  | { readonly kind: "actAs"; readonly party: string }
  | { readonly kind: "readAs"; readonly party: string }
  | { readonly kind: "executeAs"; readonly party: string }
  | { readonly kind: "readAsAnyParty" }
  /** The request speaks for this user ("" = the caller's own). */
  | { readonly kind: "user"; readonly userId: string }
  /** As `user`, but holders of readAsAnyParty may name anybody (completions). */
  | { readonly kind: "userUnlessReadAsAnyParty"; readonly userId: string }
  /** Any right on the party, or an admin. */
  | { readonly kind: "anyRightOn"; readonly party: string; readonly identityProviderId: string }
  /** That user himself ("" = the caller), or an admin. */
  | { readonly kind: "selfOrAdmin"; readonly userId: string; readonly identityProviderId: string }
  /** An admin, or a user who allocates a party for himself; his quota is the ledger's matter. */
  | { readonly kind: "partyAllocation"; readonly userId: string; readonly identityProviderId: string };

/** "none": not even a token is needed. */
export type Claims = "none" | readonly RequiredClaim[];

export const authenticated: Claims = [{ kind: "authenticated" }];
export const participantAdmin: Claims = [{ kind: "participantAdmin" }];
export const identityProviderAdmin = (identityProviderId: string): Claims => [{ kind: "identityProviderAdmin", identityProviderId }];
export const actAs = (parties: readonly string[]): readonly RequiredClaim[] => parties.map((party) => ({ kind: "actAs", party }));
export const readAs = (parties: readonly string[]): readonly RequiredClaim[] => parties.map((party) => ({ kind: "readAs", party }));

/** The first claim that the caller lacks. */
export function missingClaim(caller: Caller, claims: Claims): RequiredClaim | undefined {
  return claims === "none" ? undefined : claims.find((claim) => !holds(caller, claim));
}

/** The provider that a request means: an empty id stands for the caller's own, except for participant admins. */
export const impliedIdentityProvider = (caller: Caller, requested: string): string =>
  requested === "" && !caller.rights.participantAdmin ? caller.identityProviderId : requested;

function holds(caller: Caller, claim: RequiredClaim): boolean {
  const { rights } = caller;
  switch (claim.kind) {
    case "authenticated":
      return true;
    case "participantAdmin":
      return rights.participantAdmin;
    case "identityProviderAdmin":
      return isAdmin(rights) && staysWithinProvider(caller, claim.identityProviderId);
    case "identityProvider":
      return staysWithinProvider(caller, claim.identityProviderId);
    case "actAs":
      return mayActAs(rights, claim.party);
    case "readAs":
      return mayReadAs(rights, claim.party);
    case "executeAs":
      return mayExecuteAs(rights, claim.party);
    case "readAsAnyParty":
      return mayReadAsAnyParty(rights);
    case "user":
      return isUser(caller, claim.userId);
    case "userUnlessReadAsAnyParty":
      return rights.readAsAnyParty || isUser(caller, claim.userId);
    case "anyRightOn":
      return (
        (isAdmin(rights) || mayReadAs(rights, claim.party) || mayExecuteAs(rights, claim.party))
        && staysWithinProvider(caller, claim.identityProviderId)
      );
    case "selfOrAdmin":
      return (isAdmin(rights) || isUser(caller, claim.userId)) && staysWithinProvider(caller, claim.identityProviderId);
    case "partyAllocation":
      return (
        (isAdmin(rights) || (claim.userId !== "" && isUser(caller, claim.userId))) && staysWithinProvider(caller, claim.identityProviderId)
      );
    default:
      return unreachable(claim);
  }
}

const mayActAs = (rights: Rights, party: string): boolean => rights.actAsAnyParty || rights.actAs.has(party);
const mayReadAsAnyParty = (rights: Rights): boolean => rights.readAsAnyParty || rights.actAsAnyParty;
const mayReadAs = (rights: Rights, party: string): boolean =>
  mayReadAsAnyParty(rights) || rights.readAs.has(party) || rights.actAs.has(party);
const mayExecuteAs = (rights: Rights, party: string): boolean =>
  mayActAs(rights, party) || rights.executeAsAnyParty || rights.executeAs.has(party);

const isAdmin = (rights: Rights): boolean => rights.participantAdmin || rights.identityProviderAdminOf !== undefined;

/** "" is the default provider. */
const isProviderId = (text: string): boolean => text.length <= ledgerStringCharsMax && ledgerStringPattern.test(text);

/** Callers of the default provider may name any that there could be; those of another one only their own. */
const staysWithinProvider = (caller: Caller, requested: string): boolean =>
  isProviderId(requested) && (caller.identityProviderId === "" || impliedIdentityProvider(caller, requested) === caller.identityProviderId);

/** Where nothing is missing of a claim but that what it names can be the id of an identity provider. */
export function malformedProvider(caller: Caller, claim: RequiredClaim): string | undefined {
  if (!("identityProviderId" in claim) || isProviderId(claim.identityProviderId)) return undefined;
  return holds(caller, { ...claim, identityProviderId: caller.identityProviderId }) ? claim.identityProviderId : undefined;
}

/** Without authentication there is no user to compare with. */
const isUser = (caller: Caller, userId: string): boolean => caller.userId === undefined || userId === "" || userId === caller.userId;
