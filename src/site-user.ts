/**
 * The user by which the validators of all sites work is one on the ledger. At each of LocalNet's participants it has the party of that
 * site's validator, and scripts read there whom a site is for: so it is shown with that party.
 */
import { validatorUserDefault } from "./config.js";
import type { Administration, UserFields, UserRecord } from "./ledger/admin/index.js";

export interface UserAtSite {
  shownUser(user: UserRecord): UserRecord;
  /** What is given as it was shown there is what is stored: nobody changes by it what other sites show. */
  givenUser(user: UserFields): UserFields;
}

/** As it is stored it has the party of the first site's operator; one that somebody gave it is shown everywhere. */
export function userAtSite(users: Pick<Administration, "getUser">, operator: string, first: string): UserAtSite {
  const partyOf = (userId: string): string => users.getUser({ userId, identityProviderId: "" }).ok?.primaryParty ?? "";
  const shownUser = (user: UserRecord): UserRecord => {
    if (user.id !== validatorUserDefault || user.primaryParty === "" || user.primaryParty !== partyOf(first)) return user;
    return { ...user, primaryParty: partyOf(operator) || user.primaryParty };
  };
  const givenUser = (user: UserFields): UserFields => {
    if (user.id !== validatorUserDefault) return user;
    const stored = users.getUser({ userId: user.id, identityProviderId: user.identityProviderId }).ok;
    return stored && user.primaryParty === shownUser(stored).primaryParty ? { ...user, primaryParty: stored.primaryParty } : user;
  };
  return { shownUser, givenUser };
}
