/**
 * Room to write in. LMDB writes changed pages to other places, so that it needs room also to remove something: on a disk without
 * any, pruning would be refused like all else. So a file of some size lies beside the ledger, the *reserve*; it is given up for
 * what removes, and made again when there is room.
 *
 * The disk counts as full when a write was refused, or the reserve is missing, and then until there is enough beside the reserve:
 * on the disk, or in the file, where pruning leaves free pages.
 */
import { randomFill } from "node:crypto";
import { existsSync, rmSync, statfsSync, statSync, truncateSync } from "node:fs";
import { open } from "node:fs/promises";
import { constants } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { isSystemError } from "../base/locked-folder.js";
import { isNoRoom } from "../base/no-room.js";
import { limits } from "../config.js";

export const reserveFile = "reserve";

export interface RoomOptions {
  readonly folder: string;
  /** Whether a reserve is made; one that is there is used in any case. */
  readonly keepsReserve: boolean;
  /** Of the disk of the folder. */
  readonly diskBytes?: (folder: string) => number;
  readonly sizes: () => { readonly fileBytes: number; readonly usedBytes: number };
}

export class StorageRoom {
  readonly #options: RoomOptions;
  readonly #path: string;
  /** How large the reserve is, and how large it should be. */
  #held: number;
  #target = 0;
  #isFull = false;
  /** Whether there was much more than a commit takes, until a reserve is made. */
  #isAmple = false;
  /** Of what is free in the file: too scattered for the write that was refused, or of a commit that is still being read. */
  #uselessBytes = 0;
  #making: Promise<void> | undefined;
  /** What a reserve that is being made has taken from the disk so far. */
  #madeBytes = 0;
  #timesGivenUp = 0;

  constructor(options: RoomOptions) {
    this.#options = options;
    this.#path = join(options.folder, reserveFile);
    this.#held = statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0;
  }

  /** Once the tables are open. */
  begin(): void {
    this.#target = this.#held > 0 ? this.#held : this.#wanted(); // it grows when there is room for that
    this.#isFull = this.#isShort();
    this.#isAmple = this.#options.keepsReserve && this.#diskBytes() >= limits.ampleRoomBytes;
  }

  /** A commit dirties no more pages than the file has; half of what is free is for commands. */
  #wanted(): number {
    if (!this.#options.keepsReserve) return 0;
    const { fileBytes } = this.#options.sizes(),
      half = Math.floor((this.#freeDiskBytes() - limits.storageRoomBytesMin) / 2);
    return Math.max(limits.reserveBytesMin, Math.min(limits.reserveBytesMax, fileBytes, half));
  }

  #diskBytes(): number {
    return (this.#options.diskBytes ?? diskBytesOf)(this.#options.folder);
  }

  /** On the disk, the reserve included. */
  #freeDiskBytes(): number {
    return this.#diskBytes() + this.#held + this.#madeBytes;
  }
  /** In the file as well. */
  #freeBytes(): number {
    return this.#freeDiskBytes() + Math.max(0, this.#freeFileBytes() - this.#uselessBytes);
  }

  #freeFileBytes(): number {
    const { fileBytes, usedBytes } = this.#options.sizes();
    return Math.max(0, fileBytes - usedBytes);
  }

  /** More is needed to end it than to begin it, or it would come and go with every commit. */
  get #needed(): number {
    return this.#target + (this.#isFull ? limits.storageRoomBytesAgain : limits.storageRoomBytesMin);
  }

  /** Every command asks while there is no reserve yet, so the file's free pages, which are counted one by one, are the last to be looked at. */
  #isShort(): boolean {
    return this.#freeDiskBytes() < this.#needed && this.#freeBytes() < this.#needed;
  }

  /** Whether a write failed for want of room. */
  explains(error: unknown): boolean {
    return isNoRoom(error) || (isCutShort(error) && this.#diskBytes() < limits.storageRoomBytesMin);
  }

  /** A write was; where there is room for others it was too large itself. */
  refused(): void {
    if (this.#diskBytes() >= limits.storageRoomBytesMin) return;
    this.#uselessBytes = this.#freeFileBytes();
    this.#isFull = true;
  }

  /** Why nothing more should be written but what removes, in words. */
  impediment(): string | undefined {
    if (this.#isFull || this.#held < this.#target) this.#isFull = this.#isShort();
    if (!this.#isFull) {
      this.#uselessBytes = 0;
      return undefined;
    }
    const needed = megabytes(this.#needed),
      free = megabytes(this.#freeBytes());
    return `The node's disk is full: of the ${needed} that commands need, the reserve included, ${free} are free, on the disk and in the ledger's file. Reads and pruning go on.`;
  }

  /** How many bytes of records would find room that must not be refused, as that is set aside for what the disk lacks then. */
  get assuredBytes(): number {
    if (this.#isFull) return 0;
    return this.#isAmple ? limits.journalBytes : this.#held / pagesPerRecordByte;
  }

  /** False where there is none. */
  giveUpReserve(): boolean {
    const had = this.#held > 0;
    this.#held = this.#madeBytes = this.#uselessBytes = 0;
    this.#isAmple = false;
    this.#timesGivenUp++;
    if (existsSync(this.#path)) truncateSync(this.#path); // while it is being made it is open, and would keep what it has until then
    rmSync(this.#path, { force: true });
    return had;
  }

  /** Makes the reserve as large as the ledger needs it, where there is room for it. */
  keepReserve(): Promise<void> {
    return (this.#making ??= this.#make().finally(() => {
      this.#making = undefined;
      this.#isAmple = false; // from now on it is the reserve that counts
    }));
  }

  async #make(): Promise<void> {
    const wanted = this.#wanted(),
      missing = wanted - this.#held;
    if (missing <= 0 || this.#isFull || this.#diskBytes() < missing + limits.storageRoomBytesMin) return;
    const before = this.#timesGivenUp;
    const piece = Buffer.allocUnsafeSlow(Math.min(missing, pieceBytes)),
      file = await open(this.#path, "a", ownerOnly);
    try {
      // Not zeros: a file system that packs files would set nothing aside for them.
      for (let rest = missing; rest > 0 && this.#timesGivenUp === before; rest -= pieceBytes) {
        const next = piece.subarray(0, rest);
        if (this.#diskBytes() < next.length + limits.storageRoomBytesMin) return await file.truncate(this.#held); // others were faster
        await file.appendFile(await filled(next));
        this.#madeBytes += next.length;
      }
      await file.sync();
    } catch (error) {
      if (!isNoRoom(error)) throw error;
      return await file.truncate(this.#held);
    } finally {
      await file.close();
      this.#madeBytes = 0;
    }
    if (this.#timesGivenUp === before) this.#held = this.#target = wanted;
  }

  /** Resolves when nothing of it is under way. */
  async close(): Promise<void> {
    await this.#making?.catch(() => undefined); // who wanted it was told
  }
}

/** Of a write that was cut short LMDB says EIO, as of a disk that is broken. */
const isCutShort = (error: unknown): boolean => (error as { readonly code?: unknown }).code === constants.errno.EIO;

/** What a file that is not there yet would not find, in words. */
export function roomForNewFile(folder: string): string | undefined {
  const free = diskBytesOf(folder);
  return free >= limits.storageRoomBytesMin
    ? undefined
    : noRoom(folder, `a new ledger needs ${megabytes(limits.storageRoomBytesMin)}, and ${megabytes(free)} are free`);
}

/** Why a write in it failed where that was, or may have been, for want of room; in words. */
export function noRoomIn(folder: string, error: unknown): string | undefined {
  const { message } = error as Error;
  if (isNoRoom(error)) return noRoom(folder, message);
  if (!isCutShort(error)) return undefined;
  return diskBytesOf(folder) < limits.storageRoomBytesMin
    ? noRoom(folder, "a write was cut short")
    : `The system refused to read or write in ${folder} (${message}): a quota or a limit of the process (ulimit -f) leaves no room, or the disk is broken.`;
}

const noRoom = (folder: string, why: string): string => `There is no room on the disk of ${folder}: ${why}.`;

/** For a file that is written before the tables are open; what is left is filled up later. */
export function takeFromReserve(folder: string, bytes: number): void {
  const path = join(folder, reserveFile),
    held = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (held > 0) truncateSync(path, Math.max(0, held - bytes - blockBytesMax));
}

const blockBytesMax = 64 * 1024; // of file systems, which give away whole ones

/** One that does not answer has room for nothing. */
function diskBytesOf(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch (error) {
    if (isSystemError(error)) return 0;
    throw error;
  }
}

/** How many bytes of pages a commit dirties for each byte of its records; those of small ones share many. */
const pagesPerRecordByte = 4;

/** On a thread of the pool: a piece takes some milliseconds. */
const filled = promisify<Buffer, Buffer>(randomFill),
  pieceBytes = 1024 * 1024,
  ownerOnly = 0o600;

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
