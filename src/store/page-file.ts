/**
 * LMDB's file as bytes on disk, read by us and not by LMDB, which trusts it: a page that cannot be is an abort there, a file that is
 * too short a bus error, and a page that leads back to itself a walk without an end. The layout is that of `mdb.c` as lmdb brings it.
 */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { assert } from "../base/assert.js";

/** Where something is wrong. The page's number times its size is its place in the file. */
export class PageDamage extends Error {
  override readonly name = "PageDamage";
  constructor(
    readonly page: number | undefined,
    readonly problem: string,
  ) {
    super(problem);
  }
}

export const headBytes = 24;
export const pageFlags = { branch: 1, leaf: 2, overflow: 4, meta: 8 } as const;
export const nodeFlags = { overflow: 1, table: 2 } as const;
/** Of a tree. */
export const depthMax = 32;
/** Of a table without entries. */
export const noPage = 2 ** 64;

const flagsAt = 18,
  lowerAt = 20,
  upperAt = 22;

export const u16 = (bytes: Uint8Array, at: number): number => bytes[at]! | (bytes[at + 1]! << 8);
export const u32 = (bytes: Uint8Array, at: number): number =>
  (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0;
/** Exact as far as a page number or a commit can be true; beyond, anything large. */
export const u64 = (bytes: Uint8Array, at: number): number => u32(bytes, at) + u32(bytes, at + 4) * 2 ** 32;

export const pageNumber = (page: Uint8Array): number => u64(page, 0);
export const commitOf = (page: Uint8Array): number => u64(page, 8);
const padOf = (page: Uint8Array): number => u16(page, 16);
export const flagsOf = (page: Uint8Array): number => u16(page, flagsAt);
/** Of an overflow run. */
export const runPages = (page: Uint8Array): number => u32(page, lowerAt);
export const freeFrom = (page: Uint8Array): number => u16(page, lowerAt);
export const freeTo = (page: Uint8Array): number => u16(page, upperAt);

/** Why a page of a tree cannot be the one of this number; undefined: it can. */
export function headProblem(page: Uint8Array, number: number, isLeaf: boolean, commitMax: number): string | undefined {
  if (pageNumber(page) !== number) return `calls itself page ${pageNumber(page)}`;
  const kind = isLeaf ? "leaf" : "branch";
  if (flagsOf(page) !== pageFlags[kind] || padOf(page) !== 0) return `is no ${kind} page`;
  const commit = commitOf(page);
  if (commit < 1 || commit > commitMax) return `is of commit ${commit}, what leads to it of ${commitMax}`;
  const lower = freeFrom(page),
    upper = freeTo(page),
    nodes = lower >> 1;
  const isOrdered = (lower & 1) === 0 && lower <= upper && upper <= page.length - headBytes && nodes >= (isLeaf ? 1 : 2);
  return isOrdered ? undefined : "has no order in its nodes";
}

const nodeHeadBytes = 8,
  overflowReferenceBytes = 24;
/** In a node. */
export const keyBytesAt = 6;
/** Where a node of a page is, and where the key of one at a place is. */
export const nodeAt = (page: Uint8Array, index: number): number => u16(page, headBytes + 2 * index) + headBytes;
export const keyAt = (node: number): number => node + nodeHeadBytes;
/** Of a leaf's node, behind its key. */
export const inlineBytes = (page: Uint8Array, at: number): number =>
  (u16(page, at + 4) & nodeFlags.overflow) !== 0 ? overflowReferenceBytes : u32(page, at);

/** What is known of a tree: in the meta page, or in the entry of a table. */
export interface TreeHead {
  readonly flags: number;
  readonly depth: number;
  readonly branchPages: number;
  readonly leafPages: number;
  readonly overflowPages: number;
  readonly entries: number;
  readonly root: number;
}

export const treeHeadBytes = 48;

export const treeHead = (bytes: Uint8Array, at: number): TreeHead => ({
  flags: u16(bytes, at + 4),
  depth: u16(bytes, at + 6),
  branchPages: u64(bytes, at + 8),
  leafPages: u64(bytes, at + 16),
  overflowPages: u64(bytes, at + 24),
  entries: u64(bytes, at + 32),
  root: u64(bytes, at + 40),
});

export class PageFile {
  /** Undefined once it is closed: its number may be that of another file then. */
  #file: number | undefined;

  constructor(path: string) {
    this.#file = openSync(path, "r");
  }

  get isClosed(): boolean {
    return this.#file === undefined;
  }

  /** As long as it is now. */
  get bytes(): number {
    assert(this.#file !== undefined, "what is measured is open");
    return fstatSync(this.#file).size;
  }

  /** Into the beginning of `target`; gives how much of it there was. */
  read(target: Uint8Array, position: number, bytes: number): number {
    const file = this.#file;
    assert(file !== undefined, "what is read is open");
    let done = 0;
    while (done < bytes) {
      const read = readSync(file, target, done, bytes - done, position + done);
      if (read === 0) break;
      done += read;
    }
    return done;
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }
}
