/**
 * A list of which the client wants more than the node collects: the array goes out as it is read. A failure after its begin
 * breaks the connection off, so that nobody takes a part for the whole.
 */
import type { Cursor } from "../base/element-writer.js";
import { readWhile } from "../base/reading.js";
import { fail, ok, type Result } from "../base/result.js";
import { limits } from "../config.js";
import type { RequestFailure } from "./errors.js";
import { JsonArrayBuffer } from "./element-buffers.js";
import { listTooLong } from "./failures.js";
import { waitForMore, type ListEnding } from "./lists.js";

/** How many elements the client takes, instead of the node's own limit. */
const header = "ledgerline-list-elements-max";

/** Undefined where the header is absent or no number: then the node's limit holds. */
export function askedElementsMax(headers: ReadonlyMap<string, string>): number | undefined {
  const asked = headers.get(header);
  return asked !== undefined && /^[0-9]{1,15}$/.test(asked) ? Math.min(Number(asked), limits.listElementsStreamedMax) : undefined;
}

/** The list broke off after its begin. */
class ListBroken extends Error {
  override readonly name = "ListBroken";
  constructor(readonly failure: RequestFailure) {
    super(`a list broke off: ${failure.code}`);
  }
}

export type Pieces = Pick<AsyncGenerator<Uint8Array, undefined>, "next" | "return" | "throw"> & AsyncIterable<Uint8Array>;

/**
 * Resolves once there is a piece: what fails before it is an answer. The pieces close the cursor, and call `done`, when they end or are
 * not wanted.
 */
export async function streamList(
  cursor: Cursor<RequestFailure>,
  ending: ListEnding,
  done: () => void,
): Promise<Result<Pieces, RequestFailure>> {
  const pieces = piecesOf(cursor, ending, done);
  try {
    const first = await pieces.next();
    return ok(rejoined(first, pieces));
  } catch (error) {
    if (error instanceof ListBroken) return fail(error.failure);
    throw error;
  }
}

/** No generator of its own: one that nobody began ends without a word to `rest` when it is not wanted. */
function rejoined(first: IteratorResult<Uint8Array, undefined>, rest: Pieces): Pieces {
  let given = 0;
  const joined: Pieces = {
    next: () => (given++ === 0 ? Promise.resolve(first) : rest.next()),
    return: (value) => rest.return(value),
    throw: (error) => rest.throw(error),
    [Symbol.asyncIterator]: () => joined,
  };
  return joined;
}

async function* piecesOf(cursor: Cursor<RequestFailure>, ending: ListEnding, done: () => void): Pieces {
  const take = Math.min(ending.limit ?? Infinity, ending.elementsMax + 1);
  let elements = 0;
  try {
    for (let isFirst = true, isLast = false; !isLast; isFirst = false) {
      const out = new JsonArrayBuffer(isFirst ? "begin" : "middle");
      try {
        isLast = !(await fillPiece(cursor, out, Math.min(take - elements, limits.streamBatchElements), ending));
        elements += out.elements;
        const failure = cursor.failure ?? ending.interruption(out.elements);
        if (failure !== undefined) throw new ListBroken(failure);
        if (elements > ending.elementsMax) throw new ListBroken(listTooLong(elements, ending.elementsMax));
        isLast ||= elements === take;
        yield isLast ? out.finish() : out.view();
      } finally {
        out.release();
      }
    }
  } finally {
    cursor.close();
    done();
  }
  return undefined;
}

/** Some elements; false when there are no more. */
async function fillPiece(cursor: Cursor<RequestFailure>, out: JsonArrayBuffer, max: number, ending: ListEnding): Promise<boolean> {
  const quietSince = performance.now();
  for (;;) {
    if (max <= 0) return false;
    if ((await readWhile(ending.taker, cursor, max, out)) > 0) return true;
    if (!(await waitForMore(cursor, ending, quietSince))) return false;
  }
}
