/** Where cursors of the ledger write for this room: each element as its JSON text, or as the value that this stands for. */
import { type Cursor, discard, type ElementWriter } from "../base/element-writer.js";
import { GrowingBytes } from "../base/growing-bytes.js";
import { fail, isFailure, ok, type Result } from "../base/result.js";
import { whileWanted, type Steps } from "../base/steps.js";
import type { Turns } from "../base/turns.js";
import { utf8Text } from "../base/utf8-text.js";
import { limits } from "../config.js";
import type { LedgerErrorData } from "../ledger/index.js";

class Elements<T> implements ElementWriter {
  readonly values: T[] = [];
  readonly #read: (json: Buffer) => T | undefined;
  readonly #out = new GrowingBytes();

  /** The bytes are there until the next element begins. */
  constructor(read: (json: Buffer) => T | undefined) {
    this.#read = read;
  }

  /** In the memory of the one before, which was read: there may be many. */
  begin(): void {
    this.#out.clear();
  }
  bytes(source: Uint8Array): void {
    this.#out.bytes(source);
  }
  run(source: Uint8Array, from: number, to: number): void {
    this.#out.run(source, from, to);
  }
  text(source: string): void {
    this.#out.text(source);
  }
  end(): void {
    const value = this.#read(this.#out.view());
    if (value !== undefined) this.values.push(value);
  }
  settle(): void {}
}

type Opened = Result<Cursor<LedgerErrorData>, LedgerErrorData>;

/** At most `max` elements of a bounded cursor, from where it begins: it gives way to others between them, not within one. */
export const readElements = <T>(opened: Opened, max: number): Promise<Result<readonly T[], LedgerErrorData>> =>
  readAtOnce(opened, max, (json) => JSON.parse(json.toString()) as T);

/** The first `max` of which something is made; so many are read together at least, as it may be of few. */
export async function readSome<T, U>(
  opened: Opened,
  { max, atOnceMin }: { readonly max: number; readonly atOnceMin: number },
  make: (value: T) => U | undefined,
): Promise<Result<readonly U[], LedgerErrorData>> {
  const out = new Elements<U>((json) => make(JSON.parse(json.toString()) as T)),
    all = await readInto(opened, () => stillWanted(max - out.values.length, atOnceMin), out);
  return isFailure(all) ? all : ok(out.values.slice(0, max));
}

/** Of those that are left to be found. */
export const stillWanted = (left: number, atOnceMin: number): number => (left > 0 ? Math.max(left, atOnceMin) : 0);

/**
 * The same, with what is made of the text of each; others come between within one as well, as it may be long. Rejects once it is not
 * `wanted` any more.
 */
export async function readInSteps<T>(
  opened: Opened,
  { max, turns, wanted }: { readonly max: number; readonly turns: Turns; readonly wanted?: AbortSignal | undefined },
  make: (json: string) => Steps<T>,
): Promise<Result<readonly T[], LedgerErrorData>> {
  const copies = new Elements<Buffer>((json) => Buffer.from(json)),
    all = await readInto(opened, () => (wanted?.aborted === true ? 0 : max - copies.values.length), copies);
  if (isFailure(all)) return all;
  const making = function* (): Steps<readonly T[]> {
    const made: T[] = [];
    for (const text of copies.values) {
      made.push(yield* make(yield* longText(text)));
      yield;
    }
    return made;
  };
  return ok(await turns.through(whileWanted(making(), wanted)));
}

/** Of JSON as it was read. */
export function* longText(json: string | Uint8Array): Steps<string> {
  if (typeof json === "string") return json;
  return yield* utf8Text(Buffer.from(json.buffer, json.byteOffset, json.length), limits.textPieceBytes);
}

async function readAtOnce<T>(opened: Opened, max: number, make: (json: Buffer) => T): Promise<Result<readonly T[], LedgerErrorData>> {
  const out = new Elements<T>(make),
    all = await readInto(opened, () => max - out.values.length, out);
  return isFailure(all) ? all : ok(out.values);
}

/** Of a cursor that gives its elements to somebody else than a writer, who says how many more he wants at most. */
export const readTaken = (opened: Opened, wanted: () => number): Promise<Result<void, LedgerErrorData>> =>
  readInto(opened, wanted, discard);

async function readInto(opened: Opened, wanted: () => number, out: ElementWriter): Promise<Result<void, LedgerErrorData>> {
  if (isFailure(opened)) return opened;
  const cursor = opened.ok;
  try {
    while (!cursor.ended && wanted() > 0) {
      const written = await cursor.read(Math.min(wanted(), limits.streamBatchElements), out); // it gives way to others
      if (written === 0) break;
    }
    return cursor.failure ? fail(cursor.failure) : ok(undefined);
  } finally {
    cursor.close();
  }
}
