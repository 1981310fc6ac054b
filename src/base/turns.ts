import type { Steps } from "./steps.js";

/**
 * What can wait for others' sake rests between two turns while there is something to do for them: what they do goes through the event
 * loop again and again, and would wait for a turn of this each time.
 */
export interface Rest {
  /** Asked when somebody gave way. */
  isDue(): boolean;
  readonly ms: number;
}

/** Resolves in the next turn of the event loop. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Resolves when the event loop has come by everything that waits for it. A thread that never turns it between tasks owes V8 a collection of
 * young objects, and is not to be stopped so: Node.js (seen with 20) makes up for that when it has let the environment of an addon go, into
 * which it then looks for objects that the collection found.
 */
export async function wholeTurn(): Promise<void> {
  await nextTurn();
  await nextTurn();
}

/** A turn's end that is over at any time. */
const never = 0;

/**
 * How long work may hold the event loop. Whatever goes over something whose size a client decides gives way as it goes. A loop that
 * awaits nothing else is a `Steps`, which `through` goes through:
 *
 *   for (const one of many) {
 *     yield;
 *     ...
 *   }
 *
 * One that awaits anyway asks by itself:
 *
 *     if (turns.isOver) await turns.next();
 *
 * What lies between two such places has to be bounded and short; then no turn lasts much longer than the budget. Each turn of
 * the loop has one budget for all who ask in it: a hundred of them hold it up no longer than one does. Those who gave way go on in
 * the order in which they came, after sockets and timers had theirs.
 */
export class Turns {
  readonly #budgetMs: number;
  readonly #rest: Rest | undefined;
  readonly #waiting: (() => void)[] = [];
  /** When the budget of this turn is used up; undefined until somebody asks in it. */
  #until: number | undefined;

  constructor(budgetMs: number, rest?: Rest) {
    this.#budgetMs = budgetMs;
    this.#rest = rest;
  }

  get isOver(): boolean {
    return performance.now() >= (this.#until ??= this.#begin());
  }

  /** Resolves in a later turn. */
  next(): Promise<void> {
    this.#until ??= this.#begin();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Goes through all steps, and gives way where the turn is over. */
  async through<T>(steps: Steps<T>): Promise<T> {
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      if (this.isOver) await this.next();
    }
  }

  #begin(): number {
    setImmediate(this.#renew);
    return performance.now() + this.#budgetMs;
  }

  readonly #renew = (): void => {
    this.#until = undefined;
    if (this.#waiting.length === 0) return;
    if (this.#rest?.isDue() === true) {
      this.#until = never; // whoever asks meanwhile waits as well
      setTimeout(this.#goOn, this.#rest.ms);
    } else this.#goOn();
  };

  readonly #goOn = (): void => {
    this.#until = this.#begin();
    this.#resumeFirst();
  };

  /** It runs until it gives way again or is done; the next one goes on behind it, if there is time left. */
  #resumeFirst(): void {
    this.#waiting.shift()!();
    queueMicrotask(this.#resumeAnother);
  }

  readonly #resumeAnother = (): void => {
    if (this.#waiting.length > 0 && !this.isOver) this.#resumeFirst();
  };
}
