import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Turns } from "../../src/base/turns.js";
import {
  startTransport,
  type Connections,
  type Door,
  type RawReply,
  type Route,
  type Transport,
  type TransportOptions,
  type WebSocketRoute,
} from "../../src/http/index.js";
import { loadBinding } from "../../src/http/uws/binding.js";
import { ownTurns } from "../support/turns.js";

export type Kind = Transport["kind"];

const kinds: readonly Kind[] = ["uws", "node"];

/** Why there is no uWebSockets.js here. */
export const missingBinding = loadBinding().error;

/** Why a behaviour is not asked of one adapter. */
export type Skips = Partial<Record<Kind, string>>;

/** Ends what hangs; none of it takes long, but the machine may be busy. */
const hungMs = 120_000;
/** Of a drain that must not come to its deadline: a test that waits for it does not end. */
export const longMs = 10 * hungMs;

/** One behaviour, asked of both adapters. */
export function behaviour(name: string, body: (kind: Kind) => Promise<void>, skips: Skips = {}): void {
  for (const kind of kinds) {
    const unavailable = kind === "uws" && missingBinding !== undefined ? `no uWebSockets.js binding here: ${missingBinding}` : false;
    test(`${kind}: ${name}`, { skip: skips[kind] ?? unavailable, timeout: hungMs }, () => body(kind));
  }
}

/** A running transport whose errors are kept, not lost. */
export interface Running {
  readonly transport: Transport;
  readonly port: number;
  readonly errors: unknown[];
}

export interface Setup {
  readonly routes?: readonly Route[];
  readonly later?: TransportOptions["later"];
  readonly webSockets?: readonly WebSocketRoute[];
  readonly door?: Door;
  readonly connections?: Connections;
  readonly limits?: TransportOptions["limits"];
  readonly turns?: Turns;
  readonly tls?: TransportOptions["tls"];
}

export async function withTransport(kind: Kind, setup: Setup, body: (running: Running) => Promise<void>): Promise<void> {
  const errors: unknown[] = [];
  const transport = await startTransport({
    transport: kind,
    host: "127.0.0.1",
    port: 0,
    routes: setup.routes ?? [],
    webSockets: setup.webSockets ?? [],
    notFound: ({ method, path }) => text(`nothing at ${method} ${path}`, 404),
    methodNotAllowed: (_head, allow) => text(`try ${allow.join(" ")}`, 405),
    bodyTooLarge: (limitBytes) => text(`more than ${limitBytes} bytes`, 413),
    noRoomForBody: ({ path }) => text(`no room for the body of ${path}`, 503),
    later: setup.later,
    ...(setup.door && { door: setup.door }),
    ...(setup.connections && { connections: setup.connections }),
    turns: setup.turns ?? ownTurns(),
    tls: setup.tls,
    deadlinePassed: () => text("too late", 503),
    onError: (error) => errors.push(error),
    limits: { drainSettleMs: 10, lingerMs: 200, ...setup.limits },
  });
  try {
    await body({ transport, port: transport.port, errors });
  } finally {
    await transport.close(0);
  }
}

export const text = (body: string, status = 200): RawReply => ({ status, headers: { "Content-Type": "text/plain" }, body });

export function route(method: string, path: string, handle: Route["handle"], bodyBytesMax = 1 << 20): Route {
  return { method, path, bodyBytesMax, handle };
}

export const get = (path: string, handle: Route["handle"]): Route => route("GET", path, handle);

/** Answers with the body it got. */
export const echo = (bodyBytesMax = 1 << 20): Route =>
  route("POST", "/echo", async ({ body }) => ({ status: 200, body: body.slice() }), bodyBytesMax);

/** Waits for something that comes soon, where the machine is not busy, and says what did not come at all. */
export async function eventually(what: string, holds: () => boolean | Promise<boolean>, timeoutMs = hungMs / 2): Promise<void> {
  const end = Date.now() + timeoutMs;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`never: ${what}`);
    await sleep(5);
  }
}

/** Bytes that differ at every place for which a lost, doubled or moved piece shows. */
export function pattern(bytes: number, seed = 0): Buffer {
  const words = new Uint32Array(Math.ceil(bytes / 4));
  for (let at = 0; at < words.length; at += 1) words[at] = (at + seed * 1_000_003) * 2_654_435_761;
  return Buffer.from(words.buffer, 0, bytes);
}

/** The same in printable text, 16 characters a place. */
export function textPattern(bytes: number, seed = 0): string {
  let out = "";
  for (let at = 0; out.length < bytes; at += 1) out += `${seed}:${at.toString(36)}`.padEnd(15, ".") + ";";
  return out.slice(0, bytes);
}
