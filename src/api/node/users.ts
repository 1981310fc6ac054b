import { impliedIdentityProvider } from "../../auth/index.js";
import { fail, isFailure, ok } from "../../base/result.js";
import { noBody } from "../body.js";
import { noAuthenticatedUser } from "../failures.js";
import { logged, rightOf } from "../ledger/index.js";
import type { ListUserRightsResponse } from "../ledger/types/users.js";
import { json, operation } from "../operation.js";
import { text } from "../query.js";

export const userOperations = {
  /** Who asks for it by the Ledger API has to know his own name. */
  authenticatedUserRights: operation({
    route: "GET /authenticated-user/rights",
    summary: "The rights of the user of the token.",
    query: { "identity-provider-id": text() },
    claims: ({ query }) => [{ kind: "selfOrAdmin", userId: "", identityProviderId: query["identity-provider-id"] ?? "" }],
    body: noBody(),
    reply: json<ListUserRightsResponse>(),
    handle: ({ administration }, { query, caller }) => {
      if (caller.userId === undefined) return fail(noAuthenticatedUser());
      const rights = logged(
        administration.listRights({
          userId: caller.userId,
          identityProviderId: impliedIdentityProvider(caller, query["identity-provider-id"] ?? ""),
        }),
      );
      return isFailure(rights) ? rights : ok({ rights: rights.ok.map(rightOf) });
    },
  }),
};
