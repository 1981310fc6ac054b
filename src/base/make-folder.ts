/** Folders that are to be there, with those above them. */
import { existsSync, mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";

/**
 * Gives those that it made, the topmost first. Not mkdir's own recursion: Node.js 20 and 22 run in it for ever where the system will make
 * no folder (below /proc).
 */
export function makeFolder(path: string, mode?: number): readonly string[] {
  const missing: string[] = [];
  for (let at = resolve(path); !existsSync(at) && at !== dirname(at); at = dirname(at)) missing.unshift(at);
  return missing.filter((each) => {
    try {
      mkdirSync(each, mode);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error; // another process was faster
      return false;
    }
  });
}
