/** The OpenAPI document of a validator. */
import { PublishedSchemas } from "../published-schemas.js";
import type { ErrorResponse } from "../splice/errors.js";
import { documentOf } from "../splice/openapi.js";
import type { FailureWire, WiresOf } from "../wires.js";
import { validatorOperations } from "./operations.js";

interface Wires extends WiresOf<typeof validatorOperations>, FailureWire<ErrorResponse> {}

export const validatorDocument = () =>
  documentOf({
    title: "Ledgerline: validator and wallet",
    tag: "validator",
    servers: [{ url: "/api/validator" }],
    operations: validatorOperations,
    schemas: new PublishedSchemas(typia.json.schema<Wires, "3.1">()),
  });
