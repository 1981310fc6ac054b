/** A file that a command was asked for. */
import { writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { makeFolder } from "../base/make-folder.js";

/** Its folder is made where there is none. A sentence where it could not be written: scripts have run by then, and are to be told of. */
export function writeOutput(file: string, content: string | Uint8Array): string | undefined {
  try {
    makeFolder(dirname(file));
    writeFileSync(file, content);
    return undefined;
  } catch (error) {
    return `${file} cannot be written: ${(error as Error).message}`;
  }
}
