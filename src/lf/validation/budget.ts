/**
 * What checking may cost. Archives share equal types and expressions, and applying a polymorphic function copies its
 * type, so a small archive can ask for more work than anyone would wait for.
 */
import { limits } from "../../config.js";
import { ValidationFailure } from "./refusal.js";

export class Budget {
  #left: number;
  constructor(steps: number = limits.packageCheckStepsMax) {
    this.#left = steps;
  }

  get left(): number {
    return this.#left;
  }

  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0)
      throw new ValidationFailure("TooExpensive", "", "checking its types takes more steps than packageCheckStepsMax allows for an upload");
  }
}
