/** Choices of packages by the names that commands need, which clients choose: within a bound on what all of them hold. */
import { limits } from "../config.js";
import type { Selection } from "../ledger/engine/index.js";

export class KeptSelections {
  readonly #packages: number;
  readonly #kept = new Map<string, Selection>();
  #entries = 0;

  /** `packages`: that a choice is made from, and holds. */
  constructor(packages: number) {
    this.#packages = packages;
  }

  get size(): number {
    return this.#kept.size;
  }

  /** What `select` gives; of names that take too much of the bound it is not kept. */
  of(names: ReadonlySet<string>, select: () => Selection): Selection {
    const entries = this.#packages + names.size;
    if (entries > limits.packageSelectionEntriesKeptMax / 4) return select();
    const key = [...names].sort().join(),
      kept = this.#kept.get(key);
    if (kept !== undefined) return kept;
    if (this.#kept.size >= limits.packageSelectionsKeptMax || this.#entries + entries > limits.packageSelectionEntriesKeptMax)
      this.#forget();
    const selection = select();
    this.#kept.set(key, selection);
    this.#entries += entries;
    return selection;
  }

  #forget(): void {
    this.#kept.clear();
    this.#entries = 0;
  }
}
