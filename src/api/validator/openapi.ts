/** The OpenAPI documents of a validator and of what SVs may ask for. */
import { PublishedSchemas } from "../published-schemas.js";
import type { ErrorResponse } from "../splice/errors.js";
import { documentOf } from "../splice/openapi.js";
import type { FailureWire, WiresOf } from "../wires.js";
import { svOperations, validatorOperations } from "./operations.js";

/** Of both: what SVs may ask for, validators answer too. */
interface Wires extends WiresOf<typeof validatorOperations>, FailureWire<ErrorResponse> {}

const schemas = new PublishedSchemas(typia.json.schema<Wires, "3.1">());

export const validatorDocument = () =>
  documentOf({
    title: "Ledgerline: validator and wallet",
    tag: "validator",
    servers: [{ url: "/api/validator" }],
    operations: validatorOperations,
    schemas,
  });

export const svDocument = () =>
  documentOf({ title: "Ledgerline: votes of SVs", tag: "sv", servers: [{ url: "/api/sv" }], operations: svOperations, schemas });
