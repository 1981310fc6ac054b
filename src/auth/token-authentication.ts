/**
 * From a token to a caller. Configured services are asked in order, then the identity provider that the token's issuer
 * names; the first that accepts it decides whom it speaks for. All that is asked about users is asked anew at every call.
 */
import { type Result, fail, ok } from "../base/result.js";
import { publishedSecret } from "../config.js";
import type { Authentication, AuthenticationFailure, UserDirectory } from "./authentication.js";
import { type Caller, includesRights, noRights, sameRights } from "./caller.js";
import type { Credentials } from "./credentials.js";
import { KeySets, type KeySetSource } from "./key-sets.js";
import { StreamWatches, type StreamEnd, type StreamWatch, type Watched } from "./stream-watch.js";
import { type Token, readToken } from "./token.js";
import { type TokenPayload, type TokenRules, type TokenTarget, readPayload } from "./token-payload.js";
import { type CertificateAlgorithm, type Verifier, certificateVerifier, keySetVerifier, secretVerifier } from "./verification.js";

/** How one kind of token is verified. */
export type AuthenticationService = TokenTarget
  & (
    | { readonly kind: "secret"; readonly secret: string }
    | { readonly kind: "certificate"; readonly algorithm: CertificateAlgorithm; readonly pem: string; readonly file: string }
    | { readonly kind: "keySet"; readonly url: string }
  );

export interface AuthenticationOptions {
  readonly services: readonly AuthenticationService[];
  readonly participantId: string;
  readonly directory: UserDirectory;
  readonly rules: TokenRules;
  readonly requestKeySet: KeySetSource;
  /** The system's time, also when the ledger's stands still: what tokens say of theirs is held against it. */
  readonly nowMs: () => number;
  /** Since some moment; nobody can set it: by it key sets age. */
  readonly elapsedMs: () => number;
}

const userIdFormat = /^[a-zA-Z0-9@^$.!`\-#+'~_|:()]{1,128}$/;

interface Service {
  readonly target: TokenTarget;
  readonly verify: Verifier;
}

interface Accepted {
  readonly payload: TokenPayload;
  readonly identityProviderId: string;
}

export async function createAuthentication(options: AuthenticationOptions): Promise<Result<Authentication, string>> {
  const keySets = new KeySets({ request: options.requestKeySet, elapsedMs: options.elapsedMs });
  const services: Service[] = [];
  for (const service of options.services) {
    const verify = await verifierOf(service, keySets);
    if (verify.error !== undefined) return verify;
    services.push({ target: service, verify: verify.ok });
  }
  return ok(new TokenAuthentication(options, services, keySets));
}

async function verifierOf(service: AuthenticationService, keySets: KeySets): Promise<Result<Verifier, string>> {
  switch (service.kind) {
    case "secret":
      return service.secret === "" ? fail("the secret is empty") : ok(secretVerifier(service.secret));
    case "certificate":
      return certificateVerifier(service.pem, service.algorithm, service.file);
    case "keySet":
      return ok(keyIdRequired(keySetVerifier((header, token) => keySets.resolver(service.url)(header, token))));
  }
}

/** As the reference has it, also for a set of one key; identity providers' tokens may go without. */
const keyIdRequired =
  (verify: Verifier): Verifier =>
  (token) =>
    token.keyId === undefined ? Promise.resolve("the token names no key") : verify(token);

class TokenAuthentication implements Authentication {
  readonly enabled = true;
  readonly isSecretPublished: boolean;
  readonly #options: AuthenticationOptions;
  readonly #services: readonly Service[];
  readonly #keySets: KeySets;
  readonly #watches: StreamWatches;

  constructor(options: AuthenticationOptions, services: readonly Service[], keySets: KeySets) {
    this.#options = options;
    this.isSecretPublished = options.services.some((service) => service.kind === "secret" && service.secret === publishedSecret);
    this.#services = services;
    this.#keySets = keySets;
    this.#watches = new StreamWatches({ endOf: (caller) => this.#streamEnd(caller) });
  }

  async authenticate({ token: text, userClaim }: Credentials): Promise<Result<Caller, AuthenticationFailure>> {
    if (text === undefined) return unauthenticated("no token");
    const token = readToken(text);
    if (token === undefined) return unauthenticated("not a token");
    const accepted = await this.#accept(userClaim === undefined ? token : speakingFor(token, userClaim));
    return accepted.error === undefined ? this.#callerOf(accepted.ok) : unauthenticated(accepted.error);
  }

  watch(caller: Caller, watched: Watched): StreamWatch {
    return this.#watches.open(caller, watched);
  }

  async #accept(token: Token): Promise<Result<Accepted, string>> {
    const problems: string[] = [];
    for (const { target, verify } of this.#services) {
      const payload = await this.#verified(token, target, verify);
      if (payload.error === undefined) return ok({ payload: payload.ok, identityProviderId: "" });
      problems.push(payload.error);
    }
    const provided = await this.#acceptByIssuer(token);
    return provided.error === undefined ? provided : fail([...problems, provided.error].join("; "));
  }

  async #acceptByIssuer(token: Token): Promise<Result<Accepted, string>> {
    const issuer = token.claims["iss"];
    const provider = typeof issuer === "string" ? this.#options.directory.findIdentityProviderByIssuer(issuer) : undefined;
    if (provider === undefined || provider.isDeactivated) return fail("no identity provider of the issuer");
    const target = provider.audience === "" ? {} : { targetAudience: provider.audience };
    const payload = await this.#verified(token, target, keySetVerifier(this.#keySets.resolver(provider.jwksUrl)));
    return payload.error === undefined ? ok({ payload: payload.ok, identityProviderId: provider.identityProviderId }) : payload;
  }

  /** What costs least is checked first; nothing of the payload is believed before the signature is. */
  async #verified(token: Token, target: TokenTarget, verify: Verifier): Promise<Result<TokenPayload, string>> {
    const payload = readPayload(token.claims, target, this.#options.rules, this.#options.nowMs() / 1_000);
    if (payload.error !== undefined) return payload;
    const problem = await verify(token);
    return problem === undefined ? payload : fail(problem);
  }

  #callerOf(accepted: Accepted): Result<Caller, AuthenticationFailure> {
    const caller = this.#userOf(accepted);
    const { participantId } = accepted.payload;
    const isForUs = participantId === undefined || participantId === this.#options.participantId;
    if (isForUs) return caller;
    if (caller.error !== undefined) {
      const { newcomer: _, ...failure } = caller.error;
      return fail(failure);
    }
    return fail({ reason: "otherParticipant", detail: "the token is for another participant" });
  }

  #userOf({ payload, identityProviderId }: Accepted): Result<Caller, AuthenticationFailure> {
    const { subject, expiresAtSeconds } = payload;
    const life = expiresAtSeconds === undefined ? {} : { expiresAtSeconds };
    if (!userIdFormat.test(subject))
      return fail({ reason: "malformedUser", detail: "The subject of the token is not a user id.", subject });
    const user = this.#options.directory.findUser(subject);
    const problem =
      user === undefined
        ? "is not known"
        : user.isDeactivated
          ? "is deactivated"
          : user.identityProviderId !== identityProviderId
            ? "belongs to another identity provider"
            : undefined;
    if (user === undefined || problem !== undefined) {
      const newcomer = user === undefined ? { newcomer: { userId: subject, identityProviderId, rights: noRights, ...life } } : {};
      return fail({ reason: "unknownUser", detail: `the user of the token ${problem}`, ...newcomer });
    }
    return ok({ userId: subject, identityProviderId, rights: user.rights, ...life });
  }

  #streamEnd(caller: Caller): StreamEnd | undefined {
    const nowMs = this.#options.nowMs(),
      { leewaySeconds } = this.#options.rules;
    const { expiresAtSeconds, userId } = caller;
    if (expiresAtSeconds !== undefined && (expiresAtSeconds + leewaySeconds) * 1_000 <= nowMs)
      return { reason: "tokenExpired", expiresAtSeconds, nowMs };
    if (userId === undefined) return undefined;
    const { directory } = this.#options,
      user = directory.findUser(userId);
    const isThere =
      directory.isIdentityProviderActive(caller.identityProviderId)
      && user !== undefined
      && !user.isDeactivated
      && user.identityProviderId === caller.identityProviderId;
    if (!isThere) return { reason: "rightsChanged", areFewer: true };
    return sameRights(user.rights, caller.rights)
      ? undefined
      : { reason: "rightsChanged", areFewer: !includesRights(user.rights, caller.rights) };
  }
}

/** The token with the user that a claim beside the subject names, if it does. */
function speakingFor(token: Token, [claim, field]: NonNullable<Credentials["userClaim"]>): Token {
  const named = token.claims[claim];
  if (typeof named !== "object" || named === null || !(field in named)) return token;
  return { ...token, claims: { ...token.claims, sub: (named as Readonly<Record<string, unknown>>)[field] } };
}

const unauthenticated = (detail: string): Result<never, AuthenticationFailure> => fail({ reason: "unauthenticated", detail });
