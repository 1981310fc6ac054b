/** The OpenAPI document of registries. */
import { PublishedSchemas } from "../published-schemas.js";
import { documentOf } from "../splice/openapi.js";
import type { ErrorResponse } from "../splice/errors.js";
import type { FailureWire, WiresOf } from "../wires.js";
import { registryOperations } from "./operations.js";

interface Wires extends WiresOf<typeof registryOperations>, FailureWire<ErrorResponse> {}

export const registryDocument = () =>
  documentOf({
    title: "Ledgerline: registry of the token standard",
    tag: "registry",
    servers: [
      { url: "/", description: "Without a token." },
      { url: "/api/validator/v0/scan-proxy", description: "With a token." },
    ],
    prefix: "/registry",
    operations: registryOperations,
    schemas: new PublishedSchemas(typia.json.schema<Wires, "3.1">()),
  });
