/**
 * Changes one after another, each on the outcome of those before it, written together: whatever is waiting when a write
 * ends becomes the next write. Nobody gets an answer before it is durable.
 */
import { isFailure, type Result } from "../../base/result.js";
import { limits } from "../../config.js";
import { type Answer, type LedgerErrorData } from "../model/index.js";
import { Draft } from "./draft.js";
import type { AdministrationTables, Change } from "./tables.js";

export type Operation<T> = (draft: Draft) => Result<T, LedgerErrorData>;

interface Waiting {
  readonly operation: Operation<unknown>;
  readonly resolve: (result: Result<unknown, LedgerErrorData>) => void;
  readonly reject: (error: unknown) => void;
}

export class ChangeQueue {
  readonly #tables: AdministrationTables;
  readonly #written: (changes: readonly Change[]) => void;
  readonly #waiting: Waiting[] = [];
  #running = false;

  /** `written` is told of changes once they are durable, before anybody gets an answer. */
  constructor(tables: AdministrationTables, written: (changes: readonly Change[]) => void) {
    this.#tables = tables;
    this.#written = written;
  }

  run<T>(operation: Operation<T>): Answer<T> {
    return new Promise<Result<unknown, LedgerErrorData>>((resolve, reject) => {
      this.#waiting.push({ operation, resolve, reject });
      if (!this.#running) void this.#drain();
    }) as Answer<T>;
  }

  async #drain(): Promise<void> {
    this.#running = true;
    await Promise.resolve(); // those of the same turn join the first group
    while (this.#waiting.length > 0) await this.#runGroup(this.#waiting.splice(0, limits.groupCommitSubmissionsMax));
    this.#running = false;
  }

  async #runGroup(group: readonly Waiting[]): Promise<void> {
    const draft = new Draft(this.#tables);
    const answers = group.map((waiting) => attempt(waiting, draft));
    try {
      const refusal = await this.#write(draft.changes);
      for (const answer of answers) answer(refusal);
    } catch (error) {
      for (const { reject } of group) reject(error); // a bug, perhaps of somebody else in the commit; later groups go on
    }
  }

  /** Gives why nothing of them is recorded. */
  async #write(changes: readonly Change[]): Promise<LedgerErrorData | undefined> {
    if (changes.length === 0) return undefined;
    const written = await this.#tables.write(changes);
    if (isFailure(written)) return written.error; // its log says more
    this.#written(changes);
    return undefined;
  }
}

/** Gives the answer once it is known whether the group was written. */
function attempt({ operation, resolve, reject }: Waiting, draft: Draft): (refusal: LedgerErrorData | undefined) => void {
  const fork = new Draft(draft);
  let result: Result<unknown, LedgerErrorData>;
  try {
    result = operation(fork);
  } catch (error) {
    return () => reject(error); // a bug; the others of the group do not suffer from it
  }
  if (!isFailure(result)) draft.absorb(fork);
  return (refusal) => resolve(refusal === undefined ? result : { error: refusal });
}
