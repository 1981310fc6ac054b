/** What apps ask the owner of a wallet to allocate. */
import { isFailure, ok } from "../../base/result.js";
import { exercise } from "../commands.js";
import { byAge, type DescribedContract } from "../described-contract.js";
import { asJavaInstant } from "../instants.js";
import { interfaces } from "../names.js";
import { notFound } from "../refusal.js";
import type { Generation } from "../registry/registry.js";
import { extraArgs, type Meta } from "./commands.js";
import { submitAs, type Answer, type Owner, type WalletContext } from "./wallet-context.js";

/** What apps ask the owner to allocate: the requests as the standard shows them, of the newer generation where they have both. */
export async function allocationRequestsOf({ contracts }: WalletContext, { party }: Owner): Answer<readonly DescribedContract[]> {
  const [v2, v1] = await Promise.all(
    [interfaces.v2, interfaces.v1].map(({ allocationRequest }) => contracts.viewed<object>(allocationRequest, party)),
  );
  const known = new Set(v2!.map(({ contract }) => contract.contractId));
  const all = [...v2!, ...v1!.filter(({ contract }) => !known.has(contract.contractId))];
  return ok(
    byAge(
      all.map(({ contract, interfaceId, view }) => ({
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
  const request = await context.contracts.find(contractId),
    interface_ = interfaces[generation].allocationRequest;
  if (!request || !context.contracts.implements(request, interface_)) return notFound(`AllocationRequest '${contractId}' not found.`);
  const argument = { ...(generation === "v1" ? { actor: owner.party } : { actors: [owner.party] }), extraArgs: extraArgs() };
  const rejected = await submitAs(context, owner, {
    actAs: [owner.party],
    commands: [exercise(interface_, contractId, "AllocationRequest_Reject", argument)],
  });
  if (isFailure(rejected)) return rejected;
  return ok({ meta: (rejected.ok.exerciseResult as { readonly meta: { readonly values: Meta } }).meta.values });
}
