import { ok } from "../../base/result.js";
import { limits } from "../../config.js";
import { participantAdmin } from "../../auth/index.js";
import { jsonBody, withInt64 } from "../body.js";
import { toWholeInt64 } from "../ledger/index.js";
import type { Int64, Int64Input } from "../ledger/types/scalars.js";
import { json, operation } from "../operation.js";

/** After the messages of Canton's ParticipantPruningService, which has no JSON form. */
interface PruneRequest {
  readonly pruneUpTo: Int64Input;
}
interface PruneResponse {
  readonly participantPrunedUpToInclusive: Int64;
}

export const pruningOperations = {
  prune: operation({
    route: "POST /prune",
    summary: "Removes history up to an offset; active contracts stay.",
    deadlineMs: limits.pruningDeadlineMs,
    claims: () => participantAdmin,
    body: jsonBody(typia.createValidate<PruneRequest>(), typia.createAssert<PruneRequest>(), withInt64("pruneUpTo")),
    reply: json<PruneResponse>(),
    handle: async ({ ledger }, { body }) => {
      const pruned = await ledger.prune(toWholeInt64(body.pruneUpTo));
      return pruned.error === undefined
        ? ok({ participantPrunedUpToInclusive: ledger.prunedOffsets().participantPrunedUpToInclusive })
        : pruned;
    },
  }),
};
