/** Pages of snapshots as they were read, within a bound, the last used the longest: a snapshot does not change. */

interface Kept<P> { readonly page: P; readonly bytes: number }

export class KeptPages<P> {
  readonly #bytesMax: number;
  readonly #pages = new Map<string, Kept<P>>();
  #bytes = 0;

  constructor(bytesMax: number) { this.#bytesMax = bytesMax; }

  get(key: string): P | undefined {
    const kept = this.#pages.get(key);
    if (!kept) return undefined;
    this.#pages.delete(key);
    this.#pages.set(key, kept);
    return kept.page;
  }

  keep(key: string, page: P, bytes: number): void {
    this.#drop(key);
    this.#pages.set(key, { page, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#pages.keys()) {
      if (this.#bytes <= this.#bytesMax) return;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    this.#bytes -= this.#pages.get(key)?.bytes ?? 0;
    this.#pages.delete(key);
  }
}
