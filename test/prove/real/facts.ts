/**
 * What clients know of things that have a state each, such as users: what they were told, or, where an answer never came, what it was and
 * what was asked for.
 */
import assert from "node:assert/strict";

export class Facts {
  /** By name: the states that each may have. */
  readonly #may = new Map<string, readonly string[]>();

  /** `before`: of one that was never heard of. */
  stateOf(name: string, before: string): string {
    const [state] = this.#may.get(name) ?? [before];
    return state!;
  }

  /** From now on either is possible. */
  asked(name: string, before: string, next: string): void {
    this.#may.set(name, [this.stateOf(name, before), next]);
  }
  told(name: string, state: string): void {
    this.#may.set(name, [state]);
  }

  /** What is found stays, or it was never there. */
  found(name: string, state: string): void {
    const may = this.#may.get(name)!;
    assert.ok(may.includes(state), `${name} is ${state} after a kill, and should be ${may.join(" or ")}`);
    this.told(name, state);
  }

  get names(): readonly string[] {
    return [...this.#may.keys()];
  }
}
