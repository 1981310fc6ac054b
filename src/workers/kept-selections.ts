/** Choices of packages by the names that commands need, which clients choose: within a bound on what all of them hold. */
import { limits } from "../config.js";
import type { Selection } from "../ledger/engine/index.js";

/** What a choice takes for each package and each name, and for each character of names: they are in its key and in its needs. */
const bytesPerEntry = 150,
  bytesPerChar = 3;

export class KeptSelections {
  readonly #packages: number;
  readonly #kept = new Map<string, Selection>();
  #bytes = 0;

  /** `packages`: that a choice is made from, and holds. */
  constructor(packages: number) {
    this.#packages = packages;
  }

  get size(): number {
    return this.#kept.size;
  }

  /** What `select` gives; of names that take too much of the bound it is not kept. */
  of(names: ReadonlySet<string>, select: () => Selection): Selection {
    const key = [...names].sort().join(),
      kept = this.#kept.get(key);
    if (kept !== undefined) return kept;
    const bytes = bytesPerEntry * (this.#packages + names.size) + bytesPerChar * key.length,
      selection = select();
    if (bytes > limits.packageSelectionBytesKeptMax / 4) return selection;
    if (this.#kept.size >= limits.packageSelectionsKeptMax || this.#bytes + bytes > limits.packageSelectionBytesKeptMax) this.#forget();
    this.#kept.set(key, selection);
    this.#bytes += bytes;
    return selection;
  }

  #forget(): void {
    this.#kept.clear();
    this.#bytes = 0;
  }
}
