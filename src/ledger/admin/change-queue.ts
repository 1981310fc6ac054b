/**
 * Changes one after another, each on the outcome of those before it, written together: whatever is waiting when a write
 * ends becomes the next write, up to where what adds follows what only takes away, or the other way round, as on a full disk the one is
 * refused and the other goes. Nobody gets an answer before it is durable.
 */
import { isFailure } from "../../base/result.js";
import { limits } from "../../config.js";
import { type Answer, type LedgerErrorData, type Outcome } from "../model/index.js";
import { Draft } from "./draft.js";
import type { AdministrationTables, Change } from "./tables.js";

export type Operation<T> = (draft: Draft) => Outcome<T>;

interface Waiting {
  readonly operation: Operation<unknown>;
  readonly resolve: (result: Outcome<unknown>) => void;
  readonly reject: (error: unknown) => void;
}

type Answering = (refusal: LedgerErrorData | undefined) => void;

/** What becomes one write. */
interface Group {
  readonly draft: Draft;
  readonly members: readonly Waiting[];
  /** Undefined where nothing changes. */
  readonly removes: boolean | undefined;
  readonly answers: readonly Answering[];
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
    return new Promise<Outcome<unknown>>((resolve, reject) => {
      this.#waiting.push({ operation, resolve, reject });
      if (!this.#running) void this.#drain();
    }) as Answer<T>;
  }

  async #drain(): Promise<void> {
    this.#running = true;
    await Promise.resolve(); // those of the same turn join the first group
    while (this.#waiting.length > 0) await this.#runGroup(this.#nextGroup());
    this.#running = false;
  }

  /** The first that does not fit in is attempted again with those behind it. */
  #nextGroup(): Group {
    const draft = new Draft(this.#tables),
      answers: Answering[] = [];
    let removes: boolean | undefined;
    for (const waiting of this.#waiting.slice(0, limits.groupCommitSubmissionsMax)) {
      const { fork, answer } = attempt(waiting, draft),
        takesAway = fork && onlyTakesAway(fork, draft);
      if (takesAway !== undefined && takesAway !== (removes ??= takesAway)) break;
      if (fork) draft.absorb(fork);
      answers.push(answer);
    }
    return { draft, members: this.#waiting.splice(0, answers.length), removes, answers };
  }

  async #runGroup({ draft, members, removes, answers }: Group): Promise<void> {
    try {
      const refusal = removes === undefined ? undefined : await this.#write(draft.changes, removes);
      for (const answer of answers) answer(refusal);
    } catch (error) {
      for (const { reject } of members) reject(error); // a bug, perhaps of somebody else in the commit; later groups go on
    }
  }

  /** Gives why nothing of them is recorded. */
  async #write(changes: readonly Change[], removes: boolean): Promise<LedgerErrorData | undefined> {
    const written = await this.#tables.write(changes, { removes });
    if (isFailure(written)) return written.error; // its log says more
    this.#written(changes);
    return undefined;
  }
}

/** Undefined where it changes nothing. To take a right away must not wait for room on the disk either. */
function onlyTakesAway({ changes }: Draft, before: Draft): boolean | undefined {
  if (changes.length === 0) return undefined;
  return changes.every(
    ({ table, key, value }) => value === undefined || (table === "rights" && value.length < (before.get(table, key)?.length ?? 0)),
  );
}

interface Attempt {
  /** What it changes, if it went well. */
  readonly fork: Draft | undefined;
  /** Told once it is known whether the group was written. */
  readonly answer: Answering;
}

function attempt({ operation, resolve, reject }: Waiting, draft: Draft): Attempt {
  const fork = new Draft(draft);
  let result: Outcome<unknown>;
  try {
    result = operation(fork);
  } catch (error) {
    return { fork: undefined, answer: () => reject(error) }; // a bug; the others of the group do not suffer from it
  }
  return {
    fork: isFailure(result) ? undefined : fork,
    answer: (refusal) => resolve(refusal === undefined ? result : { error: refusal }),
  };
}
