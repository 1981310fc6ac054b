/** The folder a node lives in: its own, or a temporary one that goes with it; never shared by two processes. */
import { accessSync, chmodSync, constants, existsSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { constants as system, tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { type FileLock, FileLockUnavailable, isReadOnlyMedium, tryReadersLock } from "./base/file-lock.js";
import { flushToDisk } from "./base/flush-to-disk.js";
import { holderOf, lockFileName } from "./base/lock-holder.js";
import { isSystemError, lockFolder, lockFolderToRead, makeLockedFolder, removeLeftovers } from "./base/locked-folder.js";
import { makeFolder } from "./base/make-folder.js";
import { limits } from "./config.js";

/** Why a folder cannot be had, in words for the one who named it. */
export class DataFolderUnusable extends Error {
  override readonly name = "DataFolderUnusable";
}

export class DataFolderInUse extends DataFolderUnusable {}

export interface DataFolder {
  readonly path: string;
  /** Unlocks it; a temporary one is removed. */
  release(): void;
}

export function lockDataFolder(path: string): DataFolder {
  return inWords(path, () => {
    makeOwnFolder(path);
    return locked(path, lockFolder(path));
  });
}

/** That of a ledger at rest, which may lie on a read-only medium. */
export const lockDataFolderToRead = (path: string): DataFolder => inWords(path, () => locked(path, lockFolderToRead(path)), "be read");

/**
 * That of a ledger at rest whose owner took the right to write there from himself: another folder with the same files, as LMDB wants to
 * write beside its file whatever the mode is. `names`: of files that are only read; `copied`: of those that are written to.
 */
export function lockDataFolderToReadFromAfar(path: string, names: readonly string[], copied: readonly string[]): DataFolder {
  return inWords(
    path,
    () => {
      const { release } = locked(path, tryReadersLock(join(path, lockFileName))),
        afar = temporaryDataFolder(),
        isThere = (name: string): boolean => existsSync(join(path, name));
      for (const name of names.filter(isThere)) symlinkSync(resolve(path, name), join(afar.path, name));
      for (const name of copied.filter(isThere)) writeFileSync(join(afar.path, name), readFileSync(join(path, name)), { mode: ownerOnly });
      return {
        path: afar.path,
        release: () => {
          afar.release();
          release();
        },
      };
    },
    "be read",
  );
}

const holderPatience = { waitMs: limits.lockHolderWaitMs, stepMs: limits.lockHolderStepMs };

function locked(path: string, lock: FileLock | undefined): DataFolder {
  if (lock === undefined) throw new DataFolderInUse(`The ledger in ${path} is in use by ${holderOf(path, holderPatience)}.`);
  return { path, release: () => lock.release() };
}

export function isOnReadOnlyMedium(path: string): boolean {
  const refusal = accessTo(path, constants.W_OK);
  return refusal !== undefined && isReadOnlyMedium(refusal);
}

/** Whether its owner may not write there, and is who asks. */
export const isClosedToOwner = (path: string): boolean =>
  statSync(path).uid === process.geteuid?.() && isDenied(path) && accessTo(path, constants.R_OK | constants.X_OK) === undefined;

const isDenied = (path: string): boolean => deniedCodes.includes(accessTo(path, constants.W_OK)?.code);

function accessTo(path: string, mode: number): NodeJS.ErrnoException | undefined {
  try {
    accessSync(path, mode);
    return undefined;
  } catch (error) {
    return error as NodeJS.ErrnoException;
  }
}

function makeOwnFolder(path: string): void {
  try {
    for (const made of makeFolder(path, folderOwnerOnly)) flushToDisk(dirname(made));
  } catch (error) {
    const { code, path: unmade = path } = error as NodeJS.ErrnoException;
    throw code === "ENOTDIR" ? new DataFolderUnusable(`${dirname(unmade)} is not a folder.`) : error;
  }
  if (!statSync(path).isDirectory()) throw new DataFolderUnusable(`${path} is not a folder.`);
}

const folderOwnerOnly = 0o700; // it holds the node's keys

const othersMask = 0o077,
  ownerOnly = 0o600;

/** Takes the node's files in an existing folder from everyone but their owner; gives those that others could have had. */
export function makePrivate(path: string, names: readonly string[]): readonly string[] {
  const open = [...names, lockFileName].filter(
    (name) => ((statSync(join(path, name), { throwIfNoEntry: false })?.mode ?? 0) & othersMask) !== 0,
  );
  inWords(path, () => {
    for (const name of open) chmodSync(join(path, name), ownerOnly);
  });
  return open;
}

const temporaryPrefix = "ledgerline-memory-";

export function temporaryDataFolder(): DataFolder {
  return inWords(tmpdir(), () => {
    const prefix = join(tmpdir(), temporaryPrefix);
    removeLeftovers(prefix, limits.folderUnlockedMs);
    const { path, lock } = makeLockedFolder(prefix);
    if (temporaryFolders.size === 0) process.on("exit", removeAll);
    temporaryFolders.add(path);
    return {
      path,
      release: () => {
        temporaryFolders.delete(path);
        if (temporaryFolders.size === 0) process.off("exit", removeAll);
        remove(path);
        lock.release();
      },
    };
  });
}

/** Those of this process, under one listener, as Node.js takes many of them for a leak. The end of the process unlocks them. */
const temporaryFolders = new Set<string>();
const removeAll = (): void => temporaryFolders.forEach(remove);

const remove = (path: string): void => rmSync(path, { recursive: true, force: true });

/** As Node.js names them, and LMDB numbers them. */
const deniedCodes: readonly unknown[] = ["EACCES", "EPERM", system.errno.EACCES, system.errno.EPERM];

const codeOf = (error: Error): unknown => (error as { readonly code?: unknown }).code;

/** LMDB tells the system's errors by their positive numbers, its own by negative ones. */
const isOfSystem = (error: unknown): error is Error =>
  error instanceof Error && (isSystemError(error) || (typeof codeOf(error) === "number" && (codeOf(error) as number) > 0));

export type Purpose = "hold a ledger" | "be read";

/** What the system refuses of a folder or of the files in it, in words; any other error itself. */
export function asUnusable(path: string, error: unknown, purpose: Purpose = "hold a ledger"): unknown {
  if (!(error instanceof FileLockUnavailable || isOfSystem(error))) return error;
  const advice = deniedCodes.includes(codeOf(error)) ? ` ${adviceOnDenial(path, purpose)}` : "";
  return new DataFolderUnusable(`${path} cannot ${purpose}: ${error.message}.${advice}`);
}

/** For who was not let at a folder, or at a file in it. */
export function adviceOnDenial(path: string, purpose: Purpose): string {
  return ownerOf(path) === process.geteuid?.()
    ? `Its owner needs the right to read${purpose === "be read" ? "" : " and write"} it and its files: chmod -R u+rwX does that.`
    : "It has to belong to the user who runs this.";
}

/** By number; -1 where that is not told. */
function ownerOf(path: string): number {
  try {
    return statSync(path).uid;
  } catch {
    return -1;
  }
}

function inWords<T>(path: string, use: () => T, purpose?: Purpose): T {
  try {
    return use();
  } catch (error) {
    throw asUnusable(path, error, purpose);
  }
}
