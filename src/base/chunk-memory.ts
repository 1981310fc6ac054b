/**
 * Memory in chunks of one size that is used again: V8 goes through all of its objects for every so many megabytes of new memory, and a
 * reader of everything goes through hundreds a second. Whoever still reads in a chunk that was given back has until the end of this turn
 * of the event loop: it is used again in a later one.
 */
export class ChunkMemory {
  readonly #chunkBytes: number;
  readonly #sparesMax: number;
  readonly #spares: Buffer[] = [];
  #givenBack: Buffer[] = [];
  readonly #chunks = new WeakSet<Buffer>();

  /** `sparesMax`: chunks that are kept while nobody needs them. */
  constructor(chunkBytes: number, sparesMax: number) {
    this.#chunkBytes = chunkBytes;
    this.#sparesMax = sparesMax;
  }

  /** What is in it does not matter. */
  take(): Buffer {
    const spare = this.#spares.pop();
    if (spare !== undefined) return spare;
    const chunk = Buffer.allocUnsafeSlow(this.#chunkBytes);
    this.#chunks.add(chunk);
    return chunk;
  }

  giveBack(chunk: Buffer): void {
    if (this.#givenBack.push(chunk) === 1) setImmediate(this.#spare);
  }

  /** Whether it is a chunk of this memory, whose bytes may be others in a later turn. */
  owns(bytes: Buffer): boolean {
    return this.#chunks.has(bytes);
  }

  readonly #spare = (): void => {
    const free = this.#givenBack;
    this.#givenBack = [];
    for (const chunk of free) if (this.#spares.length < this.#sparesMax) this.#spares.push(chunk);
  };
}
