import { assert } from "../../base/assert.js";
import { BoundedMap } from "../../base/bounded-map.js";
import { fail, ok, type Result } from "../../base/result.js";
import { limits } from "../../config.js";
import { type Head, InProcess, type InProcessOptions, type RawReply } from "../../http/index.js";
import type { Call, Status } from "../call.js";
import type { Json, JsonRequest } from "../method.js";
import { cancelled, statusOfClose, statusOfFrame, statusOfReply, timedOut } from "./status.js";

/** What an operation answered: JSON, or bytes; empty where it had nothing to say. */
export interface Answered {
  readonly body: string | Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

type Headers = Call["headers"];

/** What of a call's metadata the API is told. The rest speaks of gRPC, or of connections. */
const toldHeaders = ["host", "authorization", "traceparent", "tracestate", "origin", "sec-fetch-site"] as const;

/** An operation that is anybody's who was let in. */
const whoCalls = { method: "GET", path: "/v2/authenticated-user", query: "" };

/** Marks the answer that comes in place of a late one. */
const late = "ledgerline-late";

const succeeds = (status: number): boolean => status >= 200 && status < 300;

/** Requests to what one site serves, from within the process. */
export class JsonCalls {
  readonly #inProcess: InProcess;
  readonly #deadlineText: string;
  /** Tokens that held a moment ago, and until when nobody looks at them again: with the request it belongs to each is looked at anyway. */
  readonly #letIn = new BoundedMap<string, number>(limits.grpcLetInMax);

  constructor(site: InProcessOptions) {
    this.#inProcess = new InProcess({ ...site, deadlinePassed: () => ({ ...site.deadlinePassed(), headers: { [late]: "" } }) });
    this.#deadlineText = String(site.deadlinePassed().body);
  }

  /** Of a call for which nothing is asked: `reply` says why. */
  refusal({ status, body }: RawReply, headers: Headers): Status {
    assert(typeof body === "string", "a refusal is a text");
    return statusOfReply({ status, body }, traceIdIn(headers));
  }

  /** Why nothing is taken of whoever calls with these: his token does not hold. Undefined: it does, as was seen a moment ago. */
  judge(headers: Headers): Promise<Status | undefined> | undefined {
    const token = headers.get("authorization") ?? "";
    return performance.now() < (this.#letIn.get(token) ?? -Infinity) ? undefined : this.#judge(token, headers);
  }

  async #judge(token: string, headers: Headers): Promise<Status | undefined> {
    const reply = await this.#inProcess.judge({ ...whoCalls, headers: toldOf(headers) });
    if (reply?.status === 401) return statusOfReply(reply, traceIdIn(headers));
    this.#letIn.set(token, performance.now() + limits.grpcLetInMs);
    return undefined;
  }

  /** Operations that may wait for news are asked by `stream`. */
  async unary({ method, path, query, body }: JsonRequest, headers: Headers, signal: AbortSignal): Promise<Result<Answered, Status>> {
    const bytes = body === undefined || body instanceof Uint8Array ? body : Buffer.from(JSON.stringify(body));
    const told = toldOf(headers);
    if (bytes !== undefined) {
      told.set("content-type", body instanceof Uint8Array ? "application/octet-stream" : "application/json");
      told.set("content-length", String(bytes.length));
    }
    const reply = await this.#inProcess.ask({ method, path, query, headers: told }, bytes, signal);
    if (reply === undefined) return fail(cancelled);
    if (succeeds(reply.status)) return ok({ body: reply.body, headers: reply.headers });
    return fail(late in reply.headers ? timedOut(this.#deadlineText, traceIdIn(headers)) : statusOfReply(reply, traceIdIn(headers)));
  }

  /**
   * Opens a stream by its message. The next element comes when the last was taken; what `onElement` rejects with ends it, and is what
   * this rejects with. `chars`: how long its JSON was. Undefined: it came to its end.
   */
  async stream(
    path: string,
    message: Json,
    headers: Headers,
    signal: AbortSignal,
    onElement: (element: unknown, chars: number) => Promise<void>,
  ): Promise<Status | undefined> {
    const head: Head = { method: "GET", path, query: "", headers: toldOf(headers) },
      traceId = traceIdIn(headers);
    const ended = await this.#inProcess.converse(head, Buffer.from(JSON.stringify(message)), signal, (frame) => {
      const text = typeof frame === "string" ? frame : Buffer.from(frame.buffer, frame.byteOffset, frame.length).toString();
      return onElement(JSON.parse(text), text.length);
    });
    if ("rejected" in ended) return statusOfReply(ended.rejected, traceId);
    return "failure" in ended ? statusOfFrame(ended.failure, traceId) : statusOfClose(ended.code, traceId);
  }

  /** Lets what runs finish, then ends what is left. False if something still ran. */
  close(drainMs: number): Promise<boolean> {
    return this.#inProcess.close(drainMs);
  }
}

function toldOf(headers: Headers): Map<string, string> {
  const told = new Map<string, string>();
  for (const name of toldHeaders) {
    const value = headers.get(name);
    if (value !== undefined) told.set(name, value);
  }
  return told;
}

/** The trace that a call is part of. */
const traceIdIn = (headers: Headers): string | undefined =>
  /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-/.exec(headers.get("traceparent") ?? "")?.[1];
