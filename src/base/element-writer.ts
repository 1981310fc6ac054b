/** Where a cursor writes the elements it reads: a JSON array in a response, or one frame each on a socket. */
export interface ElementWriter {
  /**
   * Whether there is memory for elements now; asked by who gave way meanwhile, as others took some. Where there is none, nothing is read.
   * Absent: always.
   */
  mayBegin?(): boolean;
  /** Opens an element; its JSON follows by `bytes` and `text` until `end`. */
  begin(): void;
  /** Copies; the source may be reused afterwards. */
  bytes(source: Uint8Array): void;
  /** Copies the part of `source` from `from` to before `to`, now or later: nobody writes there until `settle`. */
  run(source: Uint8Array, from: number, to: number): void;
  /**
   * The same with a hole at `hole` of the source, which is filled with so much of `filling` from `fillingFrom` on. Only where that is
   * quicker than to write three pieces: neighbours are copied together all the same.
   */
  filledRun?(source: Uint8Array, from: number, to: number, hole: number, filling: Filling, fillingFrom: number): void;
  text(source: string): void;
  end(): void;
  /** Copies what it has not copied yet: once this turn of the event loop is over, sources of runs may be written again. */
  settle(): void;
}

/** For who reads only to see whether there is more, or to go on behind it. */
export const discard: ElementWriter = { begin() {}, bytes() {}, run() {}, text() {}, end() {}, settle() {} };

/** What fills many holes of one size, each piece of it one. */
export interface Filling {
  readonly bytes: Uint8Array;
  readonly holeBytes: number;
}

/**
 * A reader's place in an ordered stream: it keeps an offset, never a queue.
 * `read` takes what is there; at the end of it the reader waits for the signal that more may have come.
 */
export interface Cursor<F = unknown> {
  /**
   * Writes at most `max` elements and says how many it wrote; 0 = caught up or ended. Asynchronous where views are computed, and
   * where the turn of the event loop is over: it looks for elements for as long as it takes, a turn at a time.
   */
  read(max: number, out: ElementWriter): number | Promise<number>;
  /** True once no further element can come (a bounded stream that was read to its end, or a failure). */
  readonly ended: boolean;
  /** Why reading ended before the stream did. */
  readonly failure?: F | undefined;
  /** Resolves when more may be there, when `timeoutMs` passed or when `signal` aborts; the caller reads again to see. */
  wait(timeoutMs: number, signal: AbortSignal): Promise<void>;
  /** Releases what it holds; reading after it is a bug. A read under way ends soon, and writes nothing any more. */
  close(): void;
}
