import { createServer, type AddressInfo, type Server as Listening, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { createServer as createSecureServer } from "node:tls";
import { CannotListen, type Connections, type TlsIdentity } from "../../http/index.js";
import type { GrpcLimits } from "./limits.js";
import { PacedSocket } from "./paced-socket.js";

export interface ListenerOptions {
  readonly host: string;
  readonly port: number;
  readonly tls: TlsIdentity | undefined;
  readonly connections: Connections;
  readonly limits: GrpcLimits;
  /** A connection on which HTTP/2 may be spoken. */
  readonly take: (connection: Duplex) => void;
  readonly onError: (error: unknown) => void;
}

/** A port of its own, with or without TLS, whose certificate may change while it serves. */
export class Listener {
  readonly #options: ListenerOptions;
  readonly #server: Listening;
  readonly #arrived = new Set<Socket>();
  #letGo: () => void = () => undefined;

  constructor(options: ListenerOptions) {
    this.#options = options;
    const { tls, limits } = options,
      take = (socket: Socket): void => options.take(new PacedSocket(socket, limits));
    if (tls === undefined) this.#server = createServer({ noDelay: true }, take);
    else {
      const handshake = { requestCert: tls.asksClients, rejectUnauthorized: tls.asksClients, handshakeTimeout: limits.stallMs };
      const server = createSecureServer({ noDelay: true, ALPNProtocols: ["h2"], ...handshake, ...tls.context }, take);
      this.#letGo = tls.follow((context) => server.setSecureContext(context));
      this.#server = server;
    }
    this.#server.prependListener("connection", (socket: Socket) => this.#arrives(socket));
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  listen(): Promise<void> {
    const { host, port, onError } = this.#options;
    return new Promise((resolve, reject) => {
      const fail = (error: Error): void => {
        this.#letGo();
        reject(new CannotListen(host, port, error));
      };
      this.#server.once("error", fail);
      this.#server.listen(port, host, () => {
        this.#server.off("error", fail);
        this.#server.on("error", onError);
        resolve();
      });
    });
  }

  /** Takes no connections any more; resolves once none is open. */
  close(): Promise<void> {
    this.#letGo();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  destroyAll(): void {
    for (const socket of this.#arrived) socket.destroy();
  }

  #arrives(socket: Socket): void {
    const { connections } = this.#options;
    this.#arrived.add(socket);
    socket.on("error", () => undefined); // it closes then, which is what matters
    socket.once("close", () => {
      this.#arrived.delete(socket);
      connections.leave();
    });
    if (!connections.enter()) socket.destroy();
  }
}
