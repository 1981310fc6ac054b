/** Pages of snapshots as they were read, within a bound, the last used the longest: a snapshot does not change. */

import { sha256Hex } from "../base/sha256.js";
import { limits } from "../config.js";

interface Kept<P> {
  readonly page: P;
  readonly bytes: number;
}

/** All that a page depends on. A client may name thousands of parties, and what is remembered of that is as short as of any other page. */
export const pageKey = (dependsOn: readonly unknown[]): string => sha256Hex(JSON.stringify(dependsOn));

/** Of what a page takes beside its list. */
export const keptPageBytes = 512;

export class KeptPages<P> {
  readonly #bytesMax: number;
  readonly #pages = new Map<string, Kept<P>>();
  #bytes = 0;
  /** Keys of pages that were read and not kept, the oldest first. */
  readonly #readOnce = new Set<string>();

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get(key: string): P | undefined {
    const kept = this.#pages.get(key);
    if (!kept) return undefined;
    this.#pages.delete(key);
    this.#pages.set(key, kept);
    return kept.page;
  }

  /** Whether a page that costs little to read is worth its memory: it is when it is read for the second time. */
  isReadAgain(key: string): boolean {
    if (this.#readOnce.delete(key)) return true;
    this.#readOnce.add(key);
    for (const oldest of this.#readOnce) {
      if (this.#readOnce.size <= limits.scanPagesReadOnceMax) break;
      this.#readOnce.delete(oldest);
    }
    return false;
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
