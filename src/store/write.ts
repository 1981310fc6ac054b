/** What passes between the tables and the writer of their file. */

/** `insert`: the key is new. `append`: and behind all others; it fills pages to the brim. `remove`: also where there is none. */
export type WriteKind = "put" | "insert" | "append" | "remove";

export interface Write {
  readonly kind: WriteKind;
  readonly table: WrittenTable;
  readonly key: never;
  readonly value: Uint8Array;
}

/** A table as its writer sees it; keys are of the table's own type. */
export interface WrittenTable {
  readonly name: string;
  /** Its number among the tables. */
  readonly index: number;
  /** Gives where the key's bytes end. */
  encodeKey(key: never, target: Buffer, at?: number): number;
  /** A view that the next read overwrites. */
  readShared(key: never): Buffer | undefined;
  /** The bytes of the last key. */
  lastKey(): Buffer | undefined;
  write(write: Write): void;
}

/** Who waits for the file to have what is durable: a reader is likely to go on with what was written, and to wait for the next ones as well. */
export type WhoWaits = "reader" | "commit";

/** It is durable, and not in the file yet. */
export interface WrittenAhead {
  /** Rejects where the file cannot take it, which ends the process. */
  readonly inFile: Promise<void>;
  /** Somebody waits for it; else the file gets it a moment later, with what comes until then. */
  hurry(who: WhoWaits): void;
}

export interface TableWriter {
  /** Resolves once everything is on disk; rejects if nothing of it is. */
  write(writes: readonly Write[], removes: boolean): Promise<void>;
  /** Resolves once everything is durable ahead of the file; undefined: not now, `write` does it. */
  writeAhead(writes: readonly Write[]): Promise<WrittenAhead | undefined>;
  /** They go with what is written next. */
  owe(writes: readonly Write[]): void;
}
