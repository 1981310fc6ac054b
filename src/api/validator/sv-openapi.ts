/** The OpenAPI document of what SVs see and vote. */
import { PublishedSchemas } from "../published-schemas.js";
import type { ErrorResponse } from "../splice/errors.js";
import { documentOf } from "../splice/openapi.js";
import type { FailureWire, WiresOf } from "../wires.js";
import { svOperations } from "./operations.js";

interface Wires extends WiresOf<typeof svOperations>, FailureWire<ErrorResponse> {}

export const svDocument = () =>
  documentOf({
    title: "Ledgerline: what SVs see and vote",
    tag: "sv",
    servers: [{ url: "/api/sv" }],
    operations: svOperations,
    schemas: new PublishedSchemas(typia.json.schema<Wires, "3.1">()),
  });
