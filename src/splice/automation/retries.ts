/** What failed waits, longer each time, before it is tried again; so does what is due again and again although it was done. */
import { limits } from "../../config.js";

interface Attempts {
  readonly failures: number;
  /** How often there was nothing left to do when its turn came. */
  readonly skips: number;
  readonly successes: number;
  readonly atMs: number;
}

const none: Attempts = { failures: 0, skips: 0, successes: 0, atMs: 0 };

export class Retries {
  readonly #attempts = new Map<string, Attempts>();

  isWaiting(key: string, nowMs: number): boolean {
    return this.#of(key).atMs > nowMs;
  }

  /** How often in a row it came to nothing; 0: it is new, or was done the last time. */
  inVain(key: string): number {
    const { failures, skips } = this.#of(key);
    return failures + skips;
  }

  /** For how long. */
  failed(key: string, nowMs: number): number {
    const attempts = this.#of(key),
      { failures } = attempts;
    const waitMs = Math.min(limits.automationRetryMs * 2 ** failures, limits.automationRetryMaxMs);
    this.#attempts.set(key, { ...attempts, failures: failures + 1, atMs: nowMs + waitMs });
    return waitMs;
  }

  /** There was nothing left to do: it waits for nothing, but others come first. */
  skipped(key: string): void {
    const attempts = this.#of(key);
    this.#attempts.set(key, { ...attempts, skips: attempts.skips + 1, atMs: 0 });
  }

  /** Done, but it may take more than once; not without end, however. */
  succeeded(key: string, nowMs: number): void {
    const successes = this.#of(key).successes + 1,
      isTooOften = successes % limits.automationRepeatsMax === 0;
    this.#attempts.set(key, { ...none, successes, atMs: isTooOften ? nowMs + limits.automationRetryMs : 0 });
  }

  /** Forgets all but these and those that wait, which nobody has looked at: the others are not due any more. */
  keep(keys: ReadonlySet<string>, nowMs: number): void {
    for (const key of this.#attempts.keys()) if (!keys.has(key) && !this.isWaiting(key, nowMs)) this.#attempts.delete(key);
  }

  /** When the next may be tried again; Infinity: nothing waits. */
  nextMs(): number {
    return Math.min(...[...this.#attempts.values()].flatMap(({ atMs }) => (atMs > 0 ? [atMs] : [])));
  }

  #of(key: string): Attempts {
    return this.#attempts.get(key) ?? none;
  }
}
