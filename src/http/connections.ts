import { limits } from "../config.js";

/** How many connections a process may have that may open so many files; a small one has half of them for what else it opens. */
export const connectionsMax = (openFilesMax: number): number => Math.max(openFilesMax - limits.openFilesKept, Math.floor(openFilesMax / 2));

/**
 * The connections that are open, and how many may be. One more is accepted only to be closed: each takes a file descriptor, and where none
 * is left for a connection that waits, the native code asks the system for it again and again.
 */
export class Connections {
  readonly #max: number;
  readonly #onFull: (max: number) => void;
  #open = 0;
  #isTold = false;

  /** `onFull`: told of the first that finds no room, and again after half of all were gone. */
  constructor(max: number, onFull: (max: number) => void) {
    this.#max = max;
    this.#onFull = onFull;
  }

  /** False: it is to be closed. It counts until it left in any case. */
  enter(): boolean {
    this.#open += 1;
    if (this.#open <= this.#max) return true;
    if (!this.#isTold) this.#onFull(this.#max);
    this.#isTold = true;
    return false;
  }

  leave(): void {
    this.#open -= 1;
    if (this.#open <= this.#max / 2) this.#isTold = false;
  }
}
