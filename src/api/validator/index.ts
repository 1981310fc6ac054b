/** A validator: Scan behind tokens, the users of its wallet, and what governs the network. */
import type { Authentication } from "../../auth/index.js";
import type { Api } from "../api.js";
import { validatorCallers } from "../splice/callers.js";
import { spliceErrors } from "../splice/errors.js";
import { svOperations, validatorOperations } from "./operations.js";
import type { ValidatorServices } from "./services.js";

export { svOperations, validatorOperations };

export function validatorApis({
  services,
  authentication,
}: {
  readonly services: ValidatorServices;
  readonly authentication: Authentication;
}): readonly Api[] {
  const common = { services, errors: spliceErrors, namesTraces: true, credentials: validatorCallers(authentication) } as const;
  return [
    {
      ...common,
      label: "validator.",
      prefixes: ["/api/validator"],
      operations: validatorOperations,
      documents: [{ path: "/docs/openapi/validator", write: async () => (await import("./openapi.js")).validatorDocument() }],
    },
    {
      ...common,
      label: "sv.",
      prefixes: ["/api/sv"],
      operations: svOperations,
      documents: [{ path: "/docs/openapi/sv", write: async () => (await import("./sv-openapi.js")).svDocument() }],
    },
  ];
}
