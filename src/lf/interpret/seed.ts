/**
 * Seeds of nodes (sheet 4.6), computed when somebody asks: only contract ids need them during a run, and most exercises
 * create nothing.
 */
import { childSeed } from "../transaction/index.js";

export class Seed {
  readonly #parent: Seed | undefined;
  readonly #index: number;
  #bytes: Uint8Array | undefined;

  private constructor(parent: Seed | undefined, index: number, bytes: Uint8Array | undefined) {
    this.#parent = parent;
    this.#index = index;
    this.#bytes = bytes;
  }

  static ofTransaction(bytes: Uint8Array): Seed { return new Seed(undefined, 0, bytes); }

  /** Of the action at `index` among the children; the roots are the children of the transaction. */
  child(index: number): Seed { return new Seed(this, index, undefined); }

  /** Exercises nest without bound, so ancestors are not visited by recursion. */
  get bytes(): Uint8Array {
    const missing: Seed[] = [];
    let known: Seed = this;
    while (known.#bytes === undefined && known.#parent !== undefined) {
      missing.push(known);
      known = known.#parent;
    }
    let bytes = known.#bytes as Uint8Array;
    for (let seed = missing.pop(); seed !== undefined; seed = missing.pop()) bytes = seed.#bytes = childSeed(bytes, seed.#index);
    return bytes;
  }
}
