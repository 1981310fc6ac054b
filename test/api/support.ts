/** Stand-ins for the parts around the API: a ledger of which only the given functions may be called, cursors, sockets. */
import { setTimeout as delay } from "node:timers/promises";
import type { Cursor, ElementWriter } from "../../src/base/element-writer.js";
import { ok } from "../../src/base/result.js";
import { silentLog } from "../../src/base/log.js";
import type { Served, Services } from "../../src/api/index.js";
import { servedNode, type ServedOptions } from "../support/served.js";
import { noAuthentication } from "../../src/auth/index.js";
import { ClientGone } from "../../src/http/departure.js";
import type { FirstMessage, RawReply, RawRequest, RawSocket, Route } from "../../src/http/route.js";
import type { Administration } from "../../src/ledger/admin/index.js";
import type { Ledger } from "../../src/ledger/ledger.js";

export const participantId = "ledgerline::1220aa";

export function ledgerWith(functions: Partial<Ledger>): Ledger {
  const known: Partial<Ledger> = {
    participantName: "ledgerline",
    participantId,
    synchronizerId: "synchronizer::1220bb",
    synchronizers: [{ number: 0, id: "synchronizer::1220bb", alias: "synchronizer" }],
    ledgerEnd: () => 7,
    impediment: () => undefined,
    admit: () => ok({ release() {} }),
    submitUnread: () => Promise.resolve({ kind: "to be read" }),
    ...functions,
  };
  return only<Ledger>(known);
}

/** Of the whole, only what is given; the rest must not be touched. */
const only = <T extends object>(known: Partial<T>): T =>
  new Proxy(known, {
    get: (target, name) => {
      if (name in target) return target[name as keyof T];
      throw new Error(`the test has no ${String(name)}`);
    },
  }) as T;

export const servicesWith = (functions: Partial<Ledger>, ready = true): Services => ({
  ledger: ledgerWith(functions),
  administration: only<Administration>({}),
  ready: () => ready,
  staticTime: false,
});

export interface Observation {
  readonly operation: string;
  readonly outcome: string;
}

export function apiWith(functions: Partial<Ledger>, options: Partial<ServedOptions> = {}, observed: Observation[] = []): Served {
  return servedNode({
    services: servicesWith(functions),
    authentication: noAuthentication,
    log: silentLog,
    listElementsMax: 200,
    listWaitMs: 30,
    observe: (operation, outcome) => observed.push({ operation, outcome }),
    ...options,
  });
}

export interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** What a transport does: the head first, then the whole. */
export async function played(route: Route, request: Omit<RawRequest, "freeBody">): Promise<RawReply> {
  const asked = { ...request, freeBody: () => undefined };
  const decision = (await route.admit?.(asked)) ?? { context: undefined };
  return "reply" in decision ? decision.reply : route.handle(asked, decision.context);
}

/** One request, as a transport would deliver it: `route` is the path as declared, `params` what stood in its places. */
export async function request(
  api: Served,
  method: string,
  route: string,
  given: {
    readonly body?: unknown;
    readonly query?: string;
    readonly params?: Readonly<Record<string, string>>;
    readonly headers?: Readonly<Record<string, string>>;
  } = {},
): Promise<Answer> {
  const found = api.routes.find((candidate) => candidate.method === method && candidate.path === route);
  if (found === undefined) throw new Error(`no route ${method} ${route}`);
  const body =
    given.body instanceof Uint8Array
      ? given.body
      : Buffer.from(typeof given.body === "string" ? given.body : given.body === undefined ? "" : JSON.stringify(given.body));
  return answerOf(
    await played(found, {
      method,
      path: route,
      query: given.query ?? "",
      headers: new Map(Object.entries(given.headers ?? {})),
      params: given.params ?? {},
      body,
      signal: new AbortController().signal,
    }),
  );
}

export function answerOf(reply: RawReply): Answer {
  const body = reply.body ?? "";
  if (typeof body !== "string" && !(body instanceof Uint8Array)) throw new Error("no test expects chunks");
  return {
    status: reply.status,
    contentType: reply.headers?.["content-type"] ?? "",
    text: typeof body === "string" ? body : Buffer.from(body).toString(),
    headers: reply.headers ?? {},
  };
}

/** Gives out numbers: at once those of `ready`, and one more after each delay of `laterMs`. `pass`: on a clock of the test's own. */
export class NumberCursor implements Cursor {
  closed = false;
  #next = 0;
  #available: number;
  readonly #laterMs: number[];
  readonly #endless: boolean;
  readonly #pass: ((ms: number) => void) | undefined;

  constructor(
    ready: number,
    options: { readonly laterMs?: readonly number[]; readonly endless?: boolean; readonly pass?: (ms: number) => void } = {},
  ) {
    this.#available = ready;
    this.#laterMs = [...(options.laterMs ?? [])];
    this.#endless = options.endless ?? false;
    this.#pass = options.pass;
  }

  get ended(): boolean {
    return !this.#endless && this.#laterMs.length === 0 && this.#next === this.#available;
  }

  read(max: number, out: ElementWriter): number {
    const count = Math.min(max, this.#available - this.#next);
    for (let index = 0; index < count; index++) {
      out.begin();
      out.text('{"n":');
      out.bytes(Buffer.from(`${this.#next++}}`));
      out.end();
    }
    return count;
  }

  async wait(timeoutMs: number, signal: AbortSignal): Promise<void> {
    const nextMs = this.#laterMs[0],
      waitMs = Math.min(nextMs ?? Infinity, timeoutMs, 2 ** 30);
    if (this.#pass === undefined) await delay(waitMs, undefined, { signal }).catch(() => undefined);
    else this.#pass(waitMs);
    if (nextMs === undefined || nextMs > timeoutMs) return;
    this.#laterMs.shift();
    this.#available++;
  }

  close(): void {
    this.closed = true;
  }
}

/** As a transport has it, but for its being counted. */
export class FakeMessage implements FirstMessage {
  bytes: Uint8Array;

  constructor(text: string) {
    this.bytes = Buffer.from(text);
  }

  free(): void {
    this.bytes = new Uint8Array(0);
  }
}

export class FakeSocket implements RawSocket {
  readonly frames: string[] = [];
  readonly #controller = new AbortController();
  closed: { readonly code: number; readonly reason: string } | undefined;
  /** The peer leaves after so many frames. */
  leavesAfter = Infinity;

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  leave(): void {
    this.#controller.abort(new ClientGone("the socket is closed"));
  }

  async send(text: string | Uint8Array): Promise<void> {
    await delay(0);
    if (this.signal.aborted) throw new ClientGone("the socket is closed");
    this.frames.push(typeof text === "string" ? text : Buffer.from(text).toString());
    if (this.frames.length >= this.leavesAfter) this.leave();
  }
  async sendAll(frames: readonly Uint8Array[]): Promise<void> {
    for (const frame of frames) await this.send(frame);
  }

  async fail(error: string): Promise<void> {
    await this.send(error);
    this.close(1000, "");
  }

  close(code: number, reason: string): void {
    this.closed = { code, reason };
    this.#controller.abort();
  }
}
