/** How fast the machine is: one that others share changes its pace within minutes. */
import { quantile } from "./quantile.js";

const loopRounds = 20_000_000;

/** Milliseconds of one and the same loop. */
export function loopMs(): number {
  const began = performance.now();
  let hash = 1;
  for (let round = 0; round < loopRounds; round++) hash = (Math.imul(hash, 31) + round) | 0;
  return hash === 0 ? 0 : performance.now() - began;
}

/** The loop beside each sample of a bench, in the order in which they were taken. */
export class Pace {
  readonly loopsMs: number[] = [];

  /** Before a sample: what it measures does not hold this. */
  look(): void {
    this.loopsMs.push(loopMs());
  }

  /** As a sentence. */
  get text(): string {
    const { loopsMs } = this,
      at = (share: number): string => quantile(loopsMs, share).toFixed(1);
    if (loopsMs.length === 0) return "nothing was timed beside it";
    return `a fixed loop beside ${loopsMs.length} samples took ${at(0)} to ${at(1)} ms, ${at(0.5)} at the median`;
  }
}

export interface Paced {
  readonly pace: Pace;
}
