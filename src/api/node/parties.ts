import { participantAdmin } from "../../auth/index.js";
import { isFailure, ok } from "../../base/result.js";
import { jsonBody } from "../body.js";
import { logged } from "../ledger/index.js";
import { json, operation } from "../operation.js";
import type { Empty } from "../ledger/types/common.js";

/** After a message of the Ledger API's PartyManagementService, which has no JSON form. */
interface MovePartyRequest {
  /** Absent or empty: the default provider, here and there. */
  readonly sourceIdentityProviderId?: string;
  readonly targetIdentityProviderId?: string;
}

export const partyOperations = {
  updatePartyIdentityProvider: operation({
    route: "PATCH /parties/{party}/identity-provider-id",
    summary: "Moves a party to another identity provider.",
    claims: () => participantAdmin,
    body: jsonBody(typia.createValidate<MovePartyRequest>(), typia.createAssert<MovePartyRequest>()),
    reply: json<Empty>(),
    handle: async ({ administration }, { params, body }) => {
      const moved = logged(
        await administration.moveParty({
          party: params.party,
          source: body.sourceIdentityProviderId ?? "",
          target: body.targetIdentityProviderId ?? "",
        }),
      );
      return isFailure(moved) ? moved : ok({});
    },
  }),
};
