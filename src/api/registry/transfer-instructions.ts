import { json } from "../operation.js";
import { answered } from "../splice/errors.js";
import { contextBody, factoryBody } from "./bodies.js";
import { contextOptions, declare } from "./services.js";
import type { ChoiceContext, TransferFactoryWithChoiceContext } from "./types.js";

export const transferInstructionOperations = {
  transferFactory: declare({
    route: "POST /transfer-instruction/v1/transfer-factory",
    summary: "The contract that makes transfers, what it needs, and whether the receiver has to accept.",
    claims: "none",
    body: factoryBody,
    reply: json<TransferFactoryWithChoiceContext>(),
    handle: async ({ registry }, { body }) => answered(await registry.transferFactory("v1", body.choiceArguments, contextOptions(body))),
  }),
  transferInstructionAcceptContext: declare({
    route: "POST /transfer-instruction/v1/{transferInstructionId}/choice-contexts/accept",
    summary: "What the acceptance of a transfer needs.",
    claims: "none",
    body: contextBody,
    reply: json<ChoiceContext>(),
    handle: async ({ registry }, { params, body }) =>
      answered(await registry.transferInstructionContext("v1", params.transferInstructionId, "accept", contextOptions(body))),
  }),
  transferInstructionRejectContext: declare({
    route: "POST /transfer-instruction/v1/{transferInstructionId}/choice-contexts/reject",
    summary: "What the rejection of a transfer needs.",
    claims: "none",
    body: contextBody,
    reply: json<ChoiceContext>(),
    handle: async ({ registry }, { params, body }) =>
      answered(await registry.transferInstructionContext("v1", params.transferInstructionId, "reject", contextOptions(body))),
  }),
  transferInstructionWithdrawContext: declare({
    route: "POST /transfer-instruction/v1/{transferInstructionId}/choice-contexts/withdraw",
    summary: "What the withdrawal of a transfer needs.",
    claims: "none",
    body: contextBody,
    reply: json<ChoiceContext>(),
    handle: async ({ registry }, { params, body }) =>
      answered(await registry.transferInstructionContext("v1", params.transferInstructionId, "withdraw", contextOptions(body))),
  }),
  transferFactoryV2: declare({
    route: "POST /transfer-instruction/v2/transfer-factory",
    summary: "The contract that makes transfers of the second generation, what it needs, and whether the receiver has to accept.",
    claims: "none",
    body: factoryBody,
    reply: json<TransferFactoryWithChoiceContext>(),
    handle: async ({ registry }, { body }) => answered(await registry.transferFactory("v2", body.choiceArguments, contextOptions(body))),
  }),
  transferInstructionV2AcceptContext: declare({
    route: "POST /transfer-instruction/v2/{transferInstructionId}/choice-contexts/accept",
    summary: "What the acceptance of a transfer of the second generation needs.",
    claims: "none",
    body: contextBody,
    reply: json<ChoiceContext>(),
    handle: async ({ registry }, { params, body }) =>
      answered(await registry.transferInstructionContext("v2", params.transferInstructionId, "accept", contextOptions(body))),
  }),
  transferInstructionV2RejectContext: declare({
    route: "POST /transfer-instruction/v2/{transferInstructionId}/choice-contexts/reject",
    summary: "What the rejection of a transfer of the second generation needs.",
    claims: "none",
    body: contextBody,
    reply: json<ChoiceContext>(),
    handle: async ({ registry }, { params, body }) =>
      answered(await registry.transferInstructionContext("v2", params.transferInstructionId, "reject", contextOptions(body))),
  }),
  transferInstructionV2WithdrawContext: declare({
    route: "POST /transfer-instruction/v2/{transferInstructionId}/choice-contexts/withdraw",
    summary: "What the withdrawal of a transfer of the second generation needs.",
    claims: "none",
    body: contextBody,
    reply: json<ChoiceContext>(),
    handle: async ({ registry }, { params, body }) =>
      answered(await registry.transferInstructionContext("v2", params.transferInstructionId, "withdraw", contextOptions(body))),
  }),
};
