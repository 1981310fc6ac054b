/**
 * The user by which the validators of all sites work is one on the ledger. At each of LocalNet's participants it has the party of that
 * site's validator, and scripts read there whom a site is for: so it is shown with that party.
 */
import { validatorUserDefault } from "./config.js";
import type { Administration, UserRecord } from "./ledger/admin/index.js";

/** As it is stored it has the party of the first site's operator; one that somebody gave it is shown everywhere. */
export function userAtSite(users: Pick<Administration, "getUser">, operator: string, first: string): (user: UserRecord) => UserRecord {
  const partyOf = (userId: string): string => users.getUser({ userId, identityProviderId: "" }).ok?.primaryParty ?? "";
  return (user) => {
    if (user.id !== validatorUserDefault || user.primaryParty === "" || user.primaryParty !== partyOf(first)) return user;
    return { ...user, primaryParty: partyOf(operator) || user.primaryParty };
  };
}
