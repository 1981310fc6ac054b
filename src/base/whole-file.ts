/** A file that others wait for: whoever finds it finds all of it. */
import { accessSync, constants, lstatSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** Puts a new file in its place, where that can be done; a pipe, a link, or a file in a folder that takes no other, is written to as it is. */
export function writeWhole(path: string, text: string): void {
  const unfinished = `${path}.${process.pid}`;
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() !== false)
    try {
      writeFileSync(unfinished, text);
      return renameSync(unfinished, path);
    } catch {
      rmSync(unfinished, { force: true }); // why is told by what follows, which meets the same or goes
    }
  writeFileSync(path, text);
}

/** Why it cannot be written, as far as that can be told without writing. */
export function writeProblem(path: string): string | undefined {
  const there = statSync(path, { throwIfNoEntry: false });
  if (there?.isDirectory()) return "it is a folder";
  try {
    accessSync(there === undefined ? dirname(resolve(path)) : path, constants.W_OK);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Takes it away again, where that can be done and it still `isOwn`; a pipe or a link stays. */
export function removeWhole(path: string, isOwn: (text: string) => boolean): void {
  try {
    if (lstatSync(path).isFile() && isOwn(readFileSync(path, "utf8"))) rmSync(path);
  } catch {
    // It is not there, or somebody else's to remove.
  }
}
