import { closeSync, fsyncSync, openSync } from "node:fs";

/** A file, or the names in a folder: a new name may be lost with the power although what it names is on disk. */
export function flushToDisk(path: string): void {
  const file = openSync(path, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
