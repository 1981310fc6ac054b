/** The ledger's parties as administration changes them: one change at a time, each to what is durable. */
import { Exclusive } from "../../base/exclusive.js";
import { isFailure, ok } from "../../base/result.js";
import type { Parties } from "../admin/index.js";
import { allocateParty, type PartiesContext } from "./parties.js";
import { encodeParty } from "../records/index.js";

export function administeredParties(context: PartiesContext): Parties {
  const { parties, committer } = context;
  const changes = new Exclusive();
  return {
    get: (party) => parties.get(party),
    hasPartyOf: (identityProviderId) => parties.sorted().some((party) => parties.get(party)?.identityProviderId === identityProviderId),
    allocate: (request) => allocateParty(request, context),
    update: (party, change) =>
      changes.run(async () => {
        const known = parties.get(party);
        const changed = change(known);
        if (isFailure(changed) || !known) return changed;
        const record = { ...known, annotations: changed.ok.annotations, resourceVersion: changed.ok.resourceVersion };
        const written = await committer.commit((group) => group.batch.put(group.tables.parties, party, encodeParty(record)));
        if (isFailure(written)) return written;
        parties.set(record); // readers see it once it is durable
        return ok(record);
      }),
  };
}
