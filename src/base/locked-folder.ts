/** Folders that belong to one process at a time, by a lock on a file in them; and some that go with the process that made them. */
import { lstatSync, mkdtempSync, readdirSync, renameSync, rmSync, type Stats } from "node:fs";
import { basename, dirname, join } from "node:path";
import { assert } from "./assert.js";
import { type FileLock, isReadOnlyMedium, tryFileLock, tryReadersLock } from "./file-lock.js";
import { lockFileName, ownName } from "./lock-holder.js";

/** Undefined when another process has it. */
export function lockFolder(path: string): FileLock | undefined {
  const lock = tryFileLock(join(path, lockFileName), "create");
  lock?.tell(ownName());
  return lock;
}

/** For one who only reads there: where nothing can be written, it is shared with others who read. */
export function lockFolderToRead(path: string): FileLock | undefined {
  try {
    return lockFolder(path);
  } catch (error) {
    if (!isReadOnlyMedium(error)) throw error;
    return tryReadersLock(join(path, lockFileName));
  }
}

export interface LockedFolder {
  readonly path: string;
  readonly lock: FileLock;
}

/** Whoever finds a folder of this name with nobody's lock on it may remove it, so it has the name only once it is locked. */
export function makeLockedFolder(prefix: string): LockedFolder {
  const made = mkdtempSync(`${prefix}${unlockedMark}`),
    path = `${prefix}${made.slice(prefix.length + unlockedMark.length)}`;
  try {
    const lock = lockFolder(made);
    assert(lock, "nobody else knows a folder that was just made");
    renameSync(made, path);
    return { path, lock };
  } catch (error) {
    rmSync(made, { recursive: true, force: true }); // nobody else would soon
    throw error;
  }
}

const unlockedMark = "new-";
/** As mkdtemp chooses them, and no name with the mark. */
const suffix = /^[A-Za-z0-9]{6}$/;

/** Those whose makers are gone. `unlockedMs`: nobody takes longer to lock one that he has just made. */
export function removeLeftovers(prefix: string, unlockedMs: number): void {
  const parent = dirname(prefix),
    start = basename(prefix);
  const isNamed = (name: string, own: string): boolean => name.startsWith(own) && suffix.test(name.slice(own.length));
  for (const name of readdirSync(parent)) {
    const path = join(parent, name);
    if (isNamed(name, start) && ownFolder(path)) removeIfUnlocked(path, "fail");
    else if (isNamed(name, `${start}${unlockedMark}`) && isOlder(ownFolder(path), unlockedMs)) removeIfUnlocked(path, "create");
  }
}

/** Undefined where it went meanwhile, or is no folder of this user's: what is in another's may lead anywhere. */
function ownFolder(path: string): Stats | undefined {
  const found = lstatSync(path, { throwIfNoEntry: false }),
    user = process.getuid?.();
  return found?.isDirectory() && (user === undefined || found.uid === user) ? found : undefined;
}

const isOlder = (folder: Stats | undefined, ms: number): boolean => folder !== undefined && Date.now() - folder.mtimeMs > ms;

function removeIfUnlocked(path: string, ifNoLock: "create" | "fail"): void {
  try {
    const lock = tryFileLock(join(path, lockFileName), ifNoLock);
    if (lock === undefined) return;
    lock.release(); // nobody waits for it
    rmSync(path, { recursive: true, force: true });
  } catch (error) {
    if (!isSystemError(error)) throw error; // it is somebody else's, or being removed by him
  }
}

export const isSystemError = (error: unknown): error is NodeJS.ErrnoException => error instanceof Error && "syscall" in error;
