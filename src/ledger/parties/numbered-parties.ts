/** Parties that a reader names, as the numbers that stand for them in keys. Those that nobody knows yet may become known. */
import { anyParty } from "../records/index.js";
import type { Party } from "../model/index.js";
import type { PartyRegistry } from "./party-registry.js";

export class NumberedParties {
  readonly #parties: readonly Party[];
  readonly #registry: Pick<PartyRegistry, "get" | "count">;
  #numbers: ReadonlySet<number> = new Set();
  #partyCount = -1;

  /** None stands for any. */
  constructor(parties: readonly Party[], registry: Pick<PartyRegistry, "get" | "count">) {
    this.#parties = parties;
    this.#registry = registry;
  }

  get isAny(): boolean {
    return this.#parties.length === 0;
  }

  get numbers(): ReadonlySet<number> {
    if (this.#partyCount !== this.#registry.count) {
      this.#partyCount = this.#registry.count;
      this.#numbers = new Set(this.isAny ? [anyParty] : this.#parties.flatMap((party) => this.#registry.get(party)?.number ?? []));
    }
    return this.#numbers;
  }

  hasOneOf(numbers: readonly number[]): boolean {
    if (this.isAny) return true;
    const own = this.numbers;
    return numbers.some((number) => own.has(number));
  }
}
