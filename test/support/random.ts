/** A small generator (mulberry32): whoever uses it prints the seed, so that a failure can be run again. */
export class Random {
  #state: number;
  constructor(seed: number) {
    this.#state = seed | 0;
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  below(count: number): number {
    return Math.floor(this.next() * count);
  }
  chance(probability: number): boolean {
    return this.next() < probability;
  }
  one<T>(from: readonly T[]): T {
    return from[this.below(from.length)]!;
  }
  /** Each with the same chance. */
  some<T>(from: readonly T[], probability = 0.4): T[] {
    return from.filter(() => this.chance(probability));
  }
  /** At least one. */
  several<T>(from: readonly T[]): T[] {
    const chosen = this.some(from);
    return chosen.length > 0 ? chosen : [this.one(from)];
  }
}

/** The same as a function of numbers below what it is given. */
export function drawFrom(seed: number): (below: number) => number {
  const random = new Random(seed);
  return (below) => random.below(below);
}
