/**
 * By when requests have to be answered. Those of one turn of the event loop that have as long share a timer: one for each of them would
 * cost more than all else that is kept of it.
 */
import type { Intake } from "./intake.js";

export interface Expiring {
  /** It was not answered in time. */
  expire(): void;
}

/** Of requests that came together. */
export class Deadline {
  readonly #ms: number;
  readonly #waiting = new Set<Expiring>();
  #timer: NodeJS.Timeout | undefined;

  constructor(ms: number) {
    this.#ms = ms;
  }

  enter(request: Expiring): void {
    this.#waiting.add(request);
    this.#timer ??= setTimeout(this.#pass, this.#ms);
  }

  /** It need not wait any longer. */
  leave(request: Expiring): void {
    this.#waiting.delete(request);
    if (this.#waiting.size > 0) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  readonly #pass = (): void => {
    for (const request of this.#waiting) request.expire();
  };
}

export class Deadlines {
  readonly #intake: Intake;
  /** Of this turn, by how long they give. */
  readonly #latest = new Map<number, Deadline>();
  #turn = -1;

  constructor(intake: Intake) {
    this.#intake = intake;
  }

  /** In so many milliseconds from now. */
  of(request: Expiring, ms: number): Deadline {
    const { turn } = this.#intake;
    if (turn !== this.#turn) {
      this.#latest.clear();
      this.#turn = turn;
    }
    let deadline = this.#latest.get(ms);
    if (deadline === undefined) this.#latest.set(ms, (deadline = new Deadline(ms)));
    deadline.enter(request);
    return deadline;
  }
}
