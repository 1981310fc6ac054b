/** The ledger's parties as administration changes them. */
import { isFailure, ok } from "../../base/result.js";
import type { Outcome } from "../model/index.js";
import type { KnownParty, Parties } from "../admin/index.js";
import { allocateParty, changeParty, type PartiesContext } from "./parties.js";

export function administeredParties(context: PartiesContext): Parties {
  const { parties, committer } = context;
  return {
    get: (party) => parties.get(party),
    hasPartyOf: (identityProviderId) => parties.sorted().some((party) => parties.get(party)?.identityProviderId === identityProviderId),
    allocate: (request) => allocateParty(request, context),
    async update(party, change) {
      // All of it in the commit: where the party is allocated elsewhere at the same time, neither overwrites the other.
      const written = await committer.commit((group): Outcome<KnownParty> => {
        const known = parties.get(party),
          changed = change(known);
        if (isFailure(changed) || !known) return changed;
        const { identityProviderId, annotations, resourceVersion } = changed.ok;
        return ok(changeParty(group, parties, known, { ...known, identityProviderId, annotations, resourceVersion }));
      });
      return isFailure(written) ? written : written.ok;
    },
  };
}
