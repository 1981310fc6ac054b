/** What authentication is to those who use it, and the one that lets everybody in. */
import { type Result, ok } from "../base/result.js";
import { type Caller, type Rights, everyone } from "./caller.js";
import type { Credentials } from "./credentials.js";
import type { StreamWatch, Watched } from "./stream-watch.js";

/** Why a token was refused; the text is for our log, clients get the redacted body of the reason. */
export interface AuthenticationFailure {
  readonly reason: "unauthenticated" | "unknownUser" | "otherParticipant" | "malformedUser";
  readonly detail: string;
  /** Of a good token, where it can be no user's. */
  readonly subject?: string;
  /** Of a good token, for a user id that the ledger does not have. */
  readonly newcomer?: Caller;
}

export type Authenticated = Result<Caller, AuthenticationFailure>;

export interface Authentication {
  /** False: no configuration, everybody is let in and tokens are not looked at. */
  readonly enabled: boolean;
  /** Anybody can sign tokens that are taken, as the secret of some is a published one: no proof that somebody was let in. */
  readonly isSecretPublished: boolean;
  authenticate(credentials: Credentials): Authenticated | Promise<Authenticated>;
  /** Follows a token and its user's rights until the stream or list is closed. */
  watch(caller: Caller, watched: Watched): StreamWatch;
}

export interface KnownUser {
  readonly identityProviderId: string;
  readonly isDeactivated: boolean;
  readonly rights: Rights;
}

export interface KnownIdentityProvider {
  readonly identityProviderId: string;
  readonly isDeactivated: boolean;
  readonly jwksUrl: string;
  /** "" = tokens take the default form. */
  readonly audience: string;
}

/** What authentication must know of the ledger's administration. */
export interface UserDirectory {
  findUser(userId: string): KnownUser | undefined;
  findIdentityProviderByIssuer(issuer: string): KnownIdentityProvider | undefined;
  /** Whether tokens of it are taken; "" is the default one, which always is. */
  isIdentityProviderActive(identityProviderId: string): boolean;
}

export const noAuthentication: Authentication = {
  enabled: false,
  isSecretPublished: false,
  authenticate: () => ok(everyone),
  watch: () => ({ signal: new AbortController().signal, end: undefined, tokenEnd: () => undefined, close: () => undefined }),
};
