/**
 * Records that lie one behind the other in a table, read from the pages of the file: LMDB is asked for each by itself, which takes several
 * times as long. Nobody holds the pages meanwhile, so a commit may write over them, and what they hold may be of an earlier one than
 * others see. That is for records that tell themselves whether they are whole and where they belong, and that are never changed. What
 * cannot be is left out, and is no damage: the reader asks LMDB for what he misses.
 */
import { type MetaPage, newestMeta } from "./meta-pages.js";
import {
  depthMax,
  freeFrom,
  headProblem,
  inlineBytes,
  keyAt,
  keyBytesAt,
  nodeAt,
  nodeFlags,
  PageDamage,
  PageFile,
  treeHead,
  type TreeHead,
  u16,
  u32,
} from "./page-file.js";

/** What was read together: record n lies from `from[n]` to before `to[n]` of `bytes`, until the next time. */
export class Stretch {
  readonly bytes: Buffer;
  readonly from: Uint32Array;
  readonly to: Uint32Array;
  #count = 0;

  /** `bytes`: of the pages that are read at once. */
  constructor(bytes: number, recordsMax: number) {
    this.bytes = Buffer.allocUnsafeSlow(bytes);
    this.from = new Uint32Array(recordsMax);
    this.to = new Uint32Array(recordsMax);
  }

  get count(): number {
    return this.#count;
  }
  clear(): void {
    this.#count = 0;
  }
  /** False: there is no room for more. */
  add(from: number, to: number): boolean {
    if (this.#count === this.from.length) return false;
    this.from[this.#count] = from;
    this.to[this.#count++] = to;
    return true;
  }
}

/** Of a page of the file, in memory. */
interface Page {
  readonly bytes: Buffer;
  readonly nodes: number;
}

export class StretchFile {
  readonly #file: PageFile;
  #page: Buffer = Buffer.alloc(0);

  /** Of the environment's data file. */
  constructor(path: string) {
    this.#file = new PageFile(path);
  }

  close(): void {
    this.#file.close();
  }

  /**
   * Those of a table from shortly before a key on, as far as they are found together in pages of about `bytes`; those that lie in pages of
   * their own are left out.
   */
  read(table: string, key: Uint8Array, into: Stretch, bytes = into.bytes.length): void {
    into.clear();
    if (this.#file.isClosed) return;
    try {
      this.#read(table, key, into, Math.min(bytes, into.bytes.length));
    } catch (error) {
      if (!(error instanceof PageDamage)) throw error;
    }
  }

  #read(table: string, key: Uint8Array, into: Stretch, bytesMax: number): void {
    const meta = newestMeta(this.#file),
      { pageBytes } = meta;
    if (this.#page.length !== pageBytes) this.#page = Buffer.allocUnsafeSlow(pageBytes);
    const head = this.#headOf(table, meta);
    if (head === undefined) return;
    const leaves = this.#leaves(head, key, meta, Math.max(1, Math.floor(bytesMax / pageBytes)));
    for (let first = 0, next = 0; first < leaves.length; first = next) {
      for (next = first + 1; leaves[next] === leaves[next - 1]! + 1; next++);
      const at = first * pageBytes,
        bytes = (next - first) * pageBytes;
      if (this.#file.read(into.bytes.subarray(at, at + bytes), leaves[first]! * pageBytes, bytes) < bytes) return;
      for (let index = first; index < next; index++) {
        const page = checked(into.bytes.subarray(index * pageBytes, (index + 1) * pageBytes), leaves[index]!, true, meta);
        if (!addRecords(into, page, index * pageBytes)) return;
      }
    }
  }

  /** Where the tree of a table is. */
  #headOf(table: string, meta: MetaPage): TreeHead | undefined {
    const key = Buffer.from(table),
      [leaf] = this.#leaves(meta.tables, key, meta, 1);
    if (leaf === undefined) return undefined;
    const { bytes, nodes } = this.#load(leaf, true, meta);
    for (let index = 0; index < nodes; index++) {
      const at = nodeAt(bytes, index),
        end = keyAt(at) + u16(bytes, at + keyBytesAt);
      if (u16(bytes, at + 4) === nodeFlags.table && isName(bytes, keyAt(at), end, key)) return treeHead(bytes, end);
    }
    return undefined;
  }

  /** The pages that hold what is at a key and behind it, `max` at most, as far as the page above them tells. */
  #leaves({ root, depth }: TreeHead, key: Uint8Array, meta: MetaPage, max: number): readonly number[] {
    const isThere = (page: number): boolean => page <= meta.lastPage;
    if (!isThere(root)) return []; // an empty table's is no page at all
    if (depth > depthMax) throw new PageDamage(undefined, `a tree has a depth of ${depth}`);
    let number = root;
    for (let level = 1; level < depth; level++) {
      const page = this.#load(number, false, meta),
        index = childFor(page, key);
      if (level === depth - 1) return children(page, index, max).filter(isThere);
      number = childAt(page, index);
    }
    return [number];
  }

  #load(number: number, isLeaf: boolean, meta: MetaPage): Page {
    const page = this.#page,
      isThere = number <= meta.lastPage && this.#file.read(page, number * page.length, page.length) === page.length;
    if (!isThere) throw new PageDamage(number, "the file ends before it");
    return checked(page, number, isLeaf, meta);
  }
}

function checked(bytes: Buffer, number: number, isLeaf: boolean, { commit }: MetaPage): Page {
  const problem = headProblem(bytes, number, isLeaf, commit);
  if (problem !== undefined) throw new PageDamage(number, problem);
  return { bytes, nodes: freeFrom(bytes) >> 1 };
}

/** False: there is no room for more. */
function addRecords(into: Stretch, { bytes, nodes }: Page, shift: number): boolean {
  for (let index = 0; index < nodes; index++) {
    const at = nodeAt(bytes, index);
    if (keyAt(at) > bytes.length) return true;
    const flags = u16(bytes, at + 4),
      from = keyAt(at) + u16(bytes, at + keyBytesAt),
      to = from + inlineBytes(bytes, at);
    if (flags === 0 && to <= bytes.length && !into.add(shift + from, shift + to)) return false;
  }
  return true;
}

/** LMDB may write a zero behind it. */
function isName(page: Buffer, from: number, to: number, name: Buffer): boolean {
  const bytes = page[to - 1] === 0 ? to - 1 - from : to - from;
  return to <= page.length && bytes === name.length && name.compare(page, from, from + bytes) === 0;
}

/** The last whose key is not behind this one; the first has none. */
function childFor({ bytes, nodes }: Page, key: Uint8Array): number {
  let low = 0,
    high = nodes - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1,
      at = nodeAt(bytes, middle),
      from = keyAt(at),
      to = from + u16(bytes, at + keyBytesAt);
    if (to > bytes.length) throw new PageDamage(undefined, "a key reaches beyond its page");
    if (bytes.compare(key, 0, key.length, from, to) <= 0) low = middle;
    else high = middle - 1;
  }
  return low;
}

function childAt({ bytes }: Page, index: number): number {
  const at = nodeAt(bytes, index);
  if (keyAt(at) > bytes.length) throw new PageDamage(undefined, "a node reaches beyond its page");
  return u32(bytes, at) + u16(bytes, at + 4) * 2 ** 32;
}

function children(page: Page, from: number, max: number): number[] {
  const count = Math.min(max, page.nodes - from);
  return Array.from({ length: count }, (_, index) => childAt(page, from + index));
}
