/** Time, in microseconds. */
export interface Clock {
  /** Since the epoch. It may be set, and then also goes back. */
  nowMicros(): bigint;
  /** Since some moment; nobody can set it. */
  elapsedMicros(): bigint;
}

/**
 * The system's clock, with the microseconds that `Date` lacks taken from the high resolution timer. Their milliseconds do not begin
 * together: the timer is moved to where it is within the one that `Date` tells, each time by as little as that takes, so that neither
 * takes it back but who sets `Date`. In doubles, which hold them for another two centuries, until the result: every command asks
 * several times.
 */
class WallClock implements Clock {
  /** What the timer lacks to be microseconds since the epoch. */
  #aheadMicros = 0;

  nowMicros(): bigint {
    const elapsed = elapsedMicros(),
      first = Date.now() * 1_000,
      now = Math.min(Math.max(first, elapsed + this.#aheadMicros), first + 999);
    this.#aheadMicros = now - elapsed;
    return BigInt(now);
  }
  elapsedMicros(): bigint {
    return BigInt(elapsedMicros());
  }
}

const elapsedMicros = (): number => Math.floor(performance.now() * 1_000);

/** The same count on all threads of the process; nobody can set it. */
export const elapsedMs = (): number => Number(process.hrtime.bigint() / 1_000_000n);

export const microsPerSecond = 1_000_000n;
export const microsOf = (seconds: number | bigint): bigint => BigInt(seconds) * microsPerSecond;

/** 24 days; a timer that is set for longer ends at once. */
export const timerMsMax = 2 ** 31 - 1;

export const wallClock = (): Clock => new WallClock();

/** A clock that stands at the epoch until it is moved: `--static-time`. */
export class StaticClock implements Clock {
  #now = 0n;
  readonly #listeners: (() => void)[] = [];

  nowMicros(): bigint {
    return this.#now;
  }
  elapsedMicros(): bigint {
    return 0n;
  }

  advanceTo(micros: bigint): void {
    if (micros <= this.#now) return;
    this.#now = micros;
    for (const listener of this.#listeners) listener();
  }

  onMove(listener: () => void): void {
    this.#listeners.push(listener);
  }
}
