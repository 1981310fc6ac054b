/** How many views a reader asks for at once: a model decides how long they are, and all of them are in memory together. */
import { limits } from "../../config.js";

export class ViewPace {
  #atOnce: number = limits.viewsAtOnceFirst;

  get atOnce(): number {
    return this.#atOnce;
  }

  /** `chars`: what so many of them took together. Short ones let it double. */
  took(views: number, chars: number): void {
    if (views === 0) return;
    const fitting = Math.floor((limits.viewsAtOnceCharsMax * views) / Math.max(1, chars));
    this.#atOnce = Math.max(1, Math.min(2 * this.#atOnce, fitting, limits.viewsAtOnceMax));
  }
}
