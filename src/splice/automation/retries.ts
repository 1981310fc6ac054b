/** What failed waits, longer each time, before it is tried again; so does what is due again and again although it was done. */
import { limits } from "../../config.js";

interface Attempts {
  readonly failures: number;
  readonly successes: number;
  readonly atMs: number;
}

const none: Attempts = { failures: 0, successes: 0, atMs: 0 };

export class Retries {
  readonly #attempts = new Map<string, Attempts>();

  isWaiting(key: string, nowMs: number): boolean {
    return this.#of(key).atMs > nowMs;
  }

  /** For how long. */
  failed(key: string, nowMs: number): number {
    const { failures, successes } = this.#of(key);
    const waitMs = Math.min(limits.automationRetryMs * 2 ** failures, limits.automationRetryMaxMs);
    this.#attempts.set(key, { failures: failures + 1, successes, atMs: nowMs + waitMs });
    return waitMs;
  }

  /** Done, but it may take more than once; not without end, however. */
  succeeded(key: string, nowMs: number): void {
    const successes = this.#of(key).successes + 1,
      isTooOften = successes % limits.automationRepeatsMax === 0;
    this.#attempts.set(key, { failures: 0, successes, atMs: isTooOften ? nowMs + limits.automationRetryMs : 0 });
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
