/** What a reader keeps about interface views from one batch to the next. */
import { limits } from "../../config.js";
import type { LedgerErrorData } from "../model/index.js";

/** Whose code computes a view, or why nobody's can. */
export type Implementation =
  { readonly packageId: string; readonly refusal?: undefined } | { readonly packageId?: undefined; readonly refusal: LedgerErrorData };

export class ViewReader {
  #atOnce: number = limits.viewsAtOnceFirst;
  readonly #implementations = new Map<string, Implementation>();

  /** How many views are asked for at once: a model decides how long they are, and all of them are in memory together. */
  get atOnce(): number {
    return this.#atOnce;
  }

  /** `chars`: what so many of them took together. Short ones let it double. */
  took(views: number, chars: number): void {
    if (views === 0) return;
    const fitting = Math.floor((limits.viewsAtOnceCharsMax * views) / Math.max(1, chars));
    this.#atOnce = Math.max(1, Math.min(2 * this.#atOnce, fitting, limits.viewsAtOnceMax));
  }

  /** What was first chosen for a template's views stays so for this reader, whatever is uploaded or vetted while it reads. */
  implementation(template: number, interfaceId: string, choose: () => Implementation): Implementation {
    const key = `${template}/${interfaceId}`;
    let chosen = this.#implementations.get(key);
    if (chosen === undefined) this.#implementations.set(key, (chosen = choose()));
    return chosen;
  }
}
