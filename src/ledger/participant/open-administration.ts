/** Parties of a participant, and the administration of what is beside its ledger. */
import { isFailure } from "../../base/result.js";
import { type Administration, createAdministration, StoredTables } from "../admin/index.js";
import { allocateExternalParty, generateTopology, readOnboarding } from "../external/index.js";
import type { Ledger } from "../ledger.js";
import {
  administeredParties,
  allocateParty,
  findParties,
  listParties,
  type PartiesContext,
  type PartyAllocationChecks,
} from "../parties/index.js";
import { hostingOnSynchronizer } from "./hosting.js";
import type { Opening } from "./member.js";

export interface AdministeredParties {
  readonly context: PartiesContext;
  readonly administration: Administration;
  readonly ledger: Pick<Ledger, "hostsOf" | "external" | "allocateParty" | "listParties" | "getParties">;
}

export async function openAdministration({ member, network, others, tokenKey }: Opening): Promise<AdministeredParties> {
  const { tables, committer, identity, synchronizers, parties, externalParties } = member,
    { selfAllocatedPartiesMax } = network.options;
  const checks: PartyAllocationChecks = {
    userExists: (userId) => administration.findUser(userId) !== undefined,
    identityProviderExists: (id) => !isFailure(administration.getIdentityProvider(id)),
  };
  const context = { identity, synchronizers, parties, committer, checks, others };
  const administration = await createAdministration({
    tables: new StoredTables(tables, committer),
    parties: administeredParties(context),
    tokenKey,
    ...(selfAllocatedPartiesMax === undefined ? {} : { selfAllocatedPartiesMax }),
  });
  return {
    context,
    administration,
    ledger: {
      hostsOf: (party, { number }) => hostingOnSynchronizer(network.members, party, number).hosts,
      external: {
        generateTopology: (request) => generateTopology(request, context),
        readOnboarding: (request) => readOnboarding(request, { ...context, externalParties }),
        allocate: (request) => allocateExternalParty(request, { ...context, externalParties }),
        isExternal: (party) => parties.get(party)?.isExternal === true,
      },
      allocateParty: (request) => allocateParty(request, context),
      listParties: (request) => listParties(request, parties, tokenKey),
      getParties: (asked, identityProviderId) => findParties(asked, parties, identityProviderId),
    },
  };
}
