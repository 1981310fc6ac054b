/** The list ending of a stream: a bounded JSON array. */
import type { Cursor } from "../base/element-writer.js";
import { type Result, fail, ok } from "../base/result.js";
import { readWhile } from "../base/reading.js";
import { limits } from "../config.js";
import type { RequestFailure } from "./errors.js";
import { JsonArrayBuffer } from "./element-buffers.js";
import { listTooLarge, listTooLong, noRoomForReply } from "./failures.js";
import { spareBytes } from "./spare-bytes.js";

export interface ListEnding {
  /** As asked for; undefined = up to the node's limit. */
  readonly limit: number | undefined;
  readonly elementsMax: number;
  /** Of a list that is collected: elements may be large. */
  readonly bytesMax: number;
  /** Ends the list after so long without an element; undefined = only the stream's own end does. */
  readonly idleMs: number | undefined;
  /** Asked for when the list has to wait: most never do. */
  readonly signal: () => AbortSignal;
  /** Aborts when nobody will take the list; asked for when looking for elements takes long. */
  readonly taker: () => AbortSignal;
  /** Why the reader may not have so many more elements, which were read a moment ago, if so; of none: why the list cannot end well. */
  readonly interruption: (elements: number) => RequestFailure | undefined;
}

/** Collects the cursor's elements and closes it. The caller releases the array that it gets. */
export async function collectList(cursor: Cursor<RequestFailure>, ending: ListEnding): Promise<Result<JsonArrayBuffer, RequestFailure>> {
  const out = new JsonArrayBuffer();
  const take = Math.min(ending.limit ?? Infinity, ending.elementsMax + 1);
  let refusal: RequestFailure | undefined;
  try {
    refusal = await fill(cursor, out, take, ending);
  } catch (error) {
    out.release();
    throw error;
  } finally {
    cursor.close();
  }
  const failure = cursor.failure ?? refusal ?? ending.interruption(0);
  if (failure === undefined) return ok(out);
  out.release();
  return fail(failure);
}

/** Gives why there is no list, unless the cursor tells. */
async function fill(
  cursor: Cursor<RequestFailure>,
  out: JsonArrayBuffer,
  take: number,
  ending: ListEnding,
): Promise<RequestFailure | undefined> {
  let quietSince = performance.now();
  while (out.elements < take) {
    if (out.length > ending.bytesMax) return listTooLarge(out.elements, ending.bytesMax);
    if (spareBytes.isShortFor(out.length)) return noRoomForReply();
    const read = readWhile(ending.taker, cursor, take - out.elements, out),
      elements = typeof read === "number" ? read : await read;
    if (elements > 0) {
      const interruption = ending.interruption(elements);
      if (interruption !== undefined) return interruption;
      quietSince = performance.now();
      continue;
    }
    if (!(await waitForMore(cursor, ending, quietSince))) return undefined;
  }
  if (out.length > ending.bytesMax) return listTooLarge(out.elements, ending.bytesMax); // with the last of them
  return out.elements > ending.elementsMax ? listTooLong(out.elements, ending.elementsMax) : undefined;
}

/** False when the list ends: nothing more can come, nothing came for too long, or nobody waits for it. */
export async function waitForMore(cursor: Cursor<RequestFailure>, ending: ListEnding, quietSince: number): Promise<boolean> {
  if (cursor.ended) return false;
  const signal = ending.signal(),
    leftMs = ending.idleMs === undefined ? limits.readerWakesMs : quietSince + ending.idleMs - performance.now();
  if (leftMs <= 0 || signal.aborted) return false;
  await cursor.wait(leftMs, signal);
  return true;
}
