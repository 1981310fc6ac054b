/**
 * Copies a ledger to a folder that a node can start from. The source may be running: LMDB gives every process a snapshot
 * that is one commit, and a commit is what was acknowledged. The copy appears under its name only when it is whole.
 */
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { lockFileName, makeLockedFolder, removeLeftovers } from "../base/locked-folder.js";
import { fail, ok, type Result } from "../base/result.js";
import { Store } from "../store/index.js";
import { readLedgerEnd } from "./read-ledger-end.js";

export interface Backup {
  readonly folder: string;
  /** The last offset in the copy. */
  readonly ledgerEnd: number;
  readonly bytes: number;
}

/** The error is for the one who asked for the copy. */
export async function backUpLedger(source: string, target: string): Promise<Result<Backup, string>> {
  const folder = resolve(target);
  if (existsSync(folder) && readdirSync(folder).length > 0) return fail(`${target} is not empty.`);
  mkdirSync(dirname(folder), { recursive: true });
  removeLeftovers(`${folder}${unfinishedMark}`); // copies of this name whose writers were killed
  const { path: unfinished, lock } = makeLockedFolder(`${folder}${unfinishedMark}`); // for its owner only: the copy holds the node's keys
  try {
    await copy(source, unfinished);
    const backup = await measure(unfinished);
    rmSync(join(unfinished, lockFileName)); // nobody removes a folder without one
    renameSync(unfinished, folder);
    flush(dirname(folder));
    return ok({ ...backup, folder });
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    throw error;
  } finally {
    lock.release();
  }
}

const unfinishedMark = ".unfinished-";

async function copy(source: string, target: string): Promise<void> {
  const store = await Store.open({ folder: source, readOnly: true });
  try {
    await store.copyTo(target);
  } finally {
    await store.close();
  }
  for (const name of readdirSync(target)) flush(join(target, name));
  flush(target);
}

/** Opens the copy as a node would; what has no ledger in it is no backup. */
async function measure(folder: string): Promise<Omit<Backup, "folder">> {
  const bytes = readdirSync(folder).filter((name) => name !== lockFileName).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  const store = await Store.open({ folder, readOnly: true });
  try {
    return { ledgerEnd: readLedgerEnd(store.tables).offset, bytes };
  } finally {
    await store.close();
  }
}

/** A rename may reach the disk before what was renamed. */
function flush(path: string): void {
  const file = openSync(path, "r");
  try { fsyncSync(file); } finally { closeSync(file); }
}
