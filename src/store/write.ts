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
  /** How long the key's bytes are. */
  encodeKey(key: never, target: Buffer): number;
  /** A view that the next read overwrites. */
  readShared(key: never): Buffer | undefined;
  /** The bytes of the last key. */
  lastKey(): Buffer | undefined;
  write(write: Write): void;
}

export interface TableWriter {
  /** Resolves once everything is on disk; rejects if nothing of it is. */
  write(writes: readonly Write[], removes: boolean): Promise<void>;
  /** They go with what is written next. */
  owe(writes: readonly Write[]): void;
}
