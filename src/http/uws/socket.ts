import { Conversation, type SocketPort } from "../conversation.js";
import type { WebSocketRoute } from "../route.js";
import type { Served } from "./served.js";
import { sendDropped, type UwsBehavior, type UwsBinding, type UwsWebSocket } from "./binding.js";

/** What the handshake leaves for the socket. */
export interface SocketData {
  readonly route: WebSocketRoute;
  readonly context: unknown;
  conversation: Conversation | undefined;
}

export function webSocketBehavior(
  served: Served,
  binding: UwsBinding,
  upgrade: UwsBehavior<SocketData>["upgrade"],
): UwsBehavior<SocketData> {
  const { limits } = served.service;
  return {
    compression: binding.DISABLED,
    maxPayloadLength: limits.webSocketMessageBytesMax,
    // Never reached: a conversation writes only below its mark. A frame over it would be dropped.
    maxBackpressure: 2 * limits.streamBufferedBytesMax,
    idleTimeout: limits.webSocketIdleSeconds,
    sendPingsAutomatically: true,
    upgrade,
    open(socket) {
      const data = socket.getUserData();
      data.conversation = new Conversation(served.service, new UwsSocketPort(socket), data.route, data.context);
    },
    message(socket, message) {
      const conversation = conversationOf(socket);
      if (conversation?.arrived() === true) conversation.message(new Uint8Array(message));
    },
    ping: arrived,
    pong: arrived,
    drain(socket) {
      // Not from in here: after this callback the native code stops waiting for room unless a write of its ordinary kind
      // failed meanwhile, and a frame of 16 KiB or more goes another way. Its unsent rest would wait for ever.
      const conversation = conversationOf(socket);
      setImmediate(() => conversation?.drained());
    },
    close(socket) {
      served.service.connections.leave();
      conversationOf(socket)?.gone();
    },
  };
}

const conversationOf = (socket: UwsWebSocket<SocketData>): Conversation | undefined => socket.getUserData().conversation;

const arrived = (socket: UwsWebSocket<SocketData>): void => void conversationOf(socket)?.arrived();

/** Its conversation never calls it after `gone`. */
class UwsSocketPort implements SocketPort {
  readonly #socket: UwsWebSocket<SocketData>;

  constructor(socket: UwsWebSocket<SocketData>) {
    this.#socket = socket;
  }

  buffered(): number {
    return this.#socket.getBufferedAmount();
  }

  unsent(): number {
    return this.#socket.getBufferedAmount();
  }

  write(text: string | Uint8Array): boolean {
    return this.#socket.send(text, false, false) !== sendDropped;
  }

  together(work: () => void): void {
    this.#socket.cork(work);
  }

  end(code: number, reason: string): void {
    this.#socket.end(code, reason);
  }

  terminate(): void {
    this.#socket.close();
  }
}
