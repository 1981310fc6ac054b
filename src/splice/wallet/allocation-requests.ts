/** What apps ask the owner of a wallet to allocate. */
import { isFailure, ok } from "../../base/result.js";
import type { Party } from "../../ledger/index.js";
import { exercise } from "../commands.js";
import { byAge, type DescribedContract } from "../described-contract.js";
import { asJavaInstant } from "../instants.js";
import { interfaces } from "../names.js";
import { type Answer, notFound } from "../refusal.js";
import type { Generation } from "../registry/registry.js";
import { extraArgs, type Meta } from "./commands.js";
import { submitAs, type Owner, type WalletContext } from "./wallet-context.js";

interface ViewV1 {
  readonly transferLegs: Readonly<Record<string, { readonly sender: Party; readonly instrumentId: { readonly admin: Party } }>>;
}
interface ViewV2 {
  readonly allocations: readonly { readonly admin: Party; readonly authorizer: { readonly owner?: Party | null } }[];
}

/** Whether one asks the owner for Amulet; others, of other tokens or of other parties, he only sees. */
const asks = {
  v1: ({ transferLegs }: ViewV1, party: Party, dso: Party): boolean =>
    Object.values(transferLegs).some(({ sender, instrumentId }) => sender === party && instrumentId.admin === dso),
  v2: ({ allocations }: ViewV2, party: Party, dso: Party): boolean =>
    allocations.some(({ admin, authorizer }) => admin === dso && authorizer.owner === party),
} as const;

/** What apps ask the owner to allocate: the requests as the standard shows them, of the newer generation where they have both. */
export async function allocationRequestsOf({ contracts, network }: WalletContext, { party }: Owner): Answer<readonly DescribedContract[]> {
  const dso = await network.dso();
  if (isFailure(dso)) return ok([]);
  const [v2, v1] = await Promise.all([
    contracts.viewed<ViewV2>(interfaces.v2.allocationRequest, party),
    contracts.viewed<ViewV1>(interfaces.v1.allocationRequest, party),
  ]);
  const all = [...v2.filter(({ view }) => asks.v2(view, party, dso.ok)), ...v1.filter(({ view }) => asks.v1(view, party, dso.ok))],
    known = new Set<string>(),
    once = all.filter(({ contract: { contractId } }) => !known.has(contractId) && known.add(contractId));
  return ok(
    byAge(
      once.map(({ contract, interfaceId, view }) => ({
        template_id: interfaceId,
        contract_id: contract.contractId,
        payload: view,
        created_event_blob: contract.createdEventBlob,
        created_at: asJavaInstant(contract.createdAt),
      })),
    ),
  );
}

/** A request says itself what its rejection needs: nothing, as there is no registry of requests. */
export async function rejectAllocationRequest(
  context: WalletContext,
  owner: Owner,
  generation: Generation,
  contractId: string,
): Answer<{ readonly meta: Meta }> {
  const interface_ = interfaces[generation].allocationRequest,
    dso = await context.network.dso(),
    shown = await context.contracts.shown<ViewV1 & ViewV2>(contractId, interface_),
    stakeholders = shown ? [...shown.contract.signatories, ...shown.contract.observers] : [];
  // Whom a request only names, without showing itself to him, does not learn that it exists.
  if (!shown?.view || !stakeholders.includes(owner.party) || isFailure(dso) || !asks[generation](shown.view, owner.party, dso.ok))
    return notFound(`No AllocationRequest${generation === "v2" ? " v2" : ""} with contract id ${contractId} found.`);
  const argument = { ...(generation === "v1" ? { actor: owner.party } : { actors: [owner.party] }), extraArgs: extraArgs() };
  const rejected = await submitAs(context, owner, {
    actAs: [owner.party],
    commands: [exercise(interface_, contractId, "AllocationRequest_Reject", argument)],
  });
  if (isFailure(rejected)) return rejected;
  return ok({ meta: (rejected.ok.exerciseResult as { readonly meta: { readonly values: Meta } }).meta.values });
}
