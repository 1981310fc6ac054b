/**
 * Work that goes one after another for each of some names: payments from what a party holds, which at once would want the same contracts,
 * and changes of who has a wallet.
 */
import { Exclusive } from "../../base/exclusive.js";
import { limits } from "../../config.js";
import { refuse, type Refusal } from "../refusal.js";

interface Line {
  readonly turns: Exclusive;
  /** Those that stand in it, the one whose turn it is among them. */
  length: number;
}

export class Lines {
  readonly #lines = new Map<string, Line>();

  /** Undefined: as many wait for that name as may. */
  inTurn<T>(name: string, work: () => Promise<T>): Promise<T> | undefined {
    const line = this.#lines.get(name) ?? { turns: new Exclusive(), length: 0 };
    if (line.length >= limits.walletLineMax) return undefined;
    this.#lines.set(name, line);
    line.length++;
    return line.turns.run(work).finally(() => {
      line.length--;
      if (line.length === 0) this.#lines.delete(name);
    });
  }
}

export const lineIsFull = (name: string): { readonly error: Refusal } =>
  refuse("busy", `As many requests as may wait for ${name} do so: ${limits.walletLineMax}.`);
