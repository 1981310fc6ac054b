/** The OpenAPI document of Scan. */
import { PublishedSchemas } from "../published-schemas.js";
import type { ErrorResponse } from "../splice/errors.js";
import { documentOf } from "../splice/openapi.js";
import type { FailureWire, WiresOf } from "../wires.js";
import { scanOperations } from "./operations.js";

interface Wires extends WiresOf<typeof scanOperations>, FailureWire<ErrorResponse> {}

export const scanDocument = () =>
  documentOf({
    title: "Ledgerline: Scan",
    tag: "scan",
    servers: [{ url: "/api/scan" }],
    operations: scanOperations,
    schemas: new PublishedSchemas(typia.json.schema<Wires, "3.1">()),
  });
