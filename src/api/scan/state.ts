import { ok } from "../../base/result.js";
import { migrationId, type NumberedPage, type Splice } from "../../splice/index.js";
import { jsonBody, noBody } from "../body.js";
import { toInt32, toInt64, toOptionalInt64 } from "../ledger/index.js";
import { json } from "../operation.js";
import { int64, required, text } from "../query.js";
import { answered, answeredAs } from "../splice/errors.js";
import { copiedPage } from "../splice/pages.js";
import type { Spliced } from "../wire.js";
import { declare } from "./services.js";
import type {
  AcsRequest,
  AcsResponse,
  AcsResponseV1,
  AcsSnapshotTimestampResponse,
  ForceAcsSnapshotResponse,
  GetMigrationIdResponse,
  HoldingsStateRequest,
  HoldingsSummaryRequest,
  HoldingsSummaryRequestV1,
  HoldingsSummaryResponse,
  HoldingsSummaryResponseV1,
} from "./types.js";

const snapshotOf = ({ migration_id, record_time, record_time_match }: HoldingsSummaryRequestV1 | AcsRequest | HoldingsStateRequest) =>
  ({ migrationId: toInt64(migration_id), recordTime: record_time, match: record_time_match ?? "exact" }) as const;
const pageOf = (body: HoldingsStateRequest | AcsRequest) => ({
  ...snapshotOf(body),
  pageSize: toInt32(body.page_size),
  after: toOptionalInt64(body.after),
});
const holdingsOf = (body: HoldingsStateRequest) => ({ ...pageOf(body), owners: body.owner_party_ids });
const contractsOf = (body: AcsRequest) => ({
  ...pageOf(body),
  parties: body.party_ids ?? [],
  templates: body.templates ?? undefined,
});

const contractsPage =
  <W>({ turns }: Splice) =>
  ({ page, contracts, release }: NumberedPage): Promise<Spliced<W>> =>
    copiedPage<W>(turns, "created_events", { texts: contracts.length === 0 ? [] : [contracts], ...(release ? { release } : {}) }, page);

export const stateOperations = {
  snapshotBefore: declare({
    route: "GET /v0/state/acs/snapshot-timestamp",
    summary: "When the newest snapshot at or before a time was.",
    claims: "none",
    query: { before: required(text()), migration_id: required(int64()) },
    body: noBody(),
    reply: json<AcsSnapshotTimestampResponse>(),
    handle: ({ splice }, { query }) =>
      answered(splice.snapshotTime({ time: query.before, migration: query.migration_id, direction: "before" })),
  }),
  snapshotAfter: declare({
    route: "GET /v0/state/acs/snapshot-timestamp-after",
    summary: "When the first snapshot behind a time was.",
    claims: "none",
    query: { after: required(text()), migration_id: required(int64()) },
    body: noBody(),
    reply: json<AcsSnapshotTimestampResponse>(),
    handle: ({ splice }, { query }) =>
      answered(splice.snapshotTime({ time: query.after, migration: query.migration_id, direction: "after" })),
  }),
  forceSnapshot: declare({
    route: "POST /v0/state/acs/force",
    summary: "Makes a snapshot of what is there now.",
    claims: "none",
    body: noBody(),
    reply: json<ForceAcsSnapshotResponse>(),
    handle: async ({ splice }) => answered(await splice.forceSnapshot()),
  }),
  activeContractsV1: declare({
    route: "POST /v1/state/acs",
    summary: "Active contracts at a snapshot, in pages.",
    claims: "none",
    body: jsonBody(typia.createValidate<AcsRequest>(), typia.createAssert<AcsRequest>()),
    reply: json<AcsResponseV1>(),
    handle: async ({ splice }, { body }) =>
      answeredAs(await splice.activeContracts({ ...contractsOf(body), form: "contract" }), contractsPage<AcsResponseV1>(splice)),
  }),
  activeContracts: declare({
    route: "POST /v0/state/acs",
    summary: "Active contracts at a snapshot, as created events.",
    deprecated: true,
    claims: "none",
    body: jsonBody(typia.createValidate<AcsRequest>(), typia.createAssert<AcsRequest>()),
    reply: json<AcsResponse>(),
    handle: async ({ splice }, { body }) =>
      answeredAs(await splice.activeContracts({ ...contractsOf(body), form: "createdEvent" }), contractsPage<AcsResponse>(splice)),
  }),
  holdingsStateV1: declare({
    route: "POST /v1/holdings/state",
    summary: "What owners held at a snapshot, in pages.",
    claims: "none",
    body: jsonBody(typia.createValidate<HoldingsStateRequest>(), typia.createAssert<HoldingsStateRequest>()),
    reply: json<AcsResponseV1>(),
    handle: async ({ splice }, { body }) =>
      answeredAs(await splice.holdings({ ...holdingsOf(body), form: "contract" }), contractsPage<AcsResponseV1>(splice)),
  }),
  holdingsState: declare({
    route: "POST /v0/holdings/state",
    summary: "What owners held at a snapshot, as created events.",
    deprecated: true,
    claims: "none",
    body: jsonBody(typia.createValidate<HoldingsStateRequest>(), typia.createAssert<HoldingsStateRequest>()),
    reply: json<AcsResponse>(),
    handle: async ({ splice }, { body }) =>
      answeredAs(await splice.holdings({ ...holdingsOf(body), form: "createdEvent" }), contractsPage<AcsResponse>(splice)),
  }),
  migrationId: declare({
    route: "GET /v0/migrations/last",
    summary: "The migration that the ledger is in: the first.",
    claims: "none",
    body: noBody(),
    reply: json<GetMigrationIdResponse>(),
    handle: () => ok({ migration_id: migrationId }),
  }),
};

export const holdingsSummaryOperations = {
  holdingsSummaryV1: declare({
    route: "POST /v1/holdings/summary",
    summary: "Sums of what owners held at a snapshot.",
    claims: "none",
    body: jsonBody(typia.createValidate<HoldingsSummaryRequestV1>(), typia.createAssert<HoldingsSummaryRequestV1>()),
    reply: json<HoldingsSummaryResponseV1>(),
    handle: async ({ splice }, { body }) => answered(await splice.summary({ ...snapshotOf(body), owners: body.owner_party_ids })),
  }),
  holdingsSummary: declare({
    route: "POST /v0/holdings/summary",
    summary: "Sums of what owners held at a snapshot, with the holding fees of a round.",
    deprecated: true,
    claims: "none",
    body: jsonBody(typia.createValidate<HoldingsSummaryRequest>(), typia.createAssert<HoldingsSummaryRequest>()),
    reply: json<HoldingsSummaryResponse>(),
    handle: async ({ splice }, { body }) =>
      answered(
        await splice.summaryWithFees({ ...snapshotOf(body), owners: body.owner_party_ids, asOfRound: toOptionalInt64(body.as_of_round) }),
      ),
  }),
};
