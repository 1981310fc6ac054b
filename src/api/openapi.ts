/** The OpenAPI document of every declared operation. */
import { ledgerApiVersion } from "./ledger/index.js";
import type { AnyOperation } from "./operation.js";
import { methodOf, operationId, pathOf } from "./operation.js";
import { tagOf, tags } from "./openapi-tags.js";
import { operations } from "./operations.js";
import type { Schema } from "./published-schemas.js";
import { componentsOf, wireSchema } from "./published-schemas.js";
import type { QueryField } from "./query.js";

export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: Schema;
  readonly servers: readonly Schema[];
  readonly tags: readonly Schema[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Schema>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>>; readonly securitySchemes: Schema };
}

export function openApiDocument(): OpenApiDocument {
  const paths: Record<string, Record<string, Schema>> = {};
  for (const [name, operation] of Object.entries<AnyOperation>(operations))
    (paths[pathOf(operation.route)] ??= {})[methodOf(operation.route).toLowerCase()] = operationEntry(name, operation);
  return {
    openapi: "3.0.3",
    info: {
      title: "Ledgerline: JSON Ledger API over HTTP",
      description: "The version is that of the published Ledger API. Lists are WebSockets too: /docs/asyncapi.",
      version: ledgerApiVersion,
      license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
    },
    servers: [{ url: "/", description: "The node that this document comes from." }],
    tags,
    paths,
    components: { schemas: componentsOf([paths]), securitySchemes },
  };
}

function operationEntry(name: string, operation: AnyOperation): Schema {
  return {
    tags: [tagOf(pathOf(operation.route))],
    summary: operation.summary.replace(/\.$/, ""),
    description: operation.summary,
    operationId: operationId(operation.route),
    ...(operation.deprecated ? { deprecated: true } : {}),
    ...parameters(operation),
    ...requestBody(name, operation),
    responses: responses(name, operation),
    security: [{ httpAuth: [] }, { apiKeyAuth: [] }],
  };
}

function parameters(operation: AnyOperation): Schema {
  const inPath = [...pathOf(operation.route).matchAll(/\{([^}]+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: operation.params === undefined ? { type: "string" } : { type: "integer", format: "int64" },
  }));
  const inQuery = Object.entries(operation.query as Readonly<Record<string, QueryField<unknown>>>).map(([name, { required, schema }]) => ({ name, in: "query", required, schema }));
  const all = [...inPath, ...inQuery];
  return all.length === 0 ? {} : { parameters: all };
}

const content = (type: string, schema: Schema): Schema => ({ content: { [type]: { schema } } });
const binary: Schema = { type: "string", format: "binary" };

function requestBody(name: string, operation: AnyOperation): Schema {
  const type = operation.body.contentType;
  if (type === undefined) return {};
  const schema = type === "application/json" ? (wireSchema(name, "body") ?? {}) : binary;
  return { requestBody: { ...content(type, schema), required: true } };
}

function responses(name: string, operation: AnyOperation): Schema {
  const failure = { "application/json": { schema: wireSchema("failure", "reply") ?? {} } }, failureOrText = { "text/plain": { schema: { type: "string" } }, ...failure };
  return {
    200: { description: "", ...success(name, operation) },
    400: { description: "The request is not readable, and the text says where; or it is refused.", content: failureOrText },
    413: { description: "The request, or the list that it asks for, is too large.", content: failureOrText },
    503: { description: "The answer took too long, or the node cannot serve requests now.", content: failureOrText },
    default: { description: "A failure.", content: failure },
  };
}

function success(name: string, operation: AnyOperation): Schema {
  const json = (): Schema => wireSchema(name, "reply") ?? {};
  if (operation.kind === "stream") return content("application/json", { type: "array", items: json() });
  switch (operation.reply.kind) {
    case "json":
      return content("application/json", json());
    case "octets":
      return content("application/octet-stream", binary);
    case "text":
      return content("text/plain", { type: "string" });
    case "nothing":
      return {};
  }
}

export const securitySchemes = {
  apiKeyAuth: { type: "apiKey", description: "The token as a WebSocket subprotocol.", name: "Sec-WebSocket-Protocol", in: "header" },
  httpAuth: { type: "http", description: "A JSON web token.", scheme: "bearer" },
};
