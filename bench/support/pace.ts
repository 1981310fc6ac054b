/** How fast the machine is: one that others share changes its pace within minutes. */

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
    const sorted = [...this.loopsMs].sort((a, b) => a - b),
      at = (share: number): string => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!.toFixed(1);
    if (sorted.length === 0) return "nothing was timed beside it";
    return `a fixed loop beside ${sorted.length} samples took ${at(0)} to ${at(1)} ms, ${at(0.5)} at the median`;
  }
}

export interface Paced {
  readonly pace: Pace;
}
