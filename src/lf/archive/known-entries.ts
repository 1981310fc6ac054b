/**
 * Zip entries that were unpacked and found to be what they say, by their packed bytes: nearly every DAR brings along the same packages, and
 * what is known of an entry need not be unpacked again. Only hashes and package ids are kept, the oldest go first.
 */
import { BoundedMap } from "../../base/bounded-map.js";
import type { PackageId } from "../ast.js";

export class KnownEntries {
  /** Undefined: no archive, or nobody has opened it. */
  readonly #entries: BoundedMap<string, PackageId | undefined>;

  constructor(entriesMax: number) {
    this.#entries = new BoundedMap(entriesMax);
  }

  isSound(key: string): boolean {
    return this.#entries.has(key);
  }
  packageIn(key: string): PackageId | undefined {
    return this.#entries.get(key);
  }

  addSound(key: string): void {
    this.#entries.set(key, undefined);
  }
  addPackage(key: string, id: PackageId): void {
    this.#entries.set(key, id);
  }
}
