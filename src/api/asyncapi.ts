/** The AsyncAPI document of the streams' WebSocket ending. */
import { ledgerApiVersion } from "./ledger/index.js";
import { type AnyOperation, operationId, pathOf } from "./operation.js";
import { operations } from "./operations.js";
import type { Schema } from "./published-schemas.js";
import { ledgerSchemas } from "./schemas.js";

export interface AsyncApiDocument {
  readonly asyncapi: string;
  readonly info: Schema;
  readonly channels: Readonly<Record<string, Schema>>;
  readonly components: Readonly<Record<string, Schema>>;
}

export function asyncApiDocument(): AsyncApiDocument {
  const streams = Object.entries<AnyOperation>(operations).filter(([, { kind }]) => kind === "stream");
  const channels = Object.fromEntries(streams.map(([name, stream]) => [pathOf(stream.route), channel(name, stream)]));
  return {
    asyncapi: "2.6.0",
    info: { title: "Ledgerline: JSON Ledger API over WebSockets", version: ledgerApiVersion },
    channels,
    components: {
      schemas: ledgerSchemas.componentsOf([channels]),
      securitySchemes: {
        httpAuth: { type: "http", description: "A JSON web token.", scheme: "bearer" },
        httpApiKeyAuth: { type: "httpApiKey", description: "The token as a subprotocol.", name: "Sec-WebSocket-Protocol", in: "header" },
      },
    },
  };
}

function channel(name: string, stream: AnyOperation): Schema {
  const id = operationId(stream.route).slice("post".length);
  const element = { oneOf: [ledgerSchemas.wire("failure", "reply") ?? {}, ledgerSchemas.wire(name, "reply") ?? {}] };
  return {
    description: stream.summary,
    subscribe: { operationId: `on${id}`, message: { contentType: "application/json", payload: element } },
    publish: { operationId: `send${id}`, message: { contentType: "application/json", payload: ledgerSchemas.wire(name, "body") ?? {} } },
    bindings: { ws: { method: "GET" } },
  };
}
