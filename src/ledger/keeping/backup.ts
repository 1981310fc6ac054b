/**
 * Copies a ledger to a folder that a node can start from. The source may be running: LMDB gives every process a snapshot
 * that is one commit, and a commit is what was acknowledged. The copy appears under its name only when it is whole.
 */
import { chmodSync, lstatSync, readdirSync, readlinkSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { flushToDisk } from "../../base/flush-to-disk.js";
import { lockFileName } from "../../base/lock-holder.js";
import { isSystemError, makeLockedFolder, removeLeftovers } from "../../base/locked-folder.js";
import { makeFolder } from "../../base/make-folder.js";
import { isNoRoom } from "../../base/no-room.js";
import { fail, isFailure, ok, type Result } from "../../base/result.js";
import { limits } from "../../config.js";
import { checkFile, completeCopy, type FileCheckOptions, openStore, type Store, StoreDamaged, StoreNotCopied } from "../../store/index.js";
import { readLedgerEnd } from "../commit/index.js";

export interface Backup {
  readonly folder: string;
  /** The last offset in the copy. */
  readonly ledgerEnd: number;
  readonly bytes: number;
}

/** The error is for the one who asked for the copy. */
export async function backUpLedger(source: string, target: string): Promise<Result<Backup, string>> {
  try {
    const unfit = unfitTarget(target);
    return unfit === undefined ? ok(await copyUnder(source, resolve(target))) : fail(unfit);
  } catch (error) {
    if (isSystemError(error) || isNoRoom(error) || error instanceof StoreNotCopied)
      return fail(`The ledger cannot be copied to ${target}: ${(error as Error).message}.`);
    throw error;
  }
}

/** A copy takes the place of an empty folder, but of nothing else. */
function unfitTarget(target: string): string | undefined {
  const there = lstatSync(target, { throwIfNoEntry: false });
  if (there === undefined) return undefined;
  if (there.isSymbolicLink())
    return `${target} is a symbolic link: name the folder itself, ${resolve(dirname(target), readlinkSync(target))}.`;
  if (!there.isDirectory()) return `${target} is not a folder.`;
  return readdirSync(target).length > 0 ? `${target} is not empty.` : undefined;
}

async function copyUnder(source: string, folder: string): Promise<Backup> {
  makeFolder(dirname(folder));
  removeLeftovers(`${folder}${unfinishedMark}`, limits.folderUnlockedMs); // copies of this name whose writers were killed
  const { path: unfinished, lock } = makeLockedFolder(`${folder}${unfinishedMark}`); // for its owner only: the copy holds the node's keys
  try {
    await copy(source, unfinished);
    const backup = await measure(unfinished);
    rmSync(join(unfinished, lockFileName)); // nobody removes a folder without one
    renameSync(unfinished, folder);
    flushToDisk(dirname(folder)); // the files are on disk: a rename may reach it before what was renamed
    return { ...backup, folder };
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    throw error;
  } finally {
    lock.release();
  }
}

const unfinishedMark = ".unfinished-";

/** LMDB copies page by page without looking, or dies of a page that is none. */
async function copy(source: string, target: string): Promise<void> {
  const atRest = checkFile(source);
  if (atRest && isFailure(atRest) && !atRest.error.isChanging) throw new StoreDamaged(atRest.error.text);
  const store = await openStore({ folder: source, readOnly: true, readsJournal: true });
  try {
    if (atRest && isFailure(atRest)) checkAsItRuns(store, source);
    const isComplete = store.commitsInJournal() === 0; // of this moment: the file may have them by the time that the copy is made
    await store.copyTo(target);
    if (!isComplete) await completeCopy(store, target);
  } finally {
    await store.close();
  }
  for (const name of readdirSync(target)) {
    chmodSync(join(target, name), ownerOnly);
    flushToDisk(join(target, name));
  }
  flushToDisk(target);
}

const ownerOnly = 0o600;

/** What a snapshot holds is not written over. */
function checkAsItRuns(store: Store, source: string): void {
  const snapshot = store.pin();
  try {
    requireSound(source, { isOpenHere: true });
  } finally {
    snapshot.release();
  }
}

function requireSound(folder: string, options?: FileCheckOptions): void {
  const checked = checkFile(folder, options);
  if (checked && isFailure(checked)) throw new StoreDamaged(checked.error.text);
}

/** Opens the copy as a node would; what has no ledger in it is no backup. */
async function measure(folder: string): Promise<Omit<Backup, "folder">> {
  requireSound(folder);
  const names = readdirSync(folder).filter((name) => name !== lockFileName);
  const bytes = names.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  const store = await openStore({ folder, readOnly: true });
  try {
    return { ledgerEnd: readLedgerEnd(store.tables).offset, bytes };
  } finally {
    await store.close();
  }
}
