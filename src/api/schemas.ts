/** The schemas of all wire types, derived by typia. Loaded when a document is first asked for, never at start. */
import type { ledgerOperations } from "./ledger/index.js";
import type { JsCantonError } from "./ledger/types/common.js";
import { publishedOptional, publishedRequired } from "./published-required.js";
import { PublishedSchemas } from "./published-schemas.js";
import type { FailureWire, WiresOf } from "./wires.js";

interface Wires extends WiresOf<typeof ledgerOperations>, FailureWire<JsCantonError> {}

export const ledgerSchemas = new PublishedSchemas(typia.json.schema<Wires, "3.1">(), {
  required: publishedRequired,
  optional: publishedOptional,
});
