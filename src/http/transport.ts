import type { Transport, TransportOptions } from "./route.js";
import { Service } from "./service.js";
import { startNode } from "./node/server.js";
import { loadBinding } from "./uws/binding.js";
import { startUws } from "./uws/server.js";

export type TransportChoice = "auto" | "uws" | "node";

/** `auto`: uWebSockets.js where its binding loads, else node:http with ws. */
export async function startTransport(options: TransportOptions & { readonly transport: TransportChoice }): Promise<Transport> {
  const service = new Service(options);
  if (options.transport === "node") return startNode(service);
  const binding = loadBinding();
  if (binding.error === undefined) return startUws(service, binding.ok);
  if (options.transport === "auto") return startNode(service);
  throw new Error(`uWebSockets.js does not load here (Node ${process.version}, ${process.platform} ${process.arch}): ${binding.error}`);
}
