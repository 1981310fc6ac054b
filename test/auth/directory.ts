/** Users and identity providers of a test, without the ledger around them. */
import { noRights, type Authentication, type KnownIdentityProvider, type KnownUser, type UserDirectory } from "../../src/auth/index.js";
import { createAuthentication, type AuthenticationOptions } from "../../src/auth/token-authentication.js";
import { participantId, secret } from "./tokens.js";

export class TestDirectory implements UserDirectory {
  readonly users = new Map<string, KnownUser>();
  readonly providers = new Map<string, KnownIdentityProvider>();

  constructor() {
    this.add("alice");
    this.add("gone", { isDeactivated: true });
    this.add("ida", { identityProviderId: "idp1" });
    this.providers.set("https://idp1.example", {
      identityProviderId: "idp1",
      isDeactivated: false,
      jwksUrl: "https://idp1.example/jwks",
      audience: "",
    });
  }

  add(userId: string, user: Partial<KnownUser> = {}): void {
    this.users.set(userId, { identityProviderId: "", isDeactivated: false, rights: noRights, ...user });
  }

  findUser(userId: string): KnownUser | undefined {
    return this.users.get(userId);
  }

  findIdentityProviderByIssuer(issuer: string): KnownIdentityProvider | undefined {
    return this.providers.get(issuer);
  }

  isIdentityProviderActive(id: string): boolean {
    return id === "" || [...this.providers.values()].some((each) => each.identityProviderId === id && !each.isDeactivated);
  }
}

export async function authenticationWith(options: Partial<AuthenticationOptions> = {}): Promise<Authentication> {
  const created = await createAuthentication({
    services: [{ kind: "secret", secret }],
    participantId,
    directory: new TestDirectory(),
    rules: { lifeMaxSeconds: 300, leewaySeconds: 0 },
    requestKeySet: () => Promise.reject(new Error("this test has no key sets")),
    nowMs: Date.now,
    elapsedMs: () => performance.now(),
    ...options,
  });
  if (created.error !== undefined) throw new Error(created.error);
  return created.ok;
}

/** The user, or why there is none. */
export async function outcomeOf(authentication: Authentication, token: string | undefined): Promise<string> {
  const caller = await authentication.authenticate({ token });
  return caller.error === undefined ? (caller.ok.userId ?? "nobody by name") : caller.error.reason;
}
