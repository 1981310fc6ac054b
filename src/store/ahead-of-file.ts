/**
 * What is durable in the journal and not in the file: it goes there a moment later, all of it together, or soon once it is much or somebody
 * waits for that: each time costs two flushes, and pages that the next time writes again. Where a reader waited a moment ago the next ones
 * go there at once: he is likely to be one who goes on with what he wrote.
 */
import { limits } from "../config.js";
import type { JournalPlace } from "./journal.js";
import { keyBytesMax } from "./keys.js";
import { markOf, type RecordMark, type TableSums } from "./table-sums.js";
import type { WhoWaits, Write, WrittenTable } from "./write.js";

export interface AheadCommit {
  readonly writes: readonly Write[];
  /** Of its records. */
  readonly bytes: number;
  /** What the tables hold with it. */
  readonly sums: TableSums;
  readonly place: JournalPlace;
}

type Marks = ReadonlyMap<string, RecordMark | undefined>;

export interface AheadOfFileOptions {
  /** Puts some into the file. */
  write(some: readonly AheadCommit[]): Promise<void>;
  /** How many bytes of records find room in the file for sure. */
  readonly assuredBytes: () => number;
}

export class AheadOfFile {
  readonly #options: AheadOfFileOptions;
  /** In the order in which they were asked for. */
  #commits: readonly Followed[] = [];
  #bytes = 0;
  #writes = 0;
  #delay: NodeJS.Timeout | undefined;
  #isWriting = false;
  #isHurried = false;
  /** Why the file takes nothing any more. */
  #refusal: { readonly reason: unknown } | undefined;
  /** By `performance.now()`. */
  #atOnceUntil = -Infinity;

  constructor(options: AheadOfFileOptions) {
    this.#options = options;
  }

  get bytes(): number {
    return this.#bytes;
  }
  get isEmpty(): boolean {
    return this.#commits.length === 0;
  }

  /** Resolves when the file has it; where it cannot take it, nothing that comes later gets there either. */
  add(commit: AheadCommit): Promise<void> {
    const followed = new Followed(commit);
    this.#commits = [...this.#commits, followed];
    this.#count(commit, 1);
    if (this.#refusal === undefined) this.#goOn();
    else followed.reject(this.#refusal.reason);
    return followed.inFile;
  }

  #count({ bytes, writes }: AheadCommit, times: 1 | -1): void {
    this.#bytes += times * bytes;
    this.#writes += times * writes.length;
  }

  readonly hurry = (who: WhoWaits): void => {
    if (this.isEmpty) return;
    this.#isHurried = true;
    if (who === "reader") this.#atOnceUntil = performance.now() + limits.journalAtOnceMs;
    this.#goOn();
  };

  /** Resolves when the file has all that is here. */
  inFile(): Promise<void> {
    this.hurry("commit");
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

  /** Half of what there is room for: the other half may come while it is written. */
  #isEnough(): boolean {
    return (
      this.#writes >= limits.journalWritesMax
      || this.#commits.length >= limits.journalCommitsMax
      || this.#bytes >= Math.min(limits.journalBytes / 2, this.#options.assuredBytes()) / 2
    );
  }

  readonly #writeAll = (): void => {
    this.#delay = undefined;
    this.#isWriting = true;
    this.#isHurried = false;
    const some = this.#commits;
    this.#options.write(some.map(({ commit }) => commit)).then(
      () => {
        this.#commits = this.#commits.slice(some.length);
        for (const { commit, resolve } of some) {
          this.#count(commit, -1);
          resolve();
        }
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
