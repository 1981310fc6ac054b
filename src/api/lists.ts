/** The list ending of a stream: a bounded JSON array (sheet 2). */
import type { Cursor } from "../base/element-writer.js";
import type { Result } from "../base/result.js";
import { fail, ok } from "../base/result.js";
import type { RequestFailure } from "./errors.js";
import { JsonArrayBuffer } from "./element-buffers.js";
import { listTooLong } from "./failures.js";

export interface ListEnding {
  /** As asked for; undefined = up to the node's limit. */
  readonly limit: number | undefined;
  readonly elementsMax: number;
  /** Ends the list after so long without an element; undefined = only the stream's own end does. */
  readonly idleMs: number | undefined;
  readonly signal: AbortSignal;
}

/** How long one wait lasts where only the stream's end or the request's deadline ends the list. */
const unboundedWaitMs = 60_000;

/** Collects the cursor's elements and closes it. */
export async function collectList(cursor: Cursor, ending: ListEnding): Promise<Result<Uint8Array, RequestFailure>> {
  const out = new JsonArrayBuffer();
  const take = Math.min(ending.limit ?? Infinity, ending.elementsMax + 1);
  try {
    await fill(cursor, out, take, ending);
  } finally {
    cursor.close();
  }
  return out.elements > ending.elementsMax ? fail(listTooLong(out.elements, ending.elementsMax)) : ok(out.finish());
}

async function fill(cursor: Cursor, out: JsonArrayBuffer, take: number, { idleMs, signal }: ListEnding): Promise<void> {
  let quietSince = performance.now();
  while (out.elements < take && !signal.aborted) {
    const written = await cursor.read(take - out.elements, out);
    if (written > 0) {
      quietSince = performance.now();
      continue;
    }
    if (cursor.ended) return;
    const leftMs = idleMs === undefined ? unboundedWaitMs : quietSince + idleMs - performance.now();
    if (leftMs <= 0) return;
    await cursor.wait(leftMs, signal);
  }
}
