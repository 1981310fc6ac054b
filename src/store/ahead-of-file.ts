/**
 * What is durable in the journal and not in the file: it goes there a moment later, all of it together, or soon once it is much or somebody
 * waits for that. Where somebody waited a moment ago the next ones go there at once: he is likely to be one who goes on with what he wrote.
 */
import { limits } from "../config.js";
import type { JournalPlace } from "./journal.js";
import { keyBytesMax } from "./keys.js";
import { markOf, type RecordMark, type TableSums } from "./table-sums.js";
import type { Write, WrittenTable } from "./write.js";

export interface AheadCommit {
  readonly writes: readonly Write[];
  /** Of its records. */
  readonly bytes: number;
  /** What the tables hold with it. */
  readonly sums: TableSums;
  readonly place: JournalPlace;
}

type Marks = ReadonlyMap<string, RecordMark | undefined>;

export class AheadOfFile {
  readonly #write: (some: readonly AheadCommit[]) => Promise<void>;
  /** In the order in which they were asked for. */
  #commits: readonly Followed[] = [];
  #delay: NodeJS.Timeout | undefined;
  #isWriting = false;
  #isHurried = false;
  /** Why the file takes nothing any more. */
  #refusal: { readonly reason: unknown } | undefined;
  /** By `performance.now()`. */
  #atOnceUntil = -Infinity;

  /** `write`: puts some into the file. */
  constructor(write: (some: readonly AheadCommit[]) => Promise<void>) {
    this.#write = write;
  }

  get bytes(): number {
    return this.#commits.reduce((bytes, { commit }) => bytes + commit.bytes, 0);
  }
  get isEmpty(): boolean {
    return this.#commits.length === 0;
  }

  /** Resolves when the file has it; where it cannot take it, nothing that comes later gets there either. */
  add(commit: AheadCommit): Promise<void> {
    const followed = new Followed(commit);
    this.#commits = [...this.#commits, followed];
    if (this.#refusal === undefined) this.#goOn();
    else followed.reject(this.#refusal.reason);
    return followed.inFile;
  }

  readonly hurry = (): void => {
    if (this.isEmpty) return;
    this.#isHurried = true;
    this.#atOnceUntil = performance.now() + limits.journalAtOnceMs;
    this.#goOn();
  };

  /** Resolves when the file has all that is here. */
  inFile(): Promise<void> {
    this.hurry();
    return this.#commits.at(-1)?.inFile ?? Promise.resolve();
  }

  #goOn(): void {
    if (this.#isWriting || this.isEmpty) return;
    if (!this.#isHurried && !this.#isEnough() && performance.now() >= this.#atOnceUntil) {
      this.#delay ??= setTimeout(this.#writeAll, limits.journalDelayMs);
      return;
    }
    clearTimeout(this.#delay); // it may be due in this very turn
    this.#isWriting = true;
    setImmediate(this.#writeAll); // the answers go first
  }

  #isEnough(): boolean {
    const writes = this.#commits.reduce((sum, { commit }) => sum + commit.writes.length, 0);
    return writes >= limits.journalWritesMax || this.bytes >= limits.journalBytes / 4;
  }

  readonly #writeAll = (): void => {
    this.#delay = undefined;
    this.#isWriting = true;
    this.#isHurried = false;
    const some = this.#commits;
    this.#write(some.map(({ commit }) => commit)).then(
      () => {
        this.#commits = this.#commits.slice(some.length);
        for (const { resolve } of some) resolve();
        this.#isWriting = false;
        this.#goOn();
      },
      (reason: unknown) => {
        this.#refusal = { reason };
        for (const { reject } of this.#commits) reject(reason);
      },
    );
  };

  /** Of a record that is written here; undefined: none is, and the file tells. */
  markAt(table: WrittenTable, key: Buffer, keyBytes: number): { readonly mark: RecordMark | undefined } | undefined {
    for (let index = this.#commits.length - 1; index >= 0; index--) {
      const marks = this.#commits[index]!.marksOf(table),
        name = marks && key.toString("latin1", 0, keyBytes);
      if (name !== undefined && marks!.has(name)) return { mark: marks!.get(name) };
    }
    return undefined;
  }
}

class Followed {
  readonly inFile: Promise<void>;
  resolve!: () => void;
  reject!: (error: unknown) => void;
  /** Of the tables that somebody asked about, by the bytes of their keys. */
  readonly #marks = new Map<WrittenTable, Marks | undefined>();

  constructor(readonly commit: AheadCommit) {
    this.inFile = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    this.inFile.catch(() => undefined); // who waits for it hears of it, and the process was told
  }

  /** What it writes to a table; undefined: nothing. */
  marksOf(table: WrittenTable): Marks | undefined {
    if (!this.#marks.has(table)) this.#marks.set(table, this.#readMarks(table));
    return this.#marks.get(table);
  }

  #readMarks(table: WrittenTable): Marks | undefined {
    let marks: Map<string, RecordMark | undefined> | undefined;
    for (const { kind, table: written, key, value } of this.commit.writes) {
      if (written !== table) continue;
      const name = keyBuffer.toString("latin1", 0, table.encodeKey(key, keyBuffer));
      (marks ??= new Map()).set(name, kind === "remove" ? undefined : markOf(value));
    }
    return marks;
  }
}

const keyBuffer = Buffer.allocUnsafeSlow(keyBytesMax);
