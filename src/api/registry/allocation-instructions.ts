import { fail } from "../../base/result.js";
import { json } from "../operation.js";
import { answered, refused } from "../splice/errors.js";
import { contextBody, factoryBody } from "./bodies.js";
import { contextOptions, declare } from "./services.js";
import type { ChoiceContext, FactoryWithChoiceContext } from "./types.js";

const unsupported = () =>
  fail(
    refused({
      kind: "invalid",
      message: "Allocation instruction choice contexts are unsupported because amulet does not create allocation instructions.",
    }),
  );

export const allocationInstructionOperations = {
  allocationFactory: declare({
    route: "POST /allocation-instruction/v1/allocation-factory",
    summary: "The contract that makes allocations, and what it needs.",
    claims: "none",
    body: factoryBody,
    reply: json<FactoryWithChoiceContext>(),
    handle: async ({ registry }, { body }) => answered(await registry.allocationFactory("v1", body.choiceArguments, contextOptions(body))),
  }),
  allocationFactoryV2: declare({
    route: "POST /allocation-instruction/v2/allocation-factory",
    summary: "The contract that makes allocations of the second generation, and what it needs.",
    claims: "none",
    body: factoryBody,
    reply: json<FactoryWithChoiceContext>(),
    handle: async ({ registry }, { body }) => answered(await registry.allocationFactory("v2", body.choiceArguments, contextOptions(body))),
  }),
  allocationInstructionAcceptContext: declare({
    route: "POST /allocation-instruction/v2/{allocationInstructionId}/choice-contexts/accept",
    summary: "Amulet makes no allocation instructions: always 400.",
    claims: "none",
    body: contextBody,
    reply: json<ChoiceContext>(),
    handle: unsupported,
  }),
  allocationInstructionWithdrawContext: declare({
    route: "POST /allocation-instruction/v2/{allocationInstructionId}/choice-contexts/withdraw",
    summary: "Amulet makes no allocation instructions: always 400.",
    claims: "none",
    body: contextBody,
    reply: json<ChoiceContext>(),
    handle: unsupported,
  }),
};
