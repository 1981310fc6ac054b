/**
 * The token standard's registry, version 1 and 2: open to everybody where it stands alone, for users where it stands behind a validator.
 */
import { type Authentication, authenticated } from "../../auth/index.js";
import type { Splice } from "../../splice/index.js";
import type { Api } from "../api.js";
import { validatorCallers } from "../splice/callers.js";
import { requiring } from "../splice/requiring.js";
import { spliceErrors } from "../splice/errors.js";
import { registryOperations } from "./operations.js";
import type { RegistryServices } from "./services.js";

export { registryOperations };

export function registryApis({
  splice,
  authentication,
}: {
  readonly splice: Splice;
  readonly authentication: Authentication;
}): readonly Api[] {
  const common = {
    label: "registry.",
    errors: spliceErrors,
    namesTraces: true,
    credentials: validatorCallers(authentication),
    documents: [],
  } as const;
  const amulet: RegistryServices = { registry: splice.registry, metadata: splice.metadata };
  return [
    {
      ...common,
      prefixes: ["/registry"],
      operations: registryOperations,
      services: amulet,
      documents: [{ path: "/docs/openapi/registry", write: async () => (await import("./openapi.js")).registryDocument() }],
    },
    {
      ...common,
      prefixes: ["/api/validator/v0/scan-proxy/registry"],
      operations: requiring(registryOperations, authenticated),
      services: amulet,
    },
    ...splice.tokens.map(({ name, registry, metadata }) => ({
      ...common,
      prefixes: [`/registries/${name}/registry`],
      operations: registryOperations,
      services: { registry, metadata } satisfies RegistryServices,
    })),
  ];
}
