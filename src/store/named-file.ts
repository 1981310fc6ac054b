/**
 * A file that is open, by its name. When its folder is removed or moved, or another file is put in its place, it goes on to take what is
 * written, and nobody finds that again.
 */
import { statSync, type Stats } from "node:fs";

export class NamedFile {
  readonly path: string;
  readonly #opened: Stats | undefined;

  /** Right after it was opened. */
  constructor(path: string) {
    this.path = path;
    this.#opened = statOf(path);
  }

  /** Why it is not found by its name any more; undefined: it is, or the system does not say. */
  problem(): string | undefined {
    let now: Stats | undefined;
    try {
      now = statOf(this.path);
    } catch {
      return undefined; // who may not look, or cannot at the moment, does not know that it is gone
    }
    if (now === undefined) return "it was removed or moved while it was open";
    return now.ino === this.#opened?.ino && now.dev === this.#opened.dev
      ? undefined
      : "another file was put in its place while it was open";
  }
}

const statOf = (path: string): Stats | undefined => statSync(path, { throwIfNoEntry: false });
