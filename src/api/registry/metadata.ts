import { findInstrument } from "../../splice/index.js";
import { noBody } from "../body.js";
import { json } from "../operation.js";
import { int32, text } from "../query.js";
import { answered, answeredAs } from "../splice/errors.js";
import { declare } from "./services.js";
import type { GetRegistryInfoResponse, Instrument, ListInstrumentsResponse } from "./types.js";

export const metadataOperations = {
  registryInfo: declare({
    route: "GET /metadata/v1/info",
    summary: "Who administrates the registry, and what it supports.",
    claims: "none",
    body: noBody(),
    reply: json<GetRegistryInfoResponse>(),
    handle: async ({ metadata }) => answered(await metadata.info()),
  }),
  instruments: declare({
    route: "GET /metadata/v1/instruments",
    summary: "The tokens of the registry; all on one page.",
    claims: "none",
    query: { pageSize: int32(), pageToken: text() },
    body: noBody(),
    reply: json<ListInstrumentsResponse>(),
    handle: async ({ metadata }) => answeredAs(await metadata.instruments(), (instruments) => ({ instruments })),
  }),
  instrument: declare({
    route: "GET /metadata/v1/instruments/{instrumentId}",
    summary: "One token.",
    claims: "none",
    body: noBody(),
    reply: json<Instrument>(),
    handle: async ({ metadata }, { params }) => answered(await findInstrument(metadata, params.instrumentId)),
  }),
};
