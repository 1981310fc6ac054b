/**
 * Which changes the table of acceptances may have from formats before 9, in a few bits each (a Bloom filter): most commands are new, and to
 * look in the table for what is not there takes a page of it. What pruning removes stays, which costs a look now and then.
 */
import { addToBloom, bloomBytes, mayBeInBloom } from "../../base/bloom.js";
import { stackOf } from "../../base/error-text.js";
import { hexNumber } from "../../base/hex-number.js";
import type { Log } from "../../base/log.js";
import type { Steps } from "../../base/steps.js";
import type { Turns } from "../../base/turns.js";
import { limits } from "../../config.js";
import type { Tables } from "../../store/index.js";

/** Of hashes in hex. */
export class KeyFilter {
  readonly #bits: Uint8Array;
  #left: number;

  constructor(readonly capacity: number) {
    this.#bits = new Uint8Array(bloomBytes(capacity));
    this.#left = capacity;
  }

  /** With more keys it says more often of another one that it may be there. */
  get isFull(): boolean {
    return this.#left <= 0;
  }

  add(key: string): void {
    addToBloom(this.#bits, firstOf(key), stepOf(key));
    this.#left--;
  }

  /** False: it was not added. */
  mayHave(key: string): boolean {
    return mayBeInBloom(this.#bits, firstOf(key), stepOf(key));
  }
}

const numberDigits = 8,
  firstOf = (key: string): number => hexNumber(key, 0, numberDigits),
  stepOf = (key: string): number => hexNumber(key, numberDigits, numberDigits);

export interface FormerChangesContext {
  readonly tables: Pick<Tables, "deduplication">;
  readonly turns: Turns;
  readonly log: Log;
}

export class FormerChanges {
  readonly #context: FormerChangesContext;
  /** Has all of the table. */
  #filter: KeyFilter | undefined;
  /** Will have it. */
  #filling: KeyFilter | undefined;
  #filled: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(context: FormerChangesContext) {
    this.#context = context;
  }

  /** False: the table does not have it. Asked for the first time it begins to find out which it has. */
  readonly mayHave = (changeKey: string): boolean => {
    if (this.#filter === undefined) this.#fill();
    return this.#filter?.mayHave(changeKey) ?? true;
  };

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#filled;
  }

  #fill(): void {
    if (this.#filling !== undefined || this.#isClosed) return;
    const { turns, log } = this.#context;
    this.#filling = new KeyFilter(limits.formerChangesAtFirst);
    this.#filled = turns.through(this.#steps()).then(
      () => {
        if (!this.#isClosed) this.#filter = this.#filling; // else it may not have all
        this.#filling = undefined;
      },
      // Without it every change is looked for in the table.
      (error: unknown) => log.error("which changes were accepted is not known in memory", { error: stackOf(error) }),
    );
  }

  /** Again with more room where there is not enough. */
  *#steps(): Steps<void> {
    for (let start = firstKey; !this.#isClosed;) {
      const keys = this.#context.tables.deduplication.keys({ start, end: lastKey, limit: keysAtOnce });
      for (const key of keys) this.#filling!.add(key);
      if (keys.length < keysAtOnce) return;
      if (this.#filling!.isFull) {
        this.#filling = new KeyFilter(growth * this.#filling!.capacity);
        start = firstKey;
      } else start = keys.at(-1)!; // once more, as there is no name for what comes next
      yield;
    }
  }
}

const growth = 4,
  keysAtOnce = 250,
  firstKey = "00",
  lastKey = "ff".repeat(32);
