/** What who keeps a copy of Scan's history asks for: how far it goes, and its updates from the newest on. */
import { ok } from "../../base/result.js";
import type { MigrationInfo } from "../../splice/index.js";
import { jsonBody, noBody } from "../body.js";
import { toInt32, toInt64 } from "../ledger/index.js";
import { json } from "../operation.js";
import { answeredAs } from "../splice/errors.js";
import { listPage } from "../splice/pages.js";
import { declare } from "./services.js";
import type {
  GetBackfillingStatusResponse,
  ImportUpdatesRequest,
  MigrationInfoRequest,
  UpdateHistoryResponseWithOffsets,
  UpdatesBeforeRequest,
} from "./types.js";

export const backfillingOperations = {
  backfillingStatus: declare({
    route: "GET /v0/backfilling/status",
    summary: "Whether all history is there: always.",
    claims: "none",
    body: noBody(),
    reply: json<GetBackfillingStatusResponse>(),
    handle: () => ok({ complete: true }),
  }),
  migrationInfo: declare({
    route: "POST /v0/backfilling/migration-info",
    summary: "The times of the oldest and the newest update that the DSO sees.",
    claims: "none",
    body: jsonBody(typia.createValidate<MigrationInfoRequest>(), typia.createAssert<MigrationInfoRequest>()),
    reply: json<MigrationInfo>(),
    handle: async ({ splice }, { body }) => answeredAs(await splice.history.migrationInfo(toInt64(body.migration_id)), (info) => info),
  }),
  updatesBefore: declare({
    route: "POST /v0/backfilling/updates-before",
    summary: "The updates before a time that the DSO sees, the newest first.",
    claims: "none",
    body: jsonBody(typia.createValidate<UpdatesBeforeRequest>(), typia.createAssert<UpdatesBeforeRequest>()),
    reply: json<UpdateHistoryResponseWithOffsets>(),
    handle: async ({ splice }, { body }) => {
      const found = await splice.history.updatesBefore({
        migrationId: toInt64(body.migration_id),
        synchronizer: body.synchronizer_id,
        before: body.before,
        atOrAfter: body.at_or_after ?? undefined,
        count: toInt32(body.count),
      });
      return answeredAs(found, (transactions) => listPage<UpdateHistoryResponseWithOffsets>(splice.turns, "transactions", transactions));
    },
  }),
  importUpdates: declare({
    route: "POST /v0/backfilling/import-updates",
    summary: "Contracts that came from an earlier network: none.",
    claims: "none",
    body: jsonBody(typia.createValidate<ImportUpdatesRequest>(), typia.createAssert<ImportUpdatesRequest>()),
    reply: json<UpdateHistoryResponseWithOffsets>(),
    handle: ({ splice }, { body }) =>
      answeredAs(splice.history.importUpdates(toInt32(body.limit)), (transactions) =>
        listPage<UpdateHistoryResponseWithOffsets>(splice.turns, "transactions", transactions),
      ),
  }),
};
