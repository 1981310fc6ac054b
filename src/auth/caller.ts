/** Who calls, and what he may: the outcome of authentication, the input of authorisation. */
export interface Rights {
  readonly participantAdmin: boolean;
  /** Admin of this identity provider; undefined when of none. The default provider is "". */
  readonly identityProviderAdminOf: string | undefined;
  readonly actAs: ReadonlySet<string>;
  readonly readAs: ReadonlySet<string>;
  readonly executeAs: ReadonlySet<string>;
  readonly actAsAnyParty: boolean;
  readonly readAsAnyParty: boolean;
  readonly executeAsAnyParty: boolean;
}

export interface Caller {
  /** The user of the token; undefined without authentication, and then requests must name their user. */
  readonly userId: string | undefined;
  /** The provider that issued the token; "" is the default one. */
  readonly identityProviderId: string;
  readonly rights: Rights;
  /** `exp` of the token, in seconds since the epoch; undefined without a token. */
  readonly expiresAtSeconds?: number;
}

const nobody: ReadonlySet<string> = new Set();

export const noRights: Rights = {
  participantAdmin: false,
  identityProviderAdminOf: undefined,
  actAs: nobody,
  readAs: nobody,
  executeAs: nobody,
  actAsAnyParty: false,
  readAsAnyParty: false,
  executeAsAnyParty: false,
};

/** Everybody, when no authentication is configured: public, admin and any party . */
export const everyone: Caller = {
  userId: undefined,
  identityProviderId: "",
  rights: { ...noRights, participantAdmin: true, actAsAnyParty: true, readAsAnyParty: true, executeAsAnyParty: true },
};

export const sameRights = (a: Rights, b: Rights): boolean =>
  a === b
  || (a.participantAdmin === b.participantAdmin
    && a.identityProviderAdminOf === b.identityProviderAdminOf
    && a.actAsAnyParty === b.actAsAnyParty
    && a.readAsAnyParty === b.readAsAnyParty
    && a.executeAsAnyParty === b.executeAsAnyParty
    && sameSet(a.actAs, b.actAs)
    && sameSet(a.readAs, b.readAs)
    && sameSet(a.executeAs, b.executeAs));

/** Whether somebody with `all` may do whatever somebody with `some` may. */
export const includesRights = (all: Rights, some: Rights): boolean =>
  (all.participantAdmin || !some.participantAdmin)
  && (some.identityProviderAdminOf === undefined || all.identityProviderAdminOf === some.identityProviderAdminOf)
  && (all.actAsAnyParty || !some.actAsAnyParty)
  && (all.readAsAnyParty || !some.readAsAnyParty)
  && (all.executeAsAnyParty || !some.executeAsAnyParty)
  && includesAll(all.actAs, some.actAs)
  && includesAll(all.readAs, some.readAs)
  && includesAll(all.executeAs, some.executeAs);

function sameSet(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && includesAll(b, a);
}

function includesAll(all: ReadonlySet<string>, some: ReadonlySet<string>): boolean {
  for (const party of some) if (!all.has(party)) return false;
  return true;
}
