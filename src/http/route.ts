import type { Turns } from "../base/turns.js";
import type { Limits } from "../config.js";
import type { BodyBudget } from "./body-budget.js";
import type { Connections } from "./connections.js";
import type { Head } from "./head.js";
import type { TlsIdentity } from "./tls-identity.js";

/**
 * The transport's port: what an adapter (uWebSockets.js or node:http) is given, and what it gives back.
 * It moves bytes; it never sees an operation, a user or JSON.
 */

export interface RawRequest {
  readonly method: string; // upper case
  /** Path without query, percent-encoded as received. */
  readonly path: string;
  /** Raw query text without `?`, "" when absent. */
  readonly query: string;
  /** Header names in lower case. Repeated headers are joined by ", " (those that must not repeat were refused before). */
  readonly headers: ReadonlyMap<string, string>;
  /** Path parameters by name, percent-decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** Complete, at most the route's `bodyBytesMax`. It is the transport's: empty once the handler is done, or has freed it. */
  readonly body: Uint8Array;
  freeBody(): void;
  /** Aborts when the client goes away or the request deadline passes. */
  readonly signal: AbortSignal;
}

export interface RawReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whole body, or chunks that are pulled one at a time with back-pressure (a stream never buffers more than a chunk). */
  readonly body?: string | Uint8Array | AsyncIterable<string | Uint8Array>;
  /** Called once, when the body is out or nobody will take it: its bytes may be used again. */
  readonly release?: (() => void) | undefined;
}

/** How a WebSocket conversation goes: the transport calls these, each at most as documented. */
export interface RawSocket {
  /**
   * Queues one text frame. Resolves when the socket can take more (its buffer is below the mark); rejects when it is closed.
   * Bytes may be reused once it resolved.
   */
  send(text: string | Uint8Array): Promise<void>;
  /** The same of many, as many at once as there is room for. */
  sendAll(frames: readonly Uint8Array[]): Promise<void>;
  /** Sends why there is no more, as the last frame. */
  fail(error: string): Promise<void>;
  close(code: number, reason: string): void;
  /** Aborts when the peer is gone or the socket was closed. */
  readonly signal: AbortSignal;
}

export interface Route {
  readonly method: string; // upper case
  /** `/v2/users/{user-id}/rights`; matches whole path segments, never empty ones. */
  readonly path: string;
  readonly bodyBytesMax: number;
  /** How long the handler may take, where it is not `limits.requestDeadlineMs`. A stream only has to begin in it. */
  readonly deadlineMs?: number;
  /** Decides on the head, before any of the body is taken. Absent: the body is taken from everybody. */
  admit?(head: Head): HeadDecision | Promise<HeadDecision>;
  /**
   * Called once the body is complete, with what `admit` goes on with. Must not throw: an exception is answered 500 without details
   * and reported through `onError`.
   */
  handle(request: RawRequest, context: unknown): Promise<RawReply>;
}

/** Routes whose code is loaded when the first request below one of their places comes. */
export interface LaterRoutes {
  /** Whole segments of paths; nothing else is below them. */
  readonly prefixes: readonly string[];
  /** What they let a body have, none more. */
  readonly bodyBytesMax: number;
  /** Called again after a failure only. */
  load(): Promise<readonly Route[]>;
}

export type HeadDecision = { readonly reply: RawReply } | { readonly context: unknown };

/** Judges every request by its head, before anything else of it is looked at. */
export interface Door {
  /** The answer to a head that goes no further. */
  answerAt(head: Head): RawReply | undefined;
  /** What every answer to this head carries besides its own headers. */
  headersFor(head: Head): Readonly<Record<string, string>> | undefined;
}

/** What opened a WebSocket. It is the transport's: empty once it was freed, and with the bodies of requests until then. */
export interface FirstMessage {
  readonly bytes: Uint8Array;
  free(): void;
}

export type UpgradeDecision = { readonly accept: { readonly protocol: string; readonly context: unknown } } | { readonly reject: RawReply };

export interface WebSocketRoute {
  readonly path: string;
  /**
   * Decides at the upgrade; `reject` is answered as plain HTTP. The protocol is answered if it was offered. Who sends frames before he
   * is answered may lose them where that takes its time.
   */
  upgrade(request: Omit<RawRequest, "body" | "freeBody" | "signal">): UpgradeDecision | Promise<UpgradeDecision>;
  /** Called when a socket opens; may close it before anything is taken from it. */
  greet?(socket: RawSocket, context: unknown): Promise<void>;
  /** Called once per socket with its first message (text or binary, joined from fragments). Later messages are ignored. */
  open(socket: RawSocket, context: unknown, firstMessage: FirstMessage): Promise<void>;
  /** Called in place of that where all bodies together would take more than `bodiesBytesMax`; the socket closes in any case. */
  noRoom?(socket: RawSocket, context: unknown): Promise<void>;
}

/** The bounds a transport works under, from `config.ts` unless a test hands in smaller ones. */
export type TransportLimits = Pick<
  Limits,
  | "bodiesBytesMax"
  | "headBytesMax"
  | "requestDeadlineMs"
  | "requestsPerTurnMax"
  | "bodyPiecesPerTurnMax"
  | "bodyBytesPerSecondMin"
  | "lingerMs"
  | "lingerBytesMax"
  | "stallMs"
  | "keepAliveMs"
  | "drainSettleMs"
  | "webSocketFirstMessageMs"
  | "webSocketStallMs"
  | "webSocketMessageBytesMax"
  | "webSocketFramesPerTurnMax"
  | "webSocketIdleSeconds"
  | "streamBufferedBytesMax"
>;

export interface TransportOptions {
  readonly host: string;
  readonly port: number; // 0 = any free
  /** The same is served there. */
  readonly otherPorts?: readonly number[];
  /** Undefined: HTTP without TLS. */
  readonly tls?: TlsIdentity | undefined;
  /** Of transports that share it; else the transport has its own. */
  readonly bodies?: BodyBudget;
  /** Of transports that share them; absent: any number. */
  readonly connections?: Connections;
  /** Shared with whatever else runs on this thread. */
  readonly turns: Turns;
  readonly routes: readonly Route[];
  readonly later?: LaterRoutes | undefined;
  readonly webSockets: readonly WebSocketRoute[];
  readonly door?: Door;
  /** A path that no route has, or which is read by a WebSocket only. */
  notFound(request: Omit<RawRequest, "params" | "body" | "freeBody" | "signal">): RawReply;
  /** A path that exists with other methods (`allow` lists them). HEAD is served by the GET route without its body. */
  methodNotAllowed(request: Omit<RawRequest, "params" | "body" | "freeBody" | "signal">, allow: readonly string[]): RawReply;
  /** Body longer than the route allows, by declared or counted length. */
  bodyTooLarge(limitBytes: number): RawReply;
  /** All bodies together would take more than `bodiesBytesMax`. */
  noRoomForBody(head: Head): RawReply;
  /** The request deadline passed before the handler answered. */
  deadlinePassed(): RawReply;
  onError(error: unknown): void;
  readonly limits?: Partial<TransportLimits>;
}

export interface Transport {
  readonly kind: "uws" | "node";
  readonly port: number;
  /** What the bodies of all requests, and what opens WebSockets, take at this moment. */
  readonly bodiesBytes: number;
  /** Refuses new connections, lets what runs finish until the deadline, then closes all. False if something still ran. */
  close(drainMs: number): Promise<boolean>;
}
