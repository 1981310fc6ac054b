import { fail, isFailure, ok } from "../../base/result.js";
import { identityProviderAdmin, impliedIdentityProvider } from "../../auth/index.js";
import { jsonBody } from "../body.js";
import { json, operation } from "../operation.js";
import { logged, mismatch, pathsOf, requesterOf, whileNaming } from "./administration-calls.js";
import { partyDetails } from "./parties.js";
import type {
  AllocatePartyRequest,
  AllocatePartyResponse,
  UpdatePartyDetailsRequest,
  UpdatePartyDetailsResponse,
} from "./types/parties.js";

/** The operations on parties that change what administration keeps about them. */
export const partyAdministrationOperations = {
  allocateParty: operation({
    route: "POST /v2/parties",
    summary: "Creates a party on this node.",
    claims: ({ body }) => [{ kind: "partyAllocation", userId: body.userId ?? "", identityProviderId: body.identityProviderId ?? "" }],
    body: jsonBody(typia.createValidate<AllocatePartyRequest>(), typia.createAssert<AllocatePartyRequest>()),
    reply: json<AllocatePartyResponse>(),
    handle: async ({ administration }, { body, caller, trace }) => {
      const party = await administration.allocateParty(
        {
          hint: body.partyIdHint ?? "",
          annotations: body.localMetadata?.annotations ?? {},
          resourceVersion: body.localMetadata?.resourceVersion ?? "",
          identityProviderId: impliedIdentityProvider(caller, body.identityProviderId ?? ""),
          synchronizerId: body.synchronizerId ?? "",
          userId: body.userId ?? "",
          trace: trace.context,
        },
        requesterOf(caller),
      );
      return isFailure(party) ? fail(whileNaming([body.partyIdHint ?? ""], party.error)) : ok({ partyDetails: partyDetails(party.ok) });
    },
  }),

  updateParty: operation({
    route: "PATCH /v2/parties/{party}",
    summary: "Changes a party's annotations.",
    claims: ({ body }) => identityProviderAdmin(body.partyDetails?.identityProviderId ?? ""),
    body: jsonBody(typia.createValidate<UpdatePartyDetailsRequest>(), typia.createAssert<UpdatePartyDetailsRequest>()),
    reply: json<UpdatePartyDetailsResponse>(),
    handle: async ({ administration }, { params, body, caller }) => {
      const details = body.partyDetails;
      if (details?.party !== params.party) return fail(mismatch(params.party, "party", details?.party));
      const updated = logged(
        await administration.updateParty(
          {
            party: params.party,
            isLocal: details.isLocal ?? false,
            identityProviderId: impliedIdentityProvider(caller, details.identityProviderId ?? ""),
            annotations: details.localMetadata?.annotations ?? {},
            resourceVersion: details.localMetadata?.resourceVersion ?? "",
          },
          pathsOf(body.updateMask),
        ),
      );
      if (isFailure(updated)) return updated;
      return ok({ partyDetails: partyDetails({ ...updated.ok, resourceVersion: String(updated.ok.resourceVersion) }) });
    },
  }),
};
