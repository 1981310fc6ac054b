/**
 * Seeds of nodes, computed when somebody asks: only contract ids need them during a run, and most exercises
 * create nothing.
 */
import { HmacSha256 } from "../../base/sha256.js";
import { childSeed } from "../transaction/index.js";

export class Seed {
  readonly #parent: Seed | undefined;
  readonly #index: number;
  #bytes: Uint8Array | undefined;
  /** The bytes as the key under which the children's seeds are hashed. */
  #key: HmacSha256 | undefined;
  /** Seeds of children that are given instead of computed. */
  #given: readonly Uint8Array[] = [];

  private constructor(parent: Seed | undefined, index: number, bytes: Uint8Array | undefined) {
    this.#parent = parent;
    this.#index = index;
    this.#bytes = bytes;
  }

  /** `roots`: seeds that the root actions have whatever the transaction's seed is. */
  static ofTransaction(bytes: Uint8Array, roots: readonly Uint8Array[] = []): Seed {
    const seed = new Seed(undefined, 0, bytes);
    seed.#given = roots;
    return seed;
  }

  /** Of the action at `index` among the children; the roots are the children of the transaction. */
  child(index: number): Seed {
    return new Seed(this, index, this.#given[index]);
  }

  /** The bytes of `child(index)`, for a node that has no children. */
  bytesOfChild(index: number): Uint8Array {
    return this.#given[index] ?? childSeed(this.key, index);
  }

  /** Whether the seed of `child(index)` is given instead of computed. */
  gives(index: number): boolean {
    return this.#given[index] !== undefined;
  }

  get key(): HmacSha256 {
    return (this.#key ??= new HmacSha256(this.bytes));
  }

  /** Exercises nest without bound, so ancestors are not visited by recursion. */
  get bytes(): Uint8Array {
    if (this.#bytes !== undefined) return this.#bytes;
    const missing: Seed[] = [];
    let known: Seed = this;
    while (known.#bytes === undefined) {
      missing.push(known);
      known = known.#parent as Seed; // the transaction's own seed is known
    }
    let bytes = known.#bytes;
    for (let seed = missing.pop(); seed !== undefined; seed = missing.pop()) {
      bytes = seed.#bytes = childSeed(known.key, seed.#index);
      known = seed;
    }
    return bytes;
  }
}
