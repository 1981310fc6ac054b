/**
 * Events as they were printed, within a bound: history does not change, and who follows it asks for the newest again and again.
 * Each is kept by the offset that it was found behind, so that a page is followed from one to the next without a read.
 */
import type { Offset, Party } from "../../ledger/index.js";

interface Kept { readonly offset: Offset; readonly json: Buffer }

export class KeptItems {
  readonly #bytesMax: number;
  /** In the order in which they came. */
  readonly #behind = new Map<Offset, Kept>();
  #bytes = 0;
  #dso: Party | undefined;

  constructor(bytesMax: number) { this.#bytesMax = bytesMax; }

  /** What is kept in a row behind an offset, as this DSO sees it. */
  from(begin: Offset, dso: Party | undefined, max: number): readonly Kept[] {
    const kept: Kept[] = [];
    if (dso !== this.#dso) return kept;
    for (let next = this.#behind.get(begin); next && kept.length < max; next = this.#behind.get(next.offset)) kept.push(next);
    return kept;
  }

  /** Behind `begin` came these, in a row. */
  keep(begin: Offset, dso: Party | undefined, items: readonly Kept[]): void {
    if (dso !== this.#dso) this.#clear(dso);
    let before = begin;
    for (const item of items) {
      if (!this.#behind.has(before)) this.#bytes += item.json.length;
      this.#behind.set(before, item);
      before = item.offset;
    }
    for (const [offset, { json }] of this.#behind) {
      if (this.#bytes <= this.#bytesMax) return;
      this.#behind.delete(offset);
      this.#bytes -= json.length;
    }
  }

  #clear(dso: Party | undefined): void {
    this.#behind.clear();
    this.#bytes = 0;
    this.#dso = dso;
  }
}
