import { createServer, type Server, type ServerOptions } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { Service } from "../service.js";

/** Node's own server, by TLS or without. */
export interface HttpServer {
  readonly server: Server;
  /** The event of a connection that speaks HTTP: by TLS another than that of one that arrived. */
  readonly speaking: "connection" | "secureConnection";
  /** A certificate that is exchanged does not matter to it any more. */
  letGo(): void;
}

export function httpServer({ limits, options: { tls } }: Service): HttpServer {
  const options: ServerOptions = {
    maxHeaderSize: limits.headBytesMax,
    headersTimeout: limits.stallMs,
    requestTimeout: 0, // bodies are bounded by their stalls, not by their whole duration
    connectionsCheckingInterval: Math.min(limits.stallMs, 5_000),
    keepAliveTimeout: limits.keepAliveMs,
    noDelay: true,
  };
  if (tls === undefined) return { server: withAllHeaders(createServer(options)), speaking: "connection", letGo: () => undefined };
  const handshake = { requestCert: tls.asksClients, rejectUnauthorized: tls.asksClients, handshakeTimeout: limits.stallMs };
  const server = createSecureServer({ ...options, ...handshake, ...tls.context });
  return { server: withAllHeaders(server), speaking: "secureConnection", letGo: tls.follow((context) => server.setSecureContext(context)) };
}

/** No limit but the head's size: headers over a count would vanish unseen. */
function withAllHeaders<S extends Server>(server: S): S {
  server.maxHeadersCount = 0;
  return server;
}
