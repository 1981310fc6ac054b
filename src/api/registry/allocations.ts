import { json } from "../operation.js";
import { answered } from "../splice/errors.js";
import { contextBody, factoryBody } from "./bodies.js";
import { contextOptions, declare } from "./services.js";
import type { ChoiceContext, FactoryWithChoiceContext } from "./types.js";

export const allocationOperations = {
  allocationTransferContext: declare({
    route: "POST /allocations/v1/{allocationId}/choice-contexts/execute-transfer",
    summary: "What the execution of an allocated transfer needs.",
    claims: "none",
    body: contextBody,
    reply: json<ChoiceContext>(),
    handle: async ({ registry }, { params, body }) =>
      answered(await registry.allocationContext("v1", params.allocationId, "executeTransfer", contextOptions(body))),
  }),
  allocationWithdrawContext: declare({
    route: "POST /allocations/v1/{allocationId}/choice-contexts/withdraw",
    summary: "What the withdrawal of an allocation needs.",
    claims: "none",
    body: contextBody,
    reply: json<ChoiceContext>(),
    handle: async ({ registry }, { params, body }) =>
      answered(await registry.allocationContext("v1", params.allocationId, "withdraw", contextOptions(body))),
  }),
  allocationCancelContext: declare({
    route: "POST /allocations/v1/{allocationId}/choice-contexts/cancel",
    summary: "What the cancellation of an allocation needs.",
    claims: "none",
    body: contextBody,
    reply: json<ChoiceContext>(),
    handle: async ({ registry }, { params, body }) =>
      answered(await registry.allocationContext("v1", params.allocationId, "cancel", contextOptions(body))),
  }),
  allocationV2WithdrawContext: declare({
    route: "POST /allocations/v2/{allocationId}/choice-contexts/withdraw",
    summary: "What the withdrawal of an allocation of the second generation needs.",
    claims: "none",
    body: contextBody,
    reply: json<ChoiceContext>(),
    handle: async ({ registry }, { params, body }) =>
      answered(await registry.allocationContext("v2", params.allocationId, "withdraw", contextOptions(body))),
  }),
  allocationV2CancelContext: declare({
    route: "POST /allocations/v2/{allocationId}/choice-contexts/cancel",
    summary: "What the cancellation of an allocation of the second generation needs.",
    claims: "none",
    body: contextBody,
    reply: json<ChoiceContext>(),
    handle: async ({ registry }, { params, body }) =>
      answered(await registry.allocationContext("v2", params.allocationId, "cancel", contextOptions(body))),
  }),
  settlementFactory: declare({
    route: "POST /allocation/v2/settlement-factory",
    summary: "The contract that settles a batch of allocations, and what it needs.",
    claims: "none",
    body: factoryBody,
    reply: json<FactoryWithChoiceContext>(),
    handle: async ({ registry }, { body }) => answered(await registry.settlementFactory(body.choiceArguments, contextOptions(body))),
  }),
};
