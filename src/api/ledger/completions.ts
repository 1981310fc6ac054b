import { fail } from "../../base/result.js";
import { readAs } from "../../auth/index.js";
import { jsonBody, withInt64 } from "../body.js";
import { missingUserId } from "../failures.js";
import { json, stream } from "../operation.js";
import { toWholeInt64 } from "./decoding.js";
import { partiesOrAny, withToken } from "./format-claims.js";
import type { CompletionStreamRequest, CompletionStreamResponse, GetCompletionsRequest } from "./types/completions.js";

export const completionOperations = {
  completions: stream({
    route: "POST /v2/commands/completions",
    summary: "Outcomes of one user's submissions for some parties.",
    claims: ({ body }) => withToken([{ kind: "userUnlessReadAsAnyParty", userId: body.userId ?? "" }, ...readAs(body.parties ?? [])]),
    body: jsonBody(
      typia.createValidate<CompletionStreamRequest>(),
      typia.createAssert<CompletionStreamRequest>(),
      withInt64("beginExclusive"),
    ),
    element: json<CompletionStreamResponse>(),
    endsWhenIdle: () => true,
    open: ({ ledger }, { body, caller }) => {
      const userId = body.userId || caller.userId;
      if (userId === undefined) return fail(missingUserId());
      return ledger.openCompletions({ userId, parties: body.parties ?? [], beginExclusive: toWholeInt64(body.beginExclusive ?? 0) });
    },
  }),

  commandCompletions: stream({
    route: "POST /v2/commands/command-completions",
    summary: "Outcomes of all users' submissions for some parties, or for all.",
    claims: ({ body }) => withToken(partiesOrAny(body.parties ?? [])),
    body: jsonBody(typia.createValidate<GetCompletionsRequest>(), typia.createAssert<GetCompletionsRequest>(), withInt64("beginExclusive")),
    element: json<CompletionStreamResponse>(),
    endsWhenIdle: () => true,
    open: ({ ledger }, { body }) =>
      ledger.openCompletions({ userId: undefined, parties: body.parties ?? [], beginExclusive: toWholeInt64(body.beginExclusive ?? 0) }),
  }),
};
