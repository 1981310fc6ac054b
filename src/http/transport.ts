import { assert } from "../base/assert.js";
import type { Transport, TransportOptions } from "./route.js";
import { Service } from "./service.js";
import { loadBinding } from "./uws/binding.js";
import { startUws } from "./uws/server.js";

export type TransportChoice = "auto" | "uws" | "node";

/** `auto`: uWebSockets.js where its binding loads and TLS is not asked for, else node:http with ws. */
export async function startTransport(options: TransportOptions & { readonly transport: TransportChoice }): Promise<Transport> {
  const service = new Service(options);
  // Ws is loaded only where it is used.
  const startNode = async (): Promise<Transport> => (await import("./node/server.js")).startNode(service);
  if (options.transport === "node" || (options.transport === "auto" && options.tls !== undefined)) return startNode();
  assert(options.tls === undefined, "TLS is served by node:http");
  const binding = loadBinding();
  if (binding.error === undefined) return startUws(service, binding.ok);
  if (options.transport === "auto") return startNode();
  throw new Error(`uWebSockets.js does not load here (Node ${process.version}, ${process.platform} ${process.arch}): ${binding.error}`);
}
