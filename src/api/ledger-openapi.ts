/** The OpenAPI document of the Ledger JSON API. */
import { ledgerApiVersion, ledgerOperations } from "./ledger/index.js";
import { operationId } from "./operation.js";
import { openApiOf, type OpenApiDocument } from "./openapi.js";
import { tagOf, tags } from "./openapi-tags.js";
import { publishedNames } from "./published-names.js";
import { ledgerSchemas } from "./schemas.js";

export const openApiDocument = (): OpenApiDocument =>
  openApiOf({
    title: "Ledgerline: JSON Ledger API over HTTP",
    description: "The version is that of the published Ledger API. Lists are WebSockets too: /docs/asyncapi.",
    version: ledgerApiVersion,
    servers: [{ url: "/", description: "The node that this document comes from." }],
    tags,
    tagOf,
    operationId: (_, { route }) => operationId(route),
    prefix: "",
    operations: ledgerOperations,
    schemas: ledgerSchemas,
    componentNames: publishedNames,
    refusesInText: true,
    security: () => [{ httpAuth: [] }, { apiKeyAuth: [] }],
  });
