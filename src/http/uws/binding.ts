import { createRequire } from "node:module";
import { isMainThread } from "node:worker_threads";
import { limits } from "../../config.js";
import { messageOf } from "../../base/error-text.js";
import { fail, ok, type Result } from "../../base/result.js";

/** The members of the native binding that the adapter uses. Objects of it die with the callback or the reply they belong to. */
export interface UwsBinding {
  App(): UwsApp;
  us_listen_socket_close(socket: UwsListenSocket): void;
  us_socket_local_port(socket: UwsListenSocket): number;
  /** "silent" leaves the vendor's header out of replies. */
  _cfg(mode: "silent"): void;
  readonly DISABLED: number;
  /** A second listener on the same port is an error, not a load balancer. */
  readonly LIBUS_LISTEN_EXCLUSIVE_PORT: number;
}

export type UwsListenSocket = object;
export type UwsSocketContext = object;

export interface UwsApp {
  any(pattern: string, handler: (response: UwsResponse, request: UwsRequest) => void): UwsApp;
  ws<Data>(pattern: string, behavior: UwsBehavior<Data>): UwsApp;
  /** Called with 1 for each connection that opens, and with -1 for each that closes, unless that became a WebSocket. */
  filter(handler: (response: UwsResponse, change: 1 | -1) => void): UwsApp;
  listen(host: string, port: number, options: number, callback: (socket: UwsListenSocket | false) => void): UwsApp;
  /** Closes the listener and every connection, at once. */
  close(): UwsApp;
}

/** Valid only inside the callback that got it. */
export interface UwsRequest {
  getCaseSensitiveMethod(): string;
  getUrl(): string;
  /** `undefined` without a question mark. */
  getQuery(): string | undefined;
  forEach(visit: (name: string, value: string) => void): void;
}

/** Valid until the reply is complete or `onAborted` ran. */
export interface UwsResponse {
  writeStatus(status: string): UwsResponse;
  writeHeader(name: string, value: string): UwsResponse;
  /** False: stop until `onWritable`. */
  write(chunk: string | Uint8Array): boolean;
  end(body?: string | Uint8Array, closeConnection?: boolean): UwsResponse;
  endWithoutBody(): UwsResponse;
  tryEnd(body: string | Uint8Array, totalBytes: number): [accepted: boolean, complete: boolean];
  onWritable(handler: (offset: number) => boolean): UwsResponse;
  onAborted(handler: () => void): UwsResponse;
  /** The chunk is detached when the handler returns. */
  onData(handler: (chunk: ArrayBuffer, isLast: boolean) => void): UwsResponse;
  /** Stops reading from the connection. */
  pause(): UwsResponse;
  resume(): UwsResponse;
  cork(handler: () => void): UwsResponse;
  close(): UwsResponse;
  upgrade<Data>(data: Data, key: string, protocol: string, extensions: string, context: UwsSocketContext): void;
}

export interface UwsBehavior<Data> {
  readonly compression: number;
  readonly maxPayloadLength: number;
  readonly maxBackpressure: number;
  readonly idleTimeout: number;
  readonly sendPingsAutomatically: boolean;
  upgrade(response: UwsResponse, request: UwsRequest, context: UwsSocketContext): void;
  open(socket: UwsWebSocket<Data>): void;
  message(socket: UwsWebSocket<Data>, message: ArrayBuffer, isBinary: boolean): void;
  /** Answered by the native code. */
  ping(socket: UwsWebSocket<Data>): void;
  pong(socket: UwsWebSocket<Data>): void;
  drain(socket: UwsWebSocket<Data>): void;
  close(socket: UwsWebSocket<Data>, code: number, message: ArrayBuffer): void;
}

export const sendDropped = 2;

export interface UwsWebSocket<Data> {
  getUserData(): Data;
  getBufferedAmount(): number;
  /** 1: sent, 0: queued, 2: dropped for being over `maxBackpressure`. */
  send(message: string | Uint8Array, isBinary: boolean, compress: boolean): 0 | 1 | typeof sendDropped;
  /** What is sent inside of it, but for large frames, is one write of the system. */
  cork(handler: () => void): void;
  end(code: number, reason: string): void;
  close(): void;
}

const packages = ["uWebSockets.js", "uWebSockets.js-node22"];

/** The binding that fits this Node release and platform, or why none loads. */
export function loadBinding(): Result<UwsBinding, string> {
  if (!isMainThread) return fail("a worker thread that listens aborts the process when it ends");
  // Read once by the native code when it is loaded; its own default of 4 KiB is too small for a token that comes in two reads.
  process.env["UWS_HTTP_MAX_HEADERS_SIZE"] ??= String(limits.headBytesMax);
  const require = createRequire(import.meta.url);
  const failures: string[] = [];
  for (const name of packages) {
    try {
      return ok(require(name) as UwsBinding);
    } catch (error) {
      failures.push(`${name}: ${firstLine(error)}`);
    }
  }
  return fail(failures.join("; "));
}

const firstLine = (error: unknown): string => messageOf(error).split("\n", 1)[0] ?? "";
