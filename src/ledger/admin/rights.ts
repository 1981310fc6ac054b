/** Rights of users: what can be granted, how they are told apart, and what they add up to. */
import { fail, ok } from "../../base/result.js";
import { invalidArgument, type Outcome, partyProblem } from "../model/index.js";

export const partyRightKinds = ["CanActAs", "CanReadAs", "CanExecuteAs"] as const;
export const plainRightKinds = ["ParticipantAdmin", "IdentityProviderAdmin", "CanReadAsAnyParty", "CanExecuteAsAnyParty"] as const;

export type PartyRight = { readonly kind: (typeof partyRightKinds)[number]; readonly party: string };
export type PlainRight = { readonly kind: (typeof plainRightKinds)[number] };
export type Right = PartyRight | PlainRight;

/** A right as a request names it; undefined where the request names none. */
export type RequestedRight = Right | undefined;

export const isPartyRight = (right: Right): right is PartyRight => "party" in right;

/** One text per right: no kind holds a colon, so this cannot clash. */
const rightKey = (right: Right): string => (isPartyRight(right) ? `${right.kind}:${right.party}` : right.kind);

/** Without repetitions, or why they cannot be granted. */
export function checkRights(requested: readonly RequestedRight[]): Outcome<readonly Right[]> {
  const rights = new Map<string, Right>();
  for (const right of requested) {
    if (right === undefined)
      return fail(invalidArgument("unknown kind of right - check that the Ledger API version of the server is recent enough"));
    const problem = isPartyRight(right) ? partyProblem(right.party) : undefined;
    if (problem !== undefined) return fail(invalidArgument(problem));
    rights.set(rightKey(right), right);
  }
  return ok([...rights.values()]);
}

/** The rights of `from` that `others` does not have. */
export function rightsWithout(from: readonly Right[], others: readonly Right[]): readonly Right[] {
  const known = new Set(others.map(rightKey));
  return from.filter((right) => !known.has(rightKey(right)));
}

/** What a holder may do, in the form in which it is asked at every request. */
export interface RightsSummary {
  readonly participantAdmin: boolean;
  readonly identityProviderAdminOf: string | undefined;
  readonly actAs: ReadonlySet<string>;
  readonly readAs: ReadonlySet<string>;
  readonly executeAs: ReadonlySet<string>;
  readonly actAsAnyParty: boolean;
  readonly readAsAnyParty: boolean;
  readonly executeAsAnyParty: boolean;
}

export function summarise(rights: readonly Right[], identityProviderId: string): RightsSummary {
  const has = (kind: PlainRight["kind"]): boolean => rights.some((right) => right.kind === kind);
  const parties = (kind: PartyRight["kind"]): ReadonlySet<string> =>
    new Set(rights.flatMap((right) => (isPartyRight(right) && right.kind === kind ? [right.party] : [])));
  return {
    participantAdmin: has("ParticipantAdmin"),
    identityProviderAdminOf: has("IdentityProviderAdmin") ? identityProviderId : undefined,
    actAs: parties("CanActAs"),
    readAs: parties("CanReadAs"),
    executeAs: parties("CanExecuteAs"),
    actAsAnyParty: false, // no right of the 3.5 line grants it
    readAsAnyParty: has("CanReadAsAnyParty"),
    executeAsAnyParty: has("CanExecuteAsAnyParty"),
  };
}
