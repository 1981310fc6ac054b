/** The folder a node lives in: its own, or a temporary one that goes with it; never shared by two processes. */
import { existsSync, mkdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { FileLockUnavailable } from "./base/file-lock.js";
import { holderOf, isSystemError, lockFolder, makeLockedFolder, removeLeftovers } from "./base/locked-folder.js";

/** Why a folder cannot be had, in words for the one who named it. */
export class DataFolderUnusable extends Error {
  override readonly name = "DataFolderUnusable";
}

export interface DataFolder {
  readonly path: string;
  /** Unlocks it; a temporary one is removed. */
  release(): void;
}

export function lockDataFolder(path: string): DataFolder {
  return inWords(path, () => {
    makeFolder(path);
    const lock = lockFolder(path);
    if (lock === undefined) throw new DataFolderUnusable(`The ledger in ${path} is in use by ${holderOf(path)}.`);
    return { path, release: () => lock.release() };
  });
}

/** Not mkdir's own recursion: Node.js 20 and 22 run in it for ever where the system will make no folder (below /proc). */
function makeFolder(path: string): void {
  if (existsSync(path)) {
    if (!statSync(path).isDirectory()) throw new DataFolderUnusable(`${path} is not a folder.`);
    return;
  }
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent);
  try {
    mkdirSync(path, { mode: 0o700 }); // it holds the node's keys
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error; // another process was faster
  }
}

const temporaryPrefix = "ledgerline-memory-";

export function temporaryDataFolder(): DataFolder {
  return inWords(tmpdir(), () => {
    const prefix = join(tmpdir(), temporaryPrefix);
    removeLeftovers(prefix);
    const { path, lock } = makeLockedFolder(prefix);
    process.once("exit", () => remove(path)); // its end unlocks it
    return {
      path,
      release: () => {
        remove(path);
        lock.release();
      },
    };
  });
}

const remove = (path: string): void => rmSync(path, { recursive: true, force: true });

function inWords<T>(path: string, use: () => T): T {
  try {
    return use();
  } catch (error) {
    if (error instanceof FileLockUnavailable || isSystemError(error)) throw new DataFolderUnusable(`${path} cannot hold a ledger: ${error.message}`);
    throw error;
  }
}
