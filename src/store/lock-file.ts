/** The file in which LMDB lists its readers. */
import { closeSync, fstatSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { isNoRoom } from "../base/no-room.js";
import { lockFile } from "./file-check.js";
import { takeFromReserve } from "./room.js";

/** LMDB makes the file without its bytes and writes them through memory: on a full disk that would end the process. */
export function fillLockFile(folder: string): void {
  const file = openSync(join(folder, lockFile), "a", ownerOnly);
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

/** With places for 126 readers, LMDB's own default. */
const lockFileBytes = 8_272;

const ownerOnly = 0o600;
