/** Routes and WebSockets as they are served to a caller in this process: what a transport does for each request, without a connection. */
import { assert } from "../base/assert.js";
import type { Turns } from "../base/turns.js";
import { ClientGone, isDeparture } from "./departure.js";
import { Exchange, type ExchangePort } from "./exchange.js";
import type { Head } from "./head.js";
import { KeptMessage } from "./kept-message.js";
import { isWhole, plainReply, type CheckedReply } from "./reply.js";
import type { RawReply, RawSocket, TransportOptions } from "./route.js";
import { Service, type SocketAdmission } from "./service.js";

export type InProcessOptions = Omit<TransportOptions, "host" | "port" | "otherPorts" | "tls" | "connections">;

/** Its bytes are the caller's. */
export interface WholeReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** How a conversation ended. */
type Conversed =
  /** It never began. */
  | { readonly rejected: WholeReply }
  /** The last frame tells an error. */
  | { readonly failure: string }
  /** The code of the close frame; undefined: the caller left. */
  | { readonly code: number | undefined };

/** Takes one frame; the next comes once it resolved. The bytes may be used again then. */
export type TakeFrame = (frame: string | Uint8Array) => Promise<void>;

/** What asks for a WebSocket; the key is any. */
const handshake: readonly (readonly [string, string])[] = [
  ["upgrade", "websocket"],
  ["connection", "Upgrade"],
  ["sec-websocket-version", "13"],
  ["sec-websocket-key", "AAAAAAAAAAAAAAAAAAAAAA=="],
];

export class InProcess {
  readonly #service: Service;
  readonly #turns: Turns;

  constructor(options: InProcessOptions) {
    this.#service = new Service({ ...options, host: "", port: 0 });
    this.#turns = options.turns;
  }

  /** What a request of that head is answered before any of its body is taken; undefined: it may come. */
  async judge(head: Head): Promise<WholeReply | undefined> {
    const admission = this.#service.admit(head);
    assert(admission.kind !== "socket" && admission.kind !== "undecided", "no WebSocket was asked for");
    if (admission.kind === "reply") return wholeOf(admission.reply);
    const decision = await admission.route.admit?.(head);
    return decision !== undefined && "reply" in decision ? wholeOf(decision.reply) : undefined;
  }

  /** `head` tells the length of the body, if there is one. Undefined: the caller left before he was answered. */
  ask(head: Head, body: Uint8Array | undefined, signal: AbortSignal): Promise<WholeReply | undefined> {
    if (signal.aborted) return Promise.resolve(undefined);
    return new Promise((resolve) => new InProcessExchange(this.#service, { head, body, signal, settle: resolve }).begin());
  }

  /** Opens a WebSocket with its first message. Rejects with what `take` did, after the conversation. */
  async converse(head: Head, message: Uint8Array, signal: AbortSignal, take: TakeFrame): Promise<Conversed> {
    const asking = { ...head, headers: new Map([...head.headers, ...handshake]) };
    const admission = this.#service.admit(asking),
      decided = admission.kind === "undecided" ? await admission.decided : admission;
    assert(decided.kind !== "route", `${head.path} has no WebSocket`);
    if (decided.kind === "reply") return { rejected: wholeOf(decided.reply) };
    if (signal.aborted) return { code: undefined };
    const socket = new InProcessSocket(take, this.#turns),
      leave = (): void => socket.leave();
    signal.addEventListener("abort", leave, { once: true });
    const { conversations, inFlight } = this.#service;
    conversations.add(socket);
    inFlight.enter();
    try {
      await this.#converse(socket, decided, message);
    } finally {
      inFlight.leave();
      conversations.delete(socket);
      signal.removeEventListener("abort", leave);
    }
    return socket.ending();
  }

  /** Lets what runs finish, refuses new WebSockets, and ends those that are left. False if something still ran. */
  close(drainMs: number): Promise<boolean> {
    return this.#service.shutDown(drainMs);
  }

  async #converse(socket: InProcessSocket, { route, context }: SocketAdmission, message: Uint8Array): Promise<void> {
    const { budget, limits: bounds } = this.#service;
    if (message.length > bounds.webSocketMessageBytesMax) return socket.close(1009, "message too big");
    const kept = KeptMessage.copy(message, budget);
    try {
      await route.greet?.(socket, context);
      if (socket.signal.aborted) return;
      if (kept === undefined) {
        await route.noRoom?.(socket, context);
        socket.close(1013, "try again later");
      } else {
        await route.open(socket, context, kept);
        socket.close(1000, "");
      }
    } catch (error) {
      if (!socket.signal.aborted || !isDeparture(error)) this.#service.onError(error);
      socket.close(1011, "internal error");
    } finally {
      kept?.free();
    }
  }
}

interface Asked {
  readonly head: Head;
  readonly body: Uint8Array | undefined;
  readonly signal: AbortSignal;
  readonly settle: (reply: WholeReply | undefined) => void;
}

/** One request, whose body is there at once and whose reply is taken as a whole. */
class InProcessExchange implements ExchangePort {
  readonly #service: Service;
  readonly #asked: Asked;
  readonly #exchange: Exchange;
  #isOver = false;

  constructor(service: Service, asked: Asked) {
    this.#service = service;
    this.#asked = asked;
    this.#exchange = new Exchange(service, asked.head, this);
    asked.signal.addEventListener("abort", this.#leave, { once: true });
  }

  begin(): void {
    const admission = this.#service.admit(this.#asked.head);
    assert(admission.kind !== "socket" && admission.kind !== "undecided", "no WebSocket was asked for");
    if (admission.kind === "route") this.#exchange.begin(admission.route, admission.params);
    else this.#exchange.decline(admission.reply);
  }

  takeBody(fits: boolean): void {
    const { body } = this.#asked;
    if (fits && body !== undefined) this.#exchange.take(body);
    this.#exchange.bodyEnded();
  }

  closeAfterReply(): void {
    // There is no connection.
  }

  sendWhole(reply: CheckedReply, body: string | Uint8Array): void {
    this.#settle(wholeReply(reply, body));
  }

  sendStream(reply: CheckedReply, body: AsyncIterable<string | Uint8Array>): void {
    void this.#gather(reply, body);
  }

  async #gather(reply: CheckedReply, body: AsyncIterable<string | Uint8Array>): Promise<void> {
    const pieces: Buffer[] = [];
    try {
      for await (const chunk of body) {
        if (this.#isOver) return;
        pieces.push(Buffer.from(chunk as Uint8Array)); // a copy of bytes, which are used again; of a text its bytes
      }
      this.#settle({ status: reply.status, headers: Object.fromEntries(reply.headers), body: Buffer.concat(pieces) });
    } catch (error) {
      this.#exchange.report(error);
      this.#settle(wholeOf(plainReply(500, "There was an internal server error.")));
    }
  }

  #settle(reply: WholeReply): void {
    if (this.#isOver) return;
    this.#over(reply);
    this.#exchange.finished();
  }

  readonly #leave = (): void => {
    if (this.#isOver) return;
    this.#over(undefined);
    this.#exchange.clientGone();
  };

  #over(reply: WholeReply | undefined): void {
    this.#isOver = true;
    this.#asked.signal.removeEventListener("abort", this.#leave);
    this.#asked.settle(reply);
  }
}

/** The end of a WebSocket that the caller has: frames go to him one by one, and wait for him. */
class InProcessSocket implements RawSocket {
  readonly #take: TakeFrame;
  readonly #turns: Turns;
  readonly #abort = new AbortController();
  #failure: string | undefined;
  #code: number | undefined;
  #refused: { readonly error: unknown } | undefined;

  constructor(take: TakeFrame, turns: Turns) {
    this.#take = take;
    this.#turns = turns;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  send(text: string | Uint8Array): Promise<void> {
    return this.sendAll([text]);
  }

  async sendAll(frames: readonly (string | Uint8Array)[]): Promise<void> {
    for (const frame of frames) {
      if (this.#turns.isOver) await this.#turns.next(); // a caller with room takes all of them at once
      this.signal.throwIfAborted();
      try {
        await this.#take(frame);
      } catch (error) {
        this.#refused ??= { error };
        this.leave();
      }
    }
    this.signal.throwIfAborted();
  }

  async fail(error: string): Promise<void> {
    this.signal.throwIfAborted();
    this.#failure = error;
    this.close(1000, "");
  }

  close(code: number, reason: string): void {
    if (this.signal.aborted) return;
    this.#code = code;
    this.#abort.abort(new ClientGone(`the WebSocket was closed with ${code} ${reason}`));
  }

  /** What is under way goes on, as with a socket that has its message. */
  drain(): void {
    // Nothing waits for a message here.
  }

  leave(): void {
    this.#abort.abort(new ClientGone("the caller left"));
  }

  ending(): Conversed {
    if (this.#refused !== undefined) throw this.#refused.error;
    return this.#failure === undefined ? { code: this.#code } : { failure: this.#failure };
  }
}

const wholeReply = ({ status, headers }: CheckedReply, body: string | Uint8Array): WholeReply => ({
  status,
  headers: Object.fromEntries(headers),
  body: typeof body === "string" ? body : Buffer.from(body),
});

/** Of an answer that no handler made. */
function wholeOf({ status, headers = {}, body = "", release }: RawReply): WholeReply {
  assert(isWhole(body), "what refuses a handshake is whole");
  const whole = { status, headers, body: typeof body === "string" ? body : Buffer.from(body) };
  release?.();
  return whole;
}
