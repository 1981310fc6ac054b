/**
 * Seeds of nodes, computed when somebody asks: only contract ids need them during a run, and most exercises
 * create nothing.
 */
import { HmacSha256 } from "../../base/sha256.js";
import { childSeed } from "../transaction/index.js";

export interface TransactionSeed {
  compute(): Uint8Array;
  /** Seeds that the root actions have whatever the transaction's seed is. */
  readonly roots: readonly Uint8Array[];
}

const noSeeds: readonly Uint8Array[] = [];

export class Seed {
  readonly #parent: Seed | TransactionSeed;
  readonly #index: number;
  #bytes: Uint8Array | undefined;
  /** The bytes as the key under which the children's seeds are hashed. */
  #key: HmacSha256 | undefined;
  /** Seeds of children that are given instead of computed. */
  readonly #given: readonly Uint8Array[];

  private constructor(
    parent: Seed | TransactionSeed,
    index: number,
    { bytes, given = noSeeds }: { readonly bytes?: Uint8Array | undefined; readonly given?: readonly Uint8Array[] },
  ) {
    this.#parent = parent;
    this.#index = index;
    this.#bytes = bytes;
    this.#given = given;
  }

  static ofTransaction(seed: TransactionSeed): Seed {
    return new Seed(seed, 0, { given: seed.roots });
  }

  /** Of the action at `index` among the children; the roots are the children of the transaction. */
  child(index: number): Seed {
    return new Seed(this, index, { bytes: this.#givenAt(index) });
  }

  /** The bytes of `child(index)`, for a node that has no children. */
  bytesOfChild(index: number): Uint8Array {
    return this.#givenAt(index) ?? childSeed(this.key, index);
  }

  /** Whether the seed of `child(index)` is given instead of computed. */
  gives(index: number): boolean {
    return this.#givenAt(index) !== undefined;
  }

  #givenAt(index: number): Uint8Array | undefined {
    return index < this.#given.length ? this.#given[index] : undefined;
  }

  get key(): HmacSha256 {
    return (this.#key ??= new HmacSha256(this.bytes));
  }

  /** Exercises nest without bound, so ancestors are not visited by recursion. */
  get bytes(): Uint8Array {
    if (this.#bytes !== undefined) return this.#bytes;
    const missing: Seed[] = [];
    let known: Seed = this;
    while (known.#bytes === undefined && known.#parent instanceof Seed) {
      missing.push(known);
      known = known.#parent;
    }
    let bytes = (known.#bytes ??= (known.#parent as TransactionSeed).compute());
    for (let seed = missing.pop(); seed !== undefined; seed = missing.pop()) {
      bytes = seed.#bytes = childSeed(known.key, seed.#index);
      known = seed;
    }
    return bytes;
  }
}
