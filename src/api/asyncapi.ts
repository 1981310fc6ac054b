/** The AsyncAPI document of the streams' WebSocket ending. */
import { ledgerApiVersion, ledgerOperations } from "./ledger/index.js";
import { NamedSchemas, titled } from "./named-schemas.js";
import { type AnyOperation, operationId, pathOf } from "./operation.js";
import { publishedStreamNames } from "./published-names.js";
import { componentPrefix, type Schema } from "./published-schemas.js";
import { ledgerSchemas } from "./schemas.js";

type Schemas = Readonly<Record<string, Schema>>;

export interface AsyncApiDocument {
  readonly asyncapi: string;
  readonly info: Schema;
  readonly channels: Schemas;
  readonly components: { readonly schemas: Schemas; readonly messages: Schemas; readonly securitySchemes: Schemas };
}

export function asyncApiDocument(): AsyncApiDocument {
  const streams = Object.entries<AnyOperation>(ledgerOperations).filter(([, { kind }]) => kind === "stream"),
    messages = new Messages();
  const channels = Object.fromEntries(streams.map(([name, stream]) => [pathOf(stream.route), channel(name, stream, messages)]));
  return {
    asyncapi: "2.6.0",
    info: { title: "Ledgerline: JSON Ledger API over WebSockets", version: ledgerApiVersion },
    channels,
    components: {
      ...messages.components(),
      securitySchemes: {
        httpAuth: { type: "http", description: "A JSON web token.", scheme: "bearer" },
        httpApiKeyAuth: { type: "httpApiKey", description: "The token as a subprotocol.", name: "Sec-WebSocket-Protocol", in: "header" },
      },
    },
  };
}

function channel(name: string, stream: AnyOperation, messages: Messages): Schema {
  const id = operationId(stream.route).slice("post".length),
    element = { oneOf: [ledgerSchemas.wire("failure", "reply") ?? {}, ledgerSchemas.wire(name, "reply") ?? {}] };
  return {
    description: stream.summary,
    subscribe: messages.operation(`on${id}`, element),
    publish: messages.operation(`send${id}`, ledgerSchemas.wire(name, "body") ?? {}),
    bindings: { ws: { method: "GET" } },
  };
}

/** Each has the name of its payload. The JSON Schema of AsyncAPI has no word for what may be null beside a type. */
class Messages {
  readonly #names = new NamedSchemas(ledgerSchemas, publishedStreamNames);
  readonly #messages: Record<string, Schema> = {};

  operation(id: string, schema: Schema): Schema {
    const payload = this.#names.withoutNull().at(id, schema),
      name = String(payload["$ref"]).slice(componentPrefix.length);
    this.#messages[name] = { payload, contentType: "application/json" };
    return { operationId: id, message: { $ref: `#/components/messages/${name}` } };
  }

  components(): Pick<AsyncApiDocument["components"], "schemas" | "messages"> {
    return { schemas: titled(this.#names.components()), messages: this.#messages };
  }
}
