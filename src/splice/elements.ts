/** Where cursors of the ledger write for this room: each element as its JSON text, or as the value that this stands for. */
import type { Cursor, ElementWriter } from "../base/element-writer.js";
import { GrowingBytes } from "../base/growing-bytes.js";
import { fail, isFailure, ok, type Result } from "../base/result.js";
import { limits } from "../config.js";
import type { LedgerErrorData } from "../ledger/index.js";
import { turns } from "./turns.js";

class Elements<T> implements ElementWriter {
  readonly values: T[] = [];
  readonly #read: (json: string) => T | undefined;
  readonly #out = new GrowingBytes();
  #start = 0;

  constructor(read: (json: string) => T | undefined) {
    this.#read = read;
  }

  begin(): void {
    this.#start = this.#out.length;
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
    const value = this.#read(this.#out.view().toString("utf8", this.#start));
    if (value !== undefined) this.values.push(value);
  }
  settle(): void {}
}

type Opened = Result<Cursor<LedgerErrorData>, LedgerErrorData>;

/** At most `max` elements of a bounded cursor, from where it begins. */
export const readElements = <T>(opened: Opened, max: number): Promise<Result<readonly T[], LedgerErrorData>> =>
  read(opened, max, (json) => JSON.parse(json) as T);

/** The first `max` of which something is made. */
export const readSome = <T, U>(
  opened: Opened,
  max: number,
  make: (value: T) => U | undefined,
): Promise<Result<readonly U[], LedgerErrorData>> => read(opened, max, (json) => make(JSON.parse(json) as T));

/** The same, as they are. */
export const readTexts = (opened: Opened, max: number): Promise<Result<readonly string[], LedgerErrorData>> =>
  read(opened, max, (json) => json);

async function read<T>(
  opened: Opened,
  max: number,
  readOne: (json: string) => T | undefined,
): Promise<Result<readonly T[], LedgerErrorData>> {
  const out = new Elements<T>(readOne),
    all = await readInto(opened, () => max - out.values.length, out);
  return isFailure(all) ? all : ok(out.values);
}

/** Of a cursor that gives its elements to somebody else than a writer, who says how many more he wants at most. */
export const readTaken = (opened: Opened, wanted: () => number): Promise<Result<void, LedgerErrorData>> => readInto(opened, wanted, nobody);

const nobody: ElementWriter = { begin() {}, bytes() {}, run() {}, text() {}, end() {}, settle() {} };

async function readInto(opened: Opened, wanted: () => number, out: ElementWriter): Promise<Result<void, LedgerErrorData>> {
  if (isFailure(opened)) return opened;
  const cursor = opened.ok;
  try {
    while (!cursor.ended && wanted() > 0) {
      const written = await cursor.read(Math.min(wanted(), limits.streamBatchElements), out);
      if (written === 0) break;
      if (turns.isOver) await turns.next(); // a page may be large: others come between
    }
    return cursor.failure ? fail(cursor.failure) : ok(undefined);
  } finally {
    cursor.close();
  }
}
