/** Rewards by traffic, as a Scan tells of them whose network has recorded no activity of apps: nothing is known of any round yet. */
import { fail, ok } from "../../base/result.js";
import { noBody } from "../body.js";
import { json } from "../operation.js";
import { integer } from "../query.js";
import { refused } from "../splice/errors.js";
import { declare } from "./services.js";
import type {
  GetRewardAccountingActivityTotalsResponse,
  GetRewardAccountingBatchResponse,
  GetRewardAccountingEarliestAvailableRoundResponse,
  GetRewardAccountingRootHashResponse,
} from "./types.js";

const isRound = (text: string): boolean => integer(text, -(2n ** 63n), 2n ** 63n - 1n) !== undefined;
const undetermined = { status: "Undetermined" } as const;
const missing = (message: string) => fail(refused({ kind: "notFound", message }));

export const rewardAccountingOperations = {
  earliestRewardRound: declare({
    route: "GET /v0/internal/reward-accounting-process/rounds/earliest-available",
    summary: "The first round whose activity is known: none is, so always 404.",
    claims: "none",
    body: noBody(),
    reply: json<GetRewardAccountingEarliestAvailableRoundResponse>(),
    handle: () => missing("No reward accounting data available yet"),
  }),
  rewardActivity: declare({
    route: "GET /v0/internal/reward-accounting-process/rounds/{round_number}/activity-totals",
    summary: "The activity of a round: undetermined.",
    params: { round_number: isRound },
    claims: "none",
    body: noBody(),
    reply: json<GetRewardAccountingActivityTotalsResponse>(),
    handle: () => ok(undetermined),
  }),
  rewardRootHash: declare({
    route: "GET /v0/internal/reward-accounting-process/rounds/{round_number}/root-hash",
    summary: "The hash of a round's rewards: undetermined.",
    params: { round_number: isRound },
    claims: "none",
    body: noBody(),
    reply: json<GetRewardAccountingRootHashResponse>(),
    handle: () => ok(undetermined),
  }),
  rewardBatch: declare({
    route: "GET /v0/internal/reward-accounting-process/rounds/{round_number}/batches/{batch_hash}",
    summary: "A batch of rewards by its hash: there are none, so always 404.",
    params: { round_number: isRound },
    claims: "none",
    body: noBody(),
    reply: json<GetRewardAccountingBatchResponse>(),
    handle: (_, { params }) => missing(`Batch not (yet) found for round ${BigInt(params.round_number)} with hash ${params.batch_hash}`),
  }),
};
