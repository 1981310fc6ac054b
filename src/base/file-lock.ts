/**
 * A lock of the operating system on a file. It belongs to an open descriptor and so ends with its process, however that ends;
 * nothing is left that a later process would have to judge. It holds between threads, processes, pid namespaces and containers
 * that share a volume (on Linux a lock of the open file description, on macOS flock, on Windows LockFileEx).
 */
import { closeSync, constants, existsSync, fchownSync, ftruncateSync, openSync, statSync, writeSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { isNoRoom } from "./no-room.js";

/** The file system or the platform has no such locks. */
export class FileLockUnavailable extends Error {
  override readonly name = "FileLockUnavailable";
}

export interface FileLock {
  /** Replaces what the file says, for those who find it locked; where there is no space for it they do without. */
  tell(text: string): void;
  release(): void;
}

/** A lock that is taken for moments, again and again. */
export interface TakenInTurns {
  /** False when somebody else has it. */
  tryTake(): boolean;
  give(): void;
  close(): void;
}

interface Binding {
  tryLock(descriptor: number, offset: number, length: number, isExclusive: boolean): void;
  unlock(descriptor: number, offset: number, length: number): void;
}

/** Not through the library's own face: that finds no binding for musl, though the one for Linux asks nothing of glibc alone. */
function loadBinding(): Binding {
  const platform = `${process.platform}-${process.arch}`;
  try {
    return createRequire(import.meta.url)(`fs-native-extensions/prebuilds/${platform}/fs-native-extensions.node`) as Binding;
  } catch (error) {
    throw new FileLockUnavailable(
      `files cannot be locked on ${platform}: ${(error as Error).message.split("\n")[0]!}. Install Ledgerline again on this platform`,
    );
  }
}

let binding: Binding | undefined;

/** Nothing is locked yet; the file is made where it is not there, and where files can be made. */
export function openFileLock(path: string): TakenInTurns {
  const { tryLock, unlock } = (binding ??= loadBinding()),
    file = openToLock(path);
  if (file === undefined) return { tryTake: () => true, give: () => undefined, close: () => undefined };
  const { descriptor, isReadOnly } = file;
  return {
    tryTake: () => isTaken(path, () => tryLock(descriptor, 0, 0, !isReadOnly)),
    give: () => unlock(descriptor, 0, 0),
    close: () => closeSync(descriptor),
  };
}

/** Where nothing can be written a lock is shared by those who read there; undefined where there is no such file, so that nobody can hold it. */
function openToLock(path: string, isRefusal = isReadOnlyMedium): { readonly descriptor: number; readonly isReadOnly: boolean } | undefined {
  try {
    return { descriptor: openOrMake(path), isReadOnly: false };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return existsSync(path) ? { descriptor: openSync(path, "r"), isReadOnly: true } : undefined;
  }
}

/**
 * For its owner only, at its end. It belongs to whom its folder belongs to, also when root makes it: it must not keep a service out of its
 * own ledger. Not where a link leads: root would give away what is there.
 */
export function openOrMake(path: string): number {
  return make(path) ?? openSync(path, toAppend | constants.O_CREAT, ownerOnly);
}

/** Undefined where it is there. */
function make(path: string): number | undefined {
  try {
    const descriptor = openSync(path, toAppend | constants.O_CREAT | constants.O_EXCL, ownerOnly);
    if (process.getuid?.() === 0) {
      const { uid, gid } = statSync(dirname(path));
      fchownSync(descriptor, uid, gid);
    }
    return descriptor;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    return undefined;
  }
}

/** Windows has no such links, and no name for them. */
const noLink = (constants.O_NOFOLLOW as number | undefined) ?? 0,
  toAppend = constants.O_RDWR | constants.O_APPEND | noLink;

export const isReadOnlyMedium = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === "EROFS";

const ownerOnly = 0o600;

function isTaken(path: string, tryLock: () => void): boolean {
  try {
    tryLock();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EAGAIN") return false;
    throw new FileLockUnavailable(`${path} cannot be locked: ${(error as Error).message}`);
  }
}

/** Undefined when somebody else holds it. The file is never removed by its holder: who had it open would lock what no path leads to. */
export function tryFileLock(path: string, ifMissing: "create" | "fail"): FileLock | undefined {
  const descriptor = ifMissing === "create" ? openOrMake(path) : openSync(path, constants.O_RDWR | noLink);
  return isLocked(path, descriptor, true) ? { tell: (text) => tell(descriptor, text), release: () => closeSync(descriptor) } : undefined;
}

/** Where this process can write nothing, with others who read there: undefined when somebody holds it who writes there in another way. */
export function tryReadersLock(path: string): FileLock | undefined {
  const file = openToLock(path, (error) => isReadOnlyMedium(error) || (error as NodeJS.ErrnoException).code === "EACCES");
  if (file === undefined) return { tell: () => undefined, release: () => undefined };
  const { descriptor } = file;
  return isLocked(path, descriptor, false) ? { tell: () => undefined, release: () => closeSync(descriptor) } : undefined;
}

function isLocked(path: string, descriptor: number, isExclusive: boolean): boolean {
  const { tryLock } = (binding ??= loadBinding());
  let isMine = false;
  try {
    isMine = isTaken(path, () => tryLock(descriptor, 0, 0, isExclusive));
  } finally {
    if (!isMine) closeSync(descriptor);
  }
  return isMine;
}

function tell(descriptor: number, text: string): void {
  try {
    ftruncateSync(descriptor, 0);
    writeSync(descriptor, text); // at the end, where the file is open for appending
  } catch (error) {
    if (!isNoRoom(error)) throw error;
  }
}
