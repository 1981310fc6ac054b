import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer, type WebSocket } from "ws";
import { Conversation, type SocketPort } from "../conversation.js";
import type { Service, SocketAdmission } from "../service.js";

/** Handshakes, frames and heartbeats of the ws package. */
export class SocketServer {
  readonly #service: Service;
  readonly #server: WebSocketServer;
  readonly #protocols = new WeakMap<IncomingMessage, string>();
  readonly #open = new Set<WebSocket>();

  constructor(service: Service) {
    this.#service = service;
    this.#server = new WebSocketServer({
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      autoPong: false,
      maxPayload: service.limits.webSocketMessageBytesMax,
    });
    this.#server.on("headers", (headers, request) => {
      const protocol = this.#protocols.get(request);
      if (protocol) headers.push(`Sec-WebSocket-Protocol: ${protocol}`);
    });
  }

  accept(admission: SocketAdmission, request: IncomingMessage, socket: Duplex, first: Buffer): void {
    // The route chose, also what was not offered; ws would answer only what was.
    delete request.headers["sec-websocket-protocol"];
    this.#protocols.set(request, admission.protocol);
    this.#server.handleUpgrade(request, socket, first, (webSocket) => this.#begin(webSocket, socket, admission));
  }

  terminate(): void {
    for (const webSocket of this.#open) webSocket.terminate();
  }

  #begin(webSocket: WebSocket, socket: Duplex, admission: SocketAdmission): void {
    const { limits } = this.#service;
    const port = new NodeSocketPort(webSocket, socket, limits.lingerMs, () => conversation.drained());
    const conversation = new Conversation(this.#service, port, admission.route, admission.context);
    const heartbeat = new Heartbeat(webSocket, limits.webSocketIdleSeconds);
    this.#open.add(webSocket);
    webSocket.on("message", (data: Buffer) => {
      heartbeat.heard();
      if (conversation.arrived()) conversation.message(data);
    });
    webSocket.on("pong", () => {
      heartbeat.heard();
      conversation.arrived();
    });
    webSocket.on("ping", (data) => {
      heartbeat.heard();
      if (!conversation.arrived()) return;
      // A peer that pings and does not read must not fill memory with answers.
      if (webSocket.bufferedAmount < limits.streamBufferedBytesMax) webSocket.pong(data);
    });
    webSocket.on("error", () => {
      conversation.gone(); // a bad frame, the peer's fault: ws says so in a close frame and would wait for its answer
      terminateSoon(webSocket, limits.lingerMs);
    });
    webSocket.on("close", () => {
      heartbeat.stop();
      this.#open.delete(webSocket);
      conversation.gone();
    });
  }
}

/** Ws waits 30 s for the peer's close frame, and gathers a message meanwhile. */
function terminateSoon(webSocket: WebSocket, lingerMs: number): void {
  setTimeout(() => webSocket.terminate(), lingerMs).unref();
}

class NodeSocketPort implements SocketPort {
  readonly #webSocket: WebSocket;
  readonly #socket: Duplex;
  readonly #lingerMs: number;
  readonly #drained: () => void;

  constructor(webSocket: WebSocket, socket: Duplex, lingerMs: number, drained: () => void) {
    this.#webSocket = webSocket;
    this.#socket = socket;
    this.#lingerMs = lingerMs;
    this.#drained = drained;
  }

  buffered(): number {
    return this.#webSocket.bufferedAmount;
  }

  unsent(): number {
    return this.#webSocket.bufferedAmount + writeQueueBytes(this.#socket);
  }

  write(text: string | Uint8Array): boolean {
    if (this.#webSocket.readyState !== this.#webSocket.OPEN) return false;
    const frame = typeof text === "string" ? text : new Uint8Array(text); // ws keeps what it is given until it is sent
    this.#webSocket.send(frame, { binary: false, compress: false }, (error) => {
      if (error === undefined || error === null) this.#drained();
    });
    return true;
  }

  together(work: () => void): void {
    work();
  }

  end(code: number, reason: string): void {
    this.#webSocket.close(code, reason);
    terminateSoon(this.#webSocket, this.#lingerMs);
  }

  terminate(): void {
    this.#webSocket.terminate();
  }
}

/** What the system has not taken of a write that is under way: ws, and the stream below it, count that as a whole until all of it is taken. */
const writeQueueBytes = (socket: Duplex): number =>
  (socket as { readonly _handle?: { readonly writeQueueSize?: number } | null })._handle?.writeQueueSize ?? 0;

/** Finds out about peers that vanished without a word, as uWebSockets.js does by itself. */
class Heartbeat {
  readonly #timer: NodeJS.Timeout;
  #heard = true;

  constructor(webSocket: WebSocket, idleSeconds: number) {
    this.#timer = setInterval(() => {
      // What came while this process was held up is read before anybody is taken for silent.
      if (!this.#heard) return void setImmediate(() => this.#heard || webSocket.terminate());
      webSocket.ping();
      this.#heard = false;
    }, idleSeconds * 500); // twice in the time, so that silence is over within it
  }

  heard(): void {
    this.#heard = true;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
