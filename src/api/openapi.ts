/** The OpenAPI document of an API's declared operations. */
import { type AnyOperation, methodOf, pathOf, type Reply } from "./operation.js";
import { NamedSchemas, titled } from "./named-schemas.js";
import type { PublishedSchemas, Schema } from "./published-schemas.js";
import type { QueryField } from "./query.js";

export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: Schema;
  readonly servers: readonly Schema[];
  readonly tags: readonly Schema[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Schema>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>>; readonly securitySchemes: Schema };
}

/** What a document says of its API beside its operations. */
export interface DocumentedApi {
  readonly title: string;
  readonly description: string;
  readonly version: string;
  readonly servers: readonly Schema[];
  readonly tags: readonly Schema[];
  readonly tagOf: (path: string) => string;
  readonly operationId: (name: string, operation: AnyOperation) => string;
  /** Stands before each path. */
  readonly prefix: string;
  readonly operations: Readonly<Record<string, AnyOperation>>;
  readonly schemas: PublishedSchemas;
  /** Of components, where they are not those of the types; by place. */
  readonly componentNames?: Readonly<Record<string, string>>;
  /** What cannot be read is refused in plain text; otherwise as everything is that is refused. */
  readonly refusesInText?: true;
  /** How callers say who they are, where an operation asks. */
  readonly security: (operation: AnyOperation) => readonly Schema[];
}

export function openApiOf(api: DocumentedApi): OpenApiDocument {
  const paths: Record<string, Record<string, Schema>> = {},
    names = new NamedSchemas(api.schemas, api.componentNames ?? {}),
    sides = { reply: names, body: names.withoutNull() };
  const wireOf = (name: string, operation: AnyOperation, part: "body" | "reply"): Schema =>
    sides[part].at(`${api.operationId(name, operation)}<${part}>`, api.schemas.wire(name, part) ?? {});
  // What is sent comes first: where answers hold it, too, it is said as it is sent.
  for (const [name, operation] of Object.entries(api.operations)) wireOf(name, operation, "body");
  for (const [name, operation] of Object.entries(api.operations)) {
    const id = api.operationId(name, operation),
      wire: WireSchema = (part) => wireOf(name, operation, part),
      failure = names.at("", api.schemas.wire("failure", "reply") ?? {});
    (paths[api.prefix + pathOf(operation.route)] ??= {})[methodOf(operation.route).toLowerCase()] = {
      tags: [api.tagOf(pathOf(operation.route))],
      summary: operation.summary.replace(/\.$/, ""),
      description: operation.summary,
      operationId: id,
      ...(operation.deprecated ? { deprecated: true } : {}),
      ...parameters(operation),
      ...requestBody(operation, wire),
      responses: responses(operation, wire, { failure, ...api }),
      security: api.security(operation),
    };
  }
  return {
    openapi: "3.0.3",
    info: {
      title: api.title,
      description: api.description,
      version: api.version,
      license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
    },
    servers: api.servers,
    tags: api.tags,
    paths,
    components: { schemas: api.componentNames === undefined ? names.components() : titled(names.components()), securitySchemes },
  };
}

/** Of an operation; anything where there is none. */
type WireSchema = (part: "body" | "reply") => Schema;

function parameters(operation: AnyOperation): Schema {
  const inPath = [...pathOf(operation.route).matchAll(/\{([^}]+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: operation.params === undefined ? { type: "string" } : { type: "integer", format: "int64" },
  }));
  const inQuery = Object.entries(operation.query as Readonly<Record<string, QueryField<unknown>>>)
    .filter(([, { unpublished }]) => unpublished !== true)
    .map(([name, { required, schema }]) => ({ name, in: "query", required, schema }));
  const all = [...inPath, ...inQuery];
  return all.length === 0 ? {} : { parameters: all };
}

const content = (type: string, schema: Schema): Schema => ({ content: { [type]: { schema } } });
const binary: Schema = { type: "string", format: "binary" };

function requestBody(operation: AnyOperation, wire: WireSchema): Schema {
  const { contentType: type, isOptional = false } = operation.body;
  if (type === undefined) return {};
  const schema = type === "application/json" ? wire("body") : binary;
  return { requestBody: { ...content(type, schema), required: !isOptional } };
}

/** 413 and 503 are failures, as published: named beside them, Go and Rust would read the first of their types only, a text. */
function responses(operation: AnyOperation, wire: WireSchema, { failure, refusesInText }: Refusals): Schema {
  const content = { "application/json": { schema: failure } },
    failureOrText = { "text/plain": { schema: { type: "string" } }, ...content };
  return {
    [isCreation(operation) ? 201 : 200]: { description: "", ...success(operation, wire) },
    400: refusesInText
      ? { description: "The request is not readable, and the text says where; or it is refused.", content: failureOrText }
      : { description: "The request is not readable, or it is refused.", content },
    default: { description: "A failure.", content },
  };
}

const isCreation = (operation: AnyOperation): boolean => operation.kind !== "stream" && operation.reply.kind === "created";

interface Refusals extends Pick<DocumentedApi, "refusesInText"> {
  readonly failure: Schema;
}

function success(operation: AnyOperation, wire: WireSchema): Schema {
  if (operation.kind === "stream") return content("application/json", { type: "array", items: wire("reply") });
  switch (operation.reply.kind) {
    case "json":
      return content("application/json", wire("reply"));
    case "octets":
      return { ...headersOf(operation.reply), ...content("application/octet-stream", binary) };
    case "text":
      return content("text/plain", { type: "string" });
    case "nothing":
    case "created":
      return {};
  }
}

const headersOf = ({ headers = [] }: Reply<unknown, unknown>): Schema => ({
  headers: Object.fromEntries(headers.map((name) => [name, { required: true, schema: { type: "string" } }])),
});

const securitySchemes = {
  apiKeyAuth: { type: "apiKey", description: "The token as a WebSocket subprotocol.", name: "Sec-WebSocket-Protocol", in: "header" },
  httpAuth: { type: "http", description: "A JSON web token.", scheme: "bearer" },
};
