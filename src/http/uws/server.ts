import type { BodyBudget } from "../body-budget.js";
import type { Service } from "../service.js";
import { HeaderCollector, type Head } from "../head.js";
import { CannotListen, listenFailure } from "../listen-failure.js";
import type { Transport } from "../route.js";
import { plainReply } from "../reply.js";
import type { UwsApp, UwsBinding, UwsListenSocket, UwsRequest, UwsResponse, UwsSocketContext } from "./binding.js";
import { UwsExchange } from "./response.js";
import { Served } from "./served.js";
import { webSocketBehavior, type SocketData } from "./socket.js";

/** The transport on uWebSockets.js. */
export async function startUws(service: Service, binding: UwsBinding): Promise<Transport> {
  binding._cfg("silent");
  const app = binding.App(),
    served = new Served(service);
  const upgrade = (response: UwsResponse, request: UwsRequest, context: UwsSocketContext): void =>
    serve(served.service, response, request, context);
  app.filter((response, change) => {
    const { connections } = served.service;
    if (change < 0) connections.leave();
    else if (!connections.enter()) response.close(); // which calls this once more
  });
  app.ws<SocketData>("/*", webSocketBehavior(served, binding, upgrade));
  app.any("/*", (response, request) => serve(served.service, response, request, undefined));
  const { port, otherPorts = [] } = service.options,
    sockets: UwsListenSocket[] = [];
  for (const each of [port, ...otherPorts]) sockets.push(await listen(app, binding, service, each));
  return new UwsTransport(served, binding, app, sockets);
}

/** `request` is copied first: it does not outlive this call. */
function serve(service: Service, response: UwsResponse, request: UwsRequest, context: UwsSocketContext | undefined): void {
  const collector = new HeaderCollector();
  request.forEach((name, value) => collector.add(name, value));
  const head: Head = {
    method: request.getCaseSensitiveMethod(),
    path: request.getUrl(),
    query: request.getQuery() ?? "",
    headers: collector.headers,
  };
  const exchange = new UwsExchange(service, response, head);
  const fault = collector.fault;
  if (fault !== undefined) {
    exchange.refuse(fault);
    return;
  }
  try {
    const admission = service.admit(head);
    if (admission.kind === "route") exchange.run(admission.route, admission.params);
    else if (admission.kind === "reply") exchange.decline(admission.reply);
    else if (context === undefined) exchange.answer(plainReply(400, "Malformed WebSocket handshake."));
    else if (admission.kind === "undecided") exchange.wait(admission.decided, context);
    else exchange.upgrade(admission, context);
  } catch (error) {
    exchange.failed(error); // the native code would end the process
  }
}

function listen(app: UwsApp, binding: UwsBinding, service: Service, port: number): Promise<UwsListenSocket> {
  const { host } = service.options;
  return new Promise((resolve, reject) => {
    app.listen(host, port, binding.LIBUS_LISTEN_EXCLUSIVE_PORT, (socket) => {
      if (socket !== false) return resolve(socket);
      app.close();
      void listenFailure(host, port).then((error) => reject(new CannotListen(host, port, error)));
    });
  });
}

class UwsTransport implements Transport {
  readonly kind = "uws";
  readonly port: number;
  readonly #served: Served;
  readonly #budget: BodyBudget;
  readonly #binding: UwsBinding;
  readonly #app: UwsApp;
  readonly #sockets: readonly UwsListenSocket[];
  #closing: Promise<boolean> | undefined;

  constructor(served: Served, binding: UwsBinding, app: UwsApp, sockets: readonly UwsListenSocket[]) {
    this.#served = served;
    this.#budget = served.service.budget;
    this.#binding = binding;
    this.#app = app;
    this.#sockets = sockets;
    this.port = binding.us_socket_local_port(sockets[0]!);
  }

  get bodiesBytes(): number {
    return this.#budget.held;
  }

  close(drainMs: number): Promise<boolean> {
    return (this.#closing ??= this.#close(drainMs));
  }

  async #close(drainMs: number): Promise<boolean> {
    for (const socket of this.#sockets) this.#binding.us_listen_socket_close(socket);
    const drained = await this.#served.service.shutDown(drainMs);
    this.#app.close();
    this.#served.letGo();
    return drained;
  }
}
