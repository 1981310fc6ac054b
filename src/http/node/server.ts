import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer as createSocketServer, type AddressInfo, type Server as SocketListener, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { HeaderCollector, type Head } from "../head.js";
import { CannotListen } from "../listen-failure.js";
import { plainReply } from "../reply.js";
import type { RawReply, Transport } from "../route.js";
import type { Decided, Service } from "../service.js";
import { NodeExchange } from "./exchange.js";
import { httpServer, type HttpServer } from "./http-server.js";
import { replay } from "./replay.js";
import { SocketServer } from "./socket.js";

/** The transport on node:http and ws, for platforms without a uWebSockets.js binding. */
export async function startNode(service: Service): Promise<Transport> {
  const transport = new NodeTransport(service);
  try {
    await transport.listen();
  } catch (error) {
    await transport.close(0);
    throw error;
  }
  return transport;
}

class NodeTransport implements Transport {
  readonly kind = "node";
  readonly #service: Service;
  readonly #http: HttpServer;
  readonly #sockets: SocketServer;
  /** Of the other ports; what connects there is handed to the server. */
  readonly #others: SocketListener[] = [];
  /** Connections that were refused: what follows on them is not served. */
  readonly #refused = new WeakSet<Duplex>();
  /** Handshakes that were decided against, answered when they come again as plain requests. */
  readonly #rejected = new WeakMap<Duplex, RawReply>();
  readonly #underWay = new WeakMap<Duplex, Set<NodeExchange>>();
  /** Those that arrived, whether they speak HTTP yet or not. */
  readonly #arrived = new Set<Duplex>();
  #closing: Promise<boolean> | undefined;

  constructor(service: Service) {
    this.#service = service;
    this.#http = httpServer(service);
    this.#sockets = new SocketServer(service);
    const { server, speaking } = this.#http;
    server.on("connection", (socket: Duplex) => this.#arrives(socket));
    server.on(speaking, (socket: Duplex) => this.#speaks(socket));
    server.on("request", (request, response) => this.#serve(request, response, false));
    server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) => this.#serve(request, response, true));
    server.on("upgrade", (request, socket, first) => this.#upgrade(request, socket, first));
  }

  get port(): number {
    return (this.#http.server.address() as AddressInfo).port;
  }

  get bodiesBytes(): number {
    return this.#service.budget.held;
  }

  async listen(): Promise<void> {
    const { port, otherPorts = [] } = this.#service.options;
    await this.#listen(this.#http.server, port);
    for (const other of otherPorts) {
      const listener = createSocketServer({ noDelay: true }, (socket) => this.#http.server.emit("connection", socket));
      await this.#listen(listener, other);
      this.#others.push(listener);
    }
  }

  #listen(server: SocketListener, port: number): Promise<void> {
    const { host } = this.#service.options;
    return new Promise((resolve, reject) => {
      const fail = (error: Error): void => reject(new CannotListen(host, port, error));
      server.once("error", fail);
      server.listen(port, host, () => {
        server.off("error", fail);
        server.on("error", this.#service.onError);
        resolve();
      });
    });
  }

  close(drainMs: number): Promise<boolean> {
    return (this.#closing ??= this.#close(drainMs));
  }

  async #close(drainMs: number): Promise<boolean> {
    const closed = Promise.all([this.#http.server, ...this.#others].map((server) => new Promise((resolve) => server.close(resolve))));
    const drained = await this.#service.shutDown(drainMs);
    this.#sockets.terminate();
    this.#http.server.closeAllConnections();
    for (const socket of this.#arrived) socket.destroy(); // those that do not speak HTTP yet
    this.#http.letGo();
    await closed;
    return drained;
  }

  /** Also where a connection is replayed, which is known by then. */
  #arrives(socket: Duplex): void {
    if (this.#arrived.has(socket)) return;
    this.#arrived.add(socket);
    const { connections } = this.#service;
    socket.once("close", () => {
      this.#arrived.delete(socket);
      connections.leave();
    });
    if (!connections.enter()) socket.destroy();
  }

  /** Also where a connection is replayed, which speaks by then. */
  #speaks(socket: Duplex): void {
    if (this.#underWay.has(socket)) return;
    const exchanges = new Set<NodeExchange>();
    this.#underWay.set(socket, exchanges);
    socket.once("close", () => exchanges.forEach((exchange) => exchange.close()));
  }

  #serve(request: IncomingMessage, response: ServerResponse, awaitsContinue: boolean): void {
    if (this.#refused.has(request.socket)) return;
    const { head, fault } = headOf(request);
    const exchange = new NodeExchange(this.#service, request, response, head, awaitsContinue);
    const underWay = this.#underWay.get(request.socket);
    underWay?.add(exchange);
    response.on("close", () => underWay?.delete(exchange));
    const rejected = this.#rejected.get(request.socket);
    if (fault !== undefined || rejected !== undefined) {
      this.#refused.add(request.socket);
      exchange.answerAndClose(rejected ?? plainReply(400, fault ?? ""));
      return;
    }
    try {
      const admission = this.#service.admit(head);
      if (admission.kind === "route") exchange.run(admission.route, admission.params);
      else if (admission.kind === "reply") exchange.decline(admission.reply);
      else exchange.answerAndClose(plainReply(400, "Malformed WebSocket handshake."));
    } catch (error) {
      exchange.failed(error);
    }
  }

  /** Every request that names another protocol comes here, a plain POST that offers HTTP/2 included. */
  #upgrade(request: IncomingMessage, socket: Duplex, first: Buffer): void {
    const { head, fault } = headOf(request);
    if (fault === undefined && this.#service.servesSocket(head)) {
      const admission = this.#service.admit(head);
      if (admission.kind === "undecided") return this.#wait(admission.decided, request, socket, first);
      if (admission.kind !== "route") return this.#settle(admission, request, socket, first);
    }
    replay(this.#http, request, socket as Socket, first);
  }

  /** Nobody else listens to the connection meanwhile: an error of it would end the process. */
  #wait(decided: Promise<Decided>, request: IncomingMessage, socket: Duplex, first: Buffer): void {
    const gone = (): void => void socket.destroy();
    socket.on("error", gone);
    void decided.then((admission) => {
      socket.off("error", gone);
      if (!socket.destroyed) this.#settle(admission, request, socket, first);
    });
  }

  #settle(admission: Decided, request: IncomingMessage, socket: Duplex, first: Buffer): void {
    if (admission.kind === "socket") return this.#sockets.accept(admission, request, socket, first);
    this.#rejected.set(socket, admission.reply);
    replay(this.#http, request, socket as Socket, first);
  }
}

function headOf(request: IncomingMessage): { readonly head: Head; readonly fault: string | undefined } {
  const collector = new HeaderCollector();
  const { rawHeaders, url = "" } = request;
  for (let at = 0; at < rawHeaders.length; at += 2) collector.add((rawHeaders[at] ?? "").toLowerCase(), rawHeaders[at + 1] ?? "");
  const mark = url.indexOf("?");
  const head: Head = {
    method: request.method ?? "",
    path: mark < 0 ? url : url.slice(0, mark),
    query: mark < 0 ? "" : url.slice(mark + 1),
    headers: collector.headers,
  };
  return { head, fault: collector.fault ?? faultOfTarget(request) };
}

/** What llhttp lets through: absolute targets and protocol versions that are not ours. */
function faultOfTarget({ url = "", httpVersionMajor }: IncomingMessage): string | undefined {
  if (httpVersionMajor !== 1) return "Only HTTP/1 is served.";
  return url.startsWith("/") ? undefined : "The request target is not a path.";
}
