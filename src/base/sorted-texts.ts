/**
 * Texts in the order of their UTF-16 code units, while some come and go. What comes is put in its place when the order is asked for:
 * thousands that come one after the other cost no more than once through all of them.
 */
import { firstIndex } from "./first-index.js";

export class SortedTexts {
  readonly #sorted: string[];
  /** They have no place yet. */
  #added: string[] = [];

  /** No text twice, here and in `add`. */
  constructor(texts: Iterable<string>) {
    this.#sorted = [...texts].sort();
  }

  add(text: string): void {
    this.#added.push(text);
  }

  /** It must be there. */
  remove(text: string): void {
    const recent = this.#added.lastIndexOf(text);
    if (recent >= 0) this.#added.splice(recent, 1);
    else this.#sorted.splice(this.#placeOf(text), 1);
  }

  /** A view: what is added or removed later changes it. */
  all(): readonly string[] {
    if (this.#added.length > 0) this.#place(this.#added.sort());
    this.#added = [];
    return this.#sorted;
  }

  #placeOf(text: string): number {
    return firstIndex(this.#sorted.length, (index) => this.#sorted[index]! >= text);
  }

  /** From the last one on, so that each moves once; those before the first that is added stay where they are. */
  #place(added: readonly string[]): void {
    const sorted = this.#sorted;
    let from = sorted.length - 1;
    for (const text of added) sorted.push(text);
    for (let to = sorted.length - 1, next = added.length - 1; next >= 0; to--)
      sorted[to] = from >= 0 && sorted[from]! > added[next]! ? sorted[from--]! : added[next--]!;
  }
}
