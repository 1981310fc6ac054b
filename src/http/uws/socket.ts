import { Conversation, type SocketPort } from "../conversation.js";
import type { WebSocketRoute } from "../route.js";
import type { Served } from "./served.js";
import { sendDropped, type UwsBehavior, type UwsBinding, type UwsWebSocket } from "./binding.js";

/** What the handshake leaves for the socket. */
export interface SocketData {
  readonly route: WebSocketRoute;
  readonly context: unknown;
  /** Whether the handshake was decided behind the call that brought it, and so is answered corked. */
  readonly isLate: boolean;
  conversation: Conversation | undefined;
  isClosed: boolean;
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
      const begin = (): void => {
        if (!data.isClosed) data.conversation = new Conversation(served.service, new UwsSocketPort(socket), data.route, data.context);
      };
      // Behind what is corked this version looks for a response's state where the WebSocket has none, in memory that was let go, and closes
      // by what it finds (uWebSockets #1929): until then nothing is done that may take that memory.
      if (data.isLate) queueMicrotask(begin);
      else begin();
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
      const data = socket.getUserData();
      data.isClosed = true;
      served.service.connections.leave();
      data.conversation?.gone();
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
