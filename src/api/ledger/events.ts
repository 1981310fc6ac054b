import { ok } from "../../base/result.js";
import { jsonBody } from "../body.js";
import { json, operation } from "../operation.js";
import { spliced } from "../wire.js";
import { eventFormatClaims, partiesOrAny, withToken } from "./format-claims.js";
import { eventFormatOf } from "./formats.js";
import type {
  GetContractRequest,
  GetContractResponse,
  GetEventsByContractIdRequest,
  JsGetEventsByContractIdResponse,
} from "./types/events.js";

export const eventOperations = {
  eventsByContractId: operation({
    route: "POST /v2/events/events-by-contract-id",
    summary: "When a contract was created, and when archived.",
    claims: ({ body }) => withToken(eventFormatClaims(body.eventFormat)),
    body: jsonBody(typia.createValidate<GetEventsByContractIdRequest>(), typia.createAssert<GetEventsByContractIdRequest>()),
    reply: json<JsGetEventsByContractIdResponse>(),
    handle: async ({ ledger }, { body, trace }) => {
      const format = body.eventFormat == null ? undefined : eventFormatOf(body.eventFormat);
      const events = await ledger.readEventsByContractId(body.contractId ?? "", format, trace.traceId);
      return events.error === undefined ? ok(spliced<JsGetEventsByContractIdResponse>(events.ok)) : events;
    },
  }),

  contractById: operation({
    route: "POST /v2/contracts/contract-by-id",
    summary: "A contract that the node knows, archived or not.",
    claims: ({ body }) => withToken(partiesOrAny(body.queryingParties ?? [])),
    body: jsonBody(typia.createValidate<GetContractRequest>(), typia.createAssert<GetContractRequest>()),
    reply: json<GetContractResponse>(),
    handle: async ({ ledger }, { body }) => {
      const contract = await ledger.readContract(body.contractId ?? "", body.queryingParties ?? []);
      return contract.error === undefined ? ok(spliced<GetContractResponse>(contract.ok)) : contract;
    },
  }),
};
