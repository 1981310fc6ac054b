/** The answer to a request for a list: collected, or sent as it is read; while it waits its reader is watched as one of a stream. */
import type { StreamWatch } from "../auth/index.js";
import type { Cursor } from "../base/element-writer.js";
import { fail, ok, type Result } from "../base/result.js";
import { limits } from "../config.js";
import type { RawReply } from "../http/index.js";
import { jsonHeaders } from "./content-types.js";
import type { Api } from "./api.js";
import type { RequestFailure } from "./errors.js";
import { noIdleTime, streamEnded } from "./failures.js";
import { collectList, type ListEnding } from "./lists.js";
import type { OpenStreams } from "./open-streams.js";
import type { AnyCall, AnyOperation } from "./operation.js";
import { askedElementsMax, streamList } from "./streamed-list.js";

/** What all lists of an API share. */
export interface ListParts {
  readonly api: Pick<Api, "services" | "credentials">;
  readonly openStreams: OpenStreams;
  readonly listElementsMax: number;
  readonly listWaitMs: number;
}

export async function listReply(
  operation: AnyOperation & { readonly kind: "stream" },
  call: AnyCall,
  headers: ReadonlyMap<string, string>,
  parts: ListParts,
): Promise<Result<RawReply, RequestFailure>> {
  const { limit, stream_idle_timeout_ms: askedIdleMs } = call.query as {
    readonly limit?: number;
    readonly stream_idle_timeout_ms?: number;
  };
  if (askedIdleMs !== undefined && askedIdleMs <= 0) return fail(noIdleTime(askedIdleMs));
  if (limit !== undefined && limit <= 0) return ok({ status: 200, headers: cutHeaders(limit), body: noElements });
  const cursor = operation.open(parts.api.services as never, call);
  if (cursor.error !== undefined) return cursor;
  const watching = new Watching(call, parts);
  const ending = {
    limit,
    elementsMax: parts.listElementsMax,
    bytesMax: limits.listBytesMax,
    idleMs: askedIdleMs ?? (operation.endsWhenIdle(call.body) ? parts.listWaitMs : undefined),
    signal: () => watching.signal(),
    taker: () => call.signal,
    interruption: (elements: number) => watching.interruption(elements),
  };
  const asked = askedElementsMax(headers);
  if (asked !== undefined && asked > ending.elementsMax) return streamedReply(cursor.ok, { ...ending, elementsMax: asked }, watching);
  const list = await collectList(cursor.ok, ending).finally(() => watching.close());
  if (list.error !== undefined) return list;
  return ok({
    status: 200,
    headers: list.ok.elements === limit ? cutHeaders(limit) : jsonHeaders,
    body: list.ok.finish(),
    release: () => list.ok.release(),
  });
}

/** Of who wants no elements the ledger is asked nothing, and so finds no fault with what he asks for. */
const noElements = "[]";

/** Where it may not go on it ends as a closed connection: what went out cannot be taken back. */
async function streamedReply(
  cursor: Cursor<RequestFailure>,
  ending: ListEnding,
  watching: Watching,
): Promise<Result<RawReply, RequestFailure>> {
  watching.signal();
  const list = await streamList(cursor, ending, () => watching.close());
  return list.error === undefined
    ? ok({ status: 200, headers: ending.limit === undefined ? jsonHeaders : cutHeaders(ending.limit), body: list.ok })
    : list;
}

/**
 * A list that waits is followed like a stream; one that is answered at once was judged a moment ago. It waits on when its token ended,
 * as the reference's does: what came until then is not lost, and whatever comes later is a failure.
 */
class Watching {
  readonly #call: AnyCall;
  readonly #parts: ListParts;
  #watch: StreamWatch | undefined;
  #open: ReturnType<OpenStreams["enter"]> | undefined;
  #signal: AbortSignal | undefined;

  constructor(call: AnyCall, parts: ListParts) {
    this.#call = call;
    this.#parts = parts;
  }

  interruption(elements: number): RequestFailure | undefined {
    const end = this.#watch?.end ?? (elements > 0 ? this.#watch?.tokenEnd() : undefined);
    return end && streamEnded(end);
  }

  /** Aborts when the client is gone, the caller may not read on, or the node stops. */
  signal(): AbortSignal {
    return (this.#signal ??= this.#begin());
  }

  #begin(): AbortSignal {
    this.#watch = this.#parts.api.credentials.watch(this.#call.caller, "list");
    this.#open = this.#parts.openStreams.enter();
    return AbortSignal.any([this.#call.signal, this.#watch.signal, this.#open.signal]);
  }

  close(): void {
    this.#watch?.close();
    this.#open?.leave();
  }
}

/** The list ends where the client wanted it to; there may be more. One object as long as the limit stays, so that it is looked at once. */
function cutHeaders(limit: number): Readonly<Record<string, string>> {
  if (cut?.limit !== limit) cut = { limit, headers: { ...jsonHeaders, "ledgerline-list-limit": String(limit) } };
  return cut.headers;
}
let cut: { readonly limit: number; readonly headers: Readonly<Record<string, string>> } | undefined;
