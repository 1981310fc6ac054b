/**
 * What comes in within one turn of the event loop. The native code reads a connection until its kernel buffer is empty and calls us for
 * each piece of it, so that one client can hold a turn for as long as it sends: what stops the native code is a connection that closes, and
 * a request behind one that was not answered yet.
 */

/** One for all connections. */
export class Intake {
  readonly #requestsMax: number;
  #turn = 0;
  #isBegun = false;
  #requests = 0;

  /** `requestsMax`: those that are answered within a turn. */
  constructor(requestsMax: number) {
    this.#requestsMax = requestsMax;
  }

  /** The number of this turn. */
  get turn(): number {
    if (!this.#isBegun) this.#begin();
    return this.#turn;
  }

  request(): void {
    if (!this.#isBegun) this.#begin();
    this.#requests += 1;
  }

  /** So many requests came in this turn that none more is to be answered in it. */
  get isCrowded(): boolean {
    return this.#requests > this.#requestsMax;
  }

  #begin(): void {
    this.#isBegun = true;
    setImmediate(this.#renew);
  }

  readonly #renew = (): void => {
    this.#isBegun = false;
    this.#turn += 1;
    this.#requests = 0;
  };
}

/** What one connection may bring within a turn. */
export class TurnShare {
  readonly #intake: Intake;
  readonly #max: number;
  #turn = -1;
  #count = 0;

  constructor(intake: Intake, max: number) {
    this.#intake = intake;
    this.#max = max;
  }

  /** One more; false if that is too much. */
  takes(): boolean {
    const { turn } = this.#intake;
    if (turn !== this.#turn) {
      this.#turn = turn;
      this.#count = 0;
    }
    this.#count += 1;
    return this.#count <= this.#max;
  }
}
