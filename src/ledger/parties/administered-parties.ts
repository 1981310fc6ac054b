/** The ledger's parties as administration changes them. */
import { isFailure, ok } from "../../base/result.js";
import type { Outcome } from "../model/index.js";
import type { KnownParty, Parties } from "../admin/index.js";
import { isProposed } from "../records/index.js";
import { allocateParty, changeParty, type PartiesContext } from "./parties.js";

export function administeredParties(context: PartiesContext): Parties {
  const { parties, committer } = context;
  return {
    get(party) {
      const kept = parties.kept(party);
      // Who names a party that only others host says nothing about what is seen of it here.
      return kept === undefined || kept.isLocal || isProposed(kept) ? kept : { ...kept, identityProviderId: "" };
    },
    hasPartyOf(identityProviderId) {
      for (const kept of parties.allKept()) if (kept.identityProviderId === identityProviderId) return true;
      return false;
    },
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
