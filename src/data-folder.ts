/** The folder a node lives in: its own, or a temporary one that goes with it; never shared by two processes. */
import { chmodSync, closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, readdirSync, rmSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { flushToDisk } from "./base/flush-to-disk.js";
import { isRunning } from "./base/running-process.js";

/** Why a folder cannot be had, in words for the one who named it. */
export class DataFolderUnusable extends Error {
  override readonly name = "DataFolderUnusable";
}

export interface DataFolder {
  readonly path: string;
  /** Unlocks it; a temporary one is removed. */
  release(): void;
}

const lockName = "ledgerline.pid";
const temporaryPrefix = "ledgerline-memory-";

export function lockDataFolder(path: string): DataFolder {
  const lock = join(path, lockName);
  try {
    makeFolder(path);
    const holder = holderOf(lock);
    if (holder !== undefined) throw new DataFolderUnusable(`The ledger in ${path} is in use by process ${holder}.`);
    rmSync(lock, { force: true });
    writeLock(lock);
  } catch (error) {
    throw isSystemError(error) ? new DataFolderUnusable(`${path} cannot hold a ledger: ${error.message}`) : error;
  }
  return { path, release: () => rmSync(lock, { force: true }) };
}

/** Not mkdir's own recursion: Node.js 20 and 22 run in it for ever where the system will make no folder (below /proc). */
function makeFolder(path: string): void {
  if (existsSync(path)) {
    if (!statSync(path).isDirectory()) throw new DataFolderUnusable(`${path} is not a folder.`);
    return;
  }
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent);
  mkdirSync(path, { mode: 0o700 }); // it holds the node's keys
  flushToDisk(parent);
}

const othersMask = 0o077, ownerOnly = 0o600;

/** Takes the node's files in an existing folder from everyone but their owner; gives those that others could have had. */
export function makePrivate(path: string, names: readonly string[]): readonly string[] {
  const open = [...names, lockName].filter((name) => ((statSync(join(path, name), { throwIfNoEntry: false })?.mode ?? 0) & othersMask) !== 0);
  for (const name of open) chmodSync(join(path, name), ownerOnly);
  return open;
}

const isSystemError = (error: unknown): error is NodeJS.ErrnoException => error instanceof Error && "syscall" in error;

/** Exclusive creation decides between two processes that start at once. */
function writeLock(lock: string): void {
  const file = openSync(lock, "wx", ownerOnly);
  writeSync(file, `${process.pid}\n`);
  closeSync(file);
}

export function temporaryDataFolder(): DataFolder {
  removeLeftovers();
  const path = mkdtempSync(join(tmpdir(), temporaryPrefix));
  writeLock(join(path, lockName));
  const remove = (): void => rmSync(path, { recursive: true, force: true });
  process.once("exit", remove);
  return { path, release: remove };
}

/** Temporary folders of nodes that were killed before they could remove them. */
function removeLeftovers(): void {
  for (const name of readdirSync(tmpdir()).filter((entry) => entry.startsWith(temporaryPrefix))) {
    const path = join(tmpdir(), name);
    const lock = join(path, lockName);
    if (existsSync(lock) && holderOf(lock) === undefined) rmSync(path, { recursive: true, force: true });
  }
}

/** The living process that the lock names, if any. */
function holderOf(lock: string): number | undefined {
  let pid: number;
  try { pid = Number(readFileSync(lock, "utf8")); } catch { return undefined; }
  return Number.isInteger(pid) && pid > 0 && pid !== process.pid && isRunning(pid) ? pid : undefined;
}
