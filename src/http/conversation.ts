import type { BodyBudget } from "./body-budget.js";
import { ClientGone, isDeparture } from "./departure.js";
import type { InFlight } from "./in-flight.js";
import { TurnShare, type Intake } from "./intake.js";
import { KeptMessage } from "./kept-message.js";
import type { RawSocket, TransportLimits, WebSocketRoute } from "./route.js";

/** What a conversation needs of the adapter's socket. The adapter calls `drained` whenever unsent bytes left. */
export interface SocketPort {
  /** Unsent bytes. */
  buffered(): number;
  /** Changes whenever the peer takes something. */
  unsent(): number;
  /** Takes the frame whole, copying it; false if the socket is broken. */
  write(text: string | Uint8Array): boolean;
  /** Runs `work`, which only writes: what it writes goes to the connection together. */
  together(work: () => void): void;
  /** The close frame, then the end of the connection. */
  end(code: number, reason: string): void;
  /** Ends the connection at once. */
  terminate(): void;
}

/** What a shutdown asks of a conversation. */
export interface Ending extends Pick<RawSocket, "close"> {
  /** Ends it where it has not begun. */
  drain(): void;
}

/** What conversations share. */
export interface ConversationHost {
  readonly limits: TransportLimits;
  readonly budget: BodyBudget;
  readonly intake: Intake;
  readonly inFlight: InFlight;
  /** Those that are open. */
  readonly conversations: Set<Ending>;
  readonly draining: boolean;
  onError(error: unknown): void;
}

interface Waiting {
  readonly text: string | Uint8Array | undefined; // undefined: written already, waits for room
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** One WebSocket from its handshake to its close: one message in, frames out, at the reader's pace. */
export class Conversation implements RawSocket, Ending {
  readonly #service: ConversationHost;
  readonly #port: SocketPort;
  readonly #route: WebSocketRoute;
  readonly #context: unknown;
  readonly #abort = new AbortController();
  readonly #waiting: Waiting[] = [];
  readonly #greeted: Promise<void>;
  readonly #frames: TurnShare;
  #firstMessage: NodeJS.Timeout | undefined;
  #opened = false;
  #stall: NodeJS.Timeout | undefined;
  /** The peer took something since it was looked for last. */
  #tookSome = false;
  #ending: { readonly code: number; readonly reason: string } | undefined;
  #ended = false;
  #closed = false;

  constructor(service: ConversationHost, port: SocketPort, route: WebSocketRoute, context: unknown) {
    this.#service = service;
    this.#port = port;
    this.#route = route;
    this.#context = context;
    this.#frames = new TurnShare(service.intake, service.limits.webSocketFramesPerTurnMax);
    service.conversations.add(this);
    service.inFlight.enter();
    const tooLate = (): void => this.close(1008, "no whole message came in time, or its frames are not masked");
    this.#firstMessage = setTimeout(tooLate, service.limits.webSocketFirstMessageMs);
    this.#greeted = this.#greet();
    if (service.draining) this.drain();
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get closed(): boolean {
    return this.#closed;
  }

  send(text: string | Uint8Array): Promise<void> {
    if (this.#closed || this.#ending !== undefined) return Promise.reject(socketClosed());
    if (this.#waiting.length > 0) return this.#wait(text);
    if (!this.#write(text)) return Promise.reject(socketClosed());
    return this.#hasRoom() ? Promise.resolve() : this.#wait(undefined);
  }

  async sendAll(frames: readonly Uint8Array[]): Promise<void> {
    for (let next = 0, isTaken = true; next < frames.length;) {
      if (this.#waiting.length > 0) await this.#wait(undefined);
      if (this.#closed || this.#ending !== undefined) throw socketClosed();
      this.#port.together(() => {
        while (isTaken && next < frames.length && this.#hasRoom()) isTaken = this.#port.write(frames[next++]!);
      });
      if (!isTaken) throw this.#broken();
      if (!this.#hasRoom()) await this.#wait(undefined);
    }
  }

  /** Peers see one frame more; close codes carry nothing. */
  async fail(error: string): Promise<void> {
    await this.send(error);
    this.close(1000, "");
  }

  /** The close frame follows what was queued, once the peer has taken all of it. */
  close(code: number, reason: string): void {
    if (this.#closed || this.#ending !== undefined) return;
    clearTimeout(this.#firstMessage);
    this.#ending = { code, reason };
    this.#abort.abort(socketClosed());
    this.#advance();
    if (!this.#ended && !this.#closed) this.#watch();
  }

  /** A message came, or a ping or a pong. False if they are too many for a turn: then the connection ends, as nothing else stops them. */
  arrived(): boolean {
    if (this.#closed) return false;
    if (this.#frames.takes()) return true;
    this.#port.terminate();
    return false;
  }

  /** The first whole message starts the route; it is copied. */
  message(received: Uint8Array): void {
    if (this.#opened || this.#ending !== undefined) return;
    this.#opened = true;
    clearTimeout(this.#firstMessage);
    void this.#converse(KeptMessage.copy(received, this.#service.budget));
  }

  drained(): void {
    this.#tookSome = true;
    this.#advance();
  }

  /** The connection is gone, whoever ended it. */
  gone(): void {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#firstMessage);
    clearTimeout(this.#stall);
    this.#abort.abort(socketClosed());
    for (const { reject } of this.#waiting.splice(0)) reject(socketClosed());
    this.#service.conversations.delete(this);
    this.#service.inFlight.leave();
  }

  drain(): void {
    if (!this.#opened) this.close(1001, "going away");
  }

  async #greet(): Promise<void> {
    try {
      await this.#route.greet?.(this, this.#context);
    } catch (error) {
      this.#failed(error);
    }
  }

  async #converse(message: KeptMessage | undefined): Promise<void> {
    await this.#greeted;
    if (this.#ending !== undefined || this.#closed) return message?.free();
    this.#service.inFlight.enter(); // apart from the connection, as a route may work on after that is gone: a shutdown waits for both
    try {
      if (message === undefined) {
        await this.#route.noRoom?.(this, this.#context);
        this.close(1013, "try again later");
      } else {
        await this.#route.open(this, this.#context, message);
        this.close(1000, "");
      }
    } catch (error) {
      this.#failed(error);
    } finally {
      message?.free();
      this.#service.inFlight.leave();
    }
  }

  #failed(error: unknown): void {
    if (!this.#abort.signal.aborted || !isDeparture(error)) this.#service.onError(error);
    this.close(1011, "internal error");
  }

  #wait(text: string | Uint8Array | undefined): Promise<void> {
    this.#watch();
    return new Promise((resolve, reject) => this.#waiting.push({ text, resolve, reject }));
  }

  /** As long as something waits for the peer. */
  #watch(): void {
    if (this.#stall !== undefined) return;
    const before = this.#port.unsent();
    this.#tookSome = false;
    this.#stall = setTimeout(() => {
      this.#stall = undefined;
      if (this.#waiting.length === 0 && (this.#ending === undefined || this.#ended)) return;
      if (this.#tookSome || this.#port.unsent() !== before) this.#watch();
      else this.#port.terminate();
    }, this.#service.limits.webSocketStallMs);
  }

  /** Writes what waits while there is room, in order; then the close, if one is due. */
  #advance(): void {
    while (!this.#closed && this.#waiting.length > 0 && this.#hasRoom()) {
      const next = this.#waiting[0] as Waiting;
      if (next.text !== undefined && !this.#write(next.text)) return;
      this.#waiting.shift();
      if (this.#hasRoom()) next.resolve();
      else this.#waiting.unshift({ ...next, text: undefined });
    }
    this.#endWhenEmpty();
  }

  #endWhenEmpty(): void {
    if (this.#ending === undefined || this.#closed || this.#ended) return;
    if (this.#waiting.length > 0 || this.#port.buffered() > 0) return;
    this.#ended = true;
    this.#port.end(this.#ending.code, this.#ending.reason);
  }

  #hasRoom(): boolean {
    return this.#port.buffered() < this.#service.limits.streamBufferedBytesMax;
  }

  /** A frame the socket would not take leaves a hole in the stream: the socket cannot go on. */
  #write(text: string | Uint8Array): boolean {
    if (this.#port.write(text)) return true;
    this.#broken();
    return false;
  }
  #broken(): ClientGone {
    const error = socketClosed();
    this.#abort.abort(error);
    this.#port.terminate();
    return error;
  }
}

const socketClosed = (): ClientGone => new ClientGone("the WebSocket is closed");
