/** Time as the ledger sees it, in microseconds since the epoch; never goes back within a process. */
export interface Clock {
  nowMicros(): bigint;
}

/** The system's clock, with the microseconds that `Date` lacks taken from the high resolution timer. */
class WallClock implements Clock {
  #last = 0n;

  nowMicros(): bigint {
    const fraction = (process.hrtime.bigint() / 1_000n) % 1_000n;
    const now = BigInt(Date.now()) * 1_000n + fraction;
    if (now > this.#last) this.#last = now;
    return this.#last;
  }
}

export const wallClock = (): Clock => new WallClock();

/** A clock that stands at the epoch until it is moved: `--static-time`. */
export class StaticClock implements Clock {
  #now = 0n;

  nowMicros(): bigint { return this.#now; }

  advanceTo(micros: bigint): void {
    if (micros > this.#now) this.#now = micros;
  }
}
