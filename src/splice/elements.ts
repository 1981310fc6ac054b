/** Where cursors of the ledger write for this room: each element as the value that its JSON stands for. */
import type { Cursor, ElementWriter } from "../base/element-writer.js";
import { GrowingBytes } from "../base/growing-bytes.js";
import { fail, isFailure, ok, type Result } from "../base/result.js";
import { limits } from "../config.js";
import type { LedgerErrorData } from "../ledger/index.js";

class ParsedElements<T> implements ElementWriter {
  readonly values: T[] = [];
  readonly #out = new GrowingBytes();
  #start = 0;

  begin(): void { this.#start = this.#out.length; }
  bytes(source: Uint8Array): void { this.#out.bytes(source); }
  run(source: Uint8Array, from: number, to: number): void { this.#out.run(source, from, to); }
  text(source: string): void { this.#out.text(source); }
  end(): void { this.values.push(JSON.parse(this.#out.view().toString("utf8", this.#start)) as T); }
}

/** At most `max` elements of a bounded cursor, from where it begins. */
export async function readElements<T>(
  opened: Result<Cursor<LedgerErrorData>, LedgerErrorData>,
  max: number,
): Promise<Result<readonly T[], LedgerErrorData>> {
  if (isFailure(opened)) return opened;
  const cursor = opened.ok, out = new ParsedElements<T>();
  try {
    while (!cursor.ended && out.values.length < max) {
      const written = await cursor.read(Math.min(max - out.values.length, limits.streamBatchElements), out);
      if (written === 0) break;
      await nextTurn(); // a page may be large: others come between
    }
    return cursor.failure ? fail(cursor.failure) : ok(out.values);
  } finally {
    cursor.close();
  }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
