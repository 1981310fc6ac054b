/** The file in which LMDB lists its readers. */
import { closeSync, existsSync, fstatSync, writeSync } from "node:fs";
import { join } from "node:path";
import { isReadOnlyMedium, openOrMake } from "../base/file-lock.js";
import { isNoRoom } from "../base/no-room.js";
import { lockFile } from "./file-check.js";
import { takeFromReserve } from "./room.js";

/** LMDB makes the file without its bytes and writes them through memory: on a full disk that would end the process. */
export function fillLockFile(folder: string): void {
  const file = openOrMake(join(folder, lockFile));
  try {
    const missing = (): Buffer => Buffer.alloc(Math.max(0, lockFileBytes - fstatSync(file).size));
    try {
      writeSync(file, missing());
    } catch (error) {
      if (!isNoRoom(error)) throw error;
      takeFromReserve(folder, lockFileBytes);
      writeSync(file, missing());
    }
  } finally {
    closeSync(file);
  }
}

/** For a reader, who leaves one that is there as it is; on a read-only medium LMDB does without. */
export function makeLockFile(folder: string): void {
  try {
    if (!existsSync(join(folder, lockFile))) fillLockFile(folder);
  } catch (error) {
    if (!isReadOnlyMedium(error)) throw error;
  }
}

/** With places for 126 readers, LMDB's own default. */
const lockFileBytes = 8_272;
