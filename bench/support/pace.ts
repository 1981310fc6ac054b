/** How fast the machine is: one that others share changes its pace within minutes. */
import { quantile } from "./quantile.js";

const loopRounds = 20_000_000;

function mixed(rounds: number): number {
  let hash = 1;
  for (let round = 0; round < rounds; round++) hash = (Math.imul(hash, 31) + round) | 0;
  return hash;
}

/**
 * Milliseconds of one and the same loop. It is called shortly and often first: V8 would otherwise time its own tiers, as a call that
 * hardly ever comes may find the loop uncompiled again, which takes five times as long.
 */
export function loopMs(): number {
  for (let call = 0; call < 2_000; call++) mixed(1_000);
  const began = performance.now(),
    hash = mixed(loopRounds);
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
