import { jsonBody, noBody } from "../body.js";
import { json } from "../operation.js";
import { toInt32, toInt64 } from "../ledger/index.js";
import { boolean, word } from "../query.js";
import { answeredAs } from "../splice/errors.js";
import { copiedPage, listPage } from "../splice/pages.js";
import { spliced } from "../wire.js";
import type { EventItem, HistoryQuery, SignedUpdateItem } from "../../splice/index.js";
import { declare } from "./services.js";
import type {
  DamlValueEncoding,
  EventHistoryRequest,
  EventHistoryResponse,
  LosslessUpdateHistoryRequest,
  UpdateHistoryItem,
  UpdateHistoryItemV2,
  UpdateHistoryRequest,
  UpdateHistoryResponse,
  UpdateHistoryResponseWithOffsets,
} from "./types.js";

const encodingOf = (asked: DamlValueEncoding | null | undefined): DamlValueEncoding => asked ?? "compact_json";

const losslessly = (lossless: boolean | null | undefined): DamlValueEncoding => (lossless === true ? "protobuf_json" : "compact_json");

const queryOf = (
  { after, page_size }: Omit<UpdateHistoryRequest, "daml_value_encoding">,
  encoding: DamlValueEncoding | null | undefined,
): HistoryQuery => ({
  pageSize: toInt32(page_size),
  encoding: encodingOf(encoding),
  after: after == null ? undefined : { migrationId: toInt64(after.after_migration_id), recordTime: after.after_record_time },
});

const encodingQuery = { daml_value_encoding: word("compact_json", "protobuf_json") };

export const historyOperations = {
  eventHistory: declare({
    route: "POST /v0/events",
    summary: "The events of the ledger in order, with their verdicts.",
    claims: "none",
    body: jsonBody(typia.createValidate<EventHistoryRequest>(), typia.createAssert<EventHistoryRequest>()),
    reply: json<EventHistoryResponse>(),
    handle: async ({ splice }, { body }) =>
      answeredAs(await splice.history.events(queryOf(body, body.daml_value_encoding ?? body.contract_value_encoding)), (events) =>
        copiedPage<EventHistoryResponse>(splice.turns, "events", events),
      ),
  }),
  eventById: declare({
    route: "GET /v0/events/{update_id}",
    summary: "One event.",
    claims: "none",
    query: encodingQuery,
    body: noBody(),
    reply: json<EventItem>(),
    handle: async ({ splice }, { params, query }) =>
      answeredAs(await splice.history.event(params.update_id, encodingOf(query.daml_value_encoding)), (text) => spliced<EventItem>(text)),
  }),
  updateHistory: declare({
    route: "POST /v2/updates",
    summary: "The updates that the DSO sees, in order.",
    claims: "none",
    body: jsonBody(typia.createValidate<UpdateHistoryRequest>(), typia.createAssert<UpdateHistoryRequest>()),
    reply: json<UpdateHistoryResponse>(),
    handle: async ({ splice }, { body }) =>
      answeredAs(await splice.history.updates(queryOf(body, body.daml_value_encoding)), (transactions) =>
        listPage<UpdateHistoryResponse>(splice.turns, "transactions", transactions),
      ),
  }),
  updateByHash: declare({
    route: "GET /v2/updates/hash/{hash}",
    summary: "One update that the DSO sees, by the hash that external parties signed.",
    claims: "none",
    query: encodingQuery,
    body: noBody(),
    reply: json<SignedUpdateItem>(),
    handle: async ({ splice }, { params, query }) =>
      answeredAs(await splice.history.updateByHash(params.hash, encodingOf(query.daml_value_encoding)), (text) =>
        spliced<SignedUpdateItem>(text),
      ),
  }),
  updateById: declare({
    route: "GET /v2/updates/{update_id}",
    summary: "One update that the DSO sees.",
    claims: "none",
    query: encodingQuery,
    body: noBody(),
    reply: json<UpdateHistoryItemV2>(),
    handle: async ({ splice }, { params, query }) =>
      answeredAs(await splice.history.update(params.update_id, { encoding: encodingOf(query.daml_value_encoding) }), (text) =>
        spliced<UpdateHistoryItemV2>(text),
      ),
  }),
  updateHistoryV1: declare({
    route: "POST /v1/updates",
    summary: "The same, with an offset that says nothing.",
    deprecated: true,
    claims: "none",
    body: jsonBody(typia.createValidate<UpdateHistoryRequest>(), typia.createAssert<UpdateHistoryRequest>()),
    reply: json<UpdateHistoryResponseWithOffsets>(),
    handle: async ({ splice }, { body }) =>
      answeredAs(await splice.history.updates({ ...queryOf(body, body.daml_value_encoding), form: "withOffset" }), (transactions) =>
        listPage<UpdateHistoryResponseWithOffsets>(splice.turns, "transactions", transactions),
      ),
  }),
  updateByIdV1: declare({
    route: "GET /v1/updates/{update_id}",
    summary: "One of them.",
    deprecated: true,
    claims: "none",
    query: encodingQuery,
    body: noBody(),
    reply: json<UpdateHistoryItem>(),
    handle: async ({ splice }, { params, query }) =>
      answeredAs(
        await splice.history.update(params.update_id, { encoding: encodingOf(query.daml_value_encoding), form: "withOffset" }),
        (text) => spliced<UpdateHistoryItem>(text),
      ),
  }),
  updateHistoryV0: declare({
    route: "POST /v0/updates",
    summary: "The same, with offsets and numbers of events as this ledger has them.",
    deprecated: true,
    claims: "none",
    body: jsonBody(typia.createValidate<LosslessUpdateHistoryRequest>(), typia.createAssert<LosslessUpdateHistoryRequest>()),
    reply: json<UpdateHistoryResponseWithOffsets>(),
    handle: async ({ splice }, { body }) =>
      answeredAs(await splice.history.updates({ ...queryOf(body, losslessly(body.lossless)), form: "local" }), (transactions) =>
        listPage<UpdateHistoryResponseWithOffsets>(splice.turns, "transactions", transactions),
      ),
  }),
  updateByIdV0: declare({
    route: "GET /v0/updates/{update_id}",
    summary: "One of them.",
    deprecated: true,
    claims: "none",
    query: { lossless: boolean() },
    body: noBody(),
    reply: json<UpdateHistoryItem>(),
    handle: async ({ splice }, { params, query }) =>
      answeredAs(await splice.history.update(params.update_id, { encoding: losslessly(query.lossless), form: "local" }), (text) =>
        spliced<UpdateHistoryItem>(text),
      ),
  }),
};
