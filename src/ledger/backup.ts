/**
 * Copies a ledger to a folder that a node can start from. The source may be running: LMDB gives every process a snapshot
 * that is one commit, and a commit is what was acknowledged. The copy appears under its name only when it is whole.
 */
import { closeSync, existsSync, fsyncSync, mkdirSync, mkdtempSync, openSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { isRunning } from "../base/running-process.js";
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
  removeLeftovers(folder);
  const unfinished = mkdtempSync(`${folder}${unfinishedMark}${process.pid}-`); // for its owner only: the copy holds the node's keys
  try {
    await copy(source, unfinished);
    const backup = await measure(unfinished);
    renameSync(unfinished, folder);
    flush(dirname(folder));
    return ok({ ...backup, folder });
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    throw error;
  }
}

/** Between the name of a copy and the process that writes it. */
const unfinishedMark = ".unfinished-";

/** Copies of this name whose writers were killed. */
function removeLeftovers(folder: string): void {
  const parent = dirname(folder), prefix = `${basename(folder)}${unfinishedMark}`;
  for (const name of readdirSync(parent).filter((entry) => entry.startsWith(prefix))) {
    const writer = Number(name.slice(prefix.length).split("-")[0]);
    if (Number.isInteger(writer) && writer > 0 && !isRunning(writer)) rmSync(join(parent, name), { recursive: true, force: true });
  }
}

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
  const bytes = readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
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
