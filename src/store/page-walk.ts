/**
 * Goes through the pages of a tree and proves that LMDB can: every page is where its number says, of the kind its place asks for, of
 * no later commit than the one above it, and in one tree only; keys rise, within what the page above says; and there are as many
 * pages and entries as the tree's head says. That no page is reached twice also bounds the walk.
 */
import { checksumAt } from "./table-sums.js";
import {
  commitOf, flagsOf, freeFrom, freeTo, headBytes, noPage, nodeFlags, padOf, PageDamage, pageFlags, type PageFile, pageNumber, runPages, treeHead, treeHeadBytes, u16, u32, u64, type TreeHead,
} from "./page-file.js";

const nodeHeadBytes = 8, depthMax = 32, overflowReferenceBytes = 24, metaPages = 2;

/** An entry as it lies in its page; valid until the next one. */
export interface Entry {
  page: Buffer;
  keyFrom: number;
  keyTo: number;
  /** Of the value; where it lies elsewhere, the bytes here are the begin of it. */
  value: Buffer;
  valueFrom: number;
  valueBytes: number;
  checksum: number;
  isTable: boolean;
}

export interface Tree {
  readonly name: string;
  readonly head: TreeHead;
  /** Keys are numbers of the machine. */
  readonly hasNumbers?: boolean;
  /** Its entries are themselves trees, or records. */
  readonly holdsTables?: boolean;
  /** Undefined: the leaves are not looked at. */
  readonly onEntry: ((entry: Entry) => void) | undefined;
  /** Values that lie in pages of their own are read as a whole. */
  readonly needsValues?: boolean;
}

/** One page that is being walked through, and where the page above it says that its keys lie. */
interface Bounds { readonly page: Buffer; readonly from: number; readonly to: number }

interface Seen { branchPages: number; leafPages: number; overflowPages: number; entries: number }

export interface WalkedFile { readonly file: PageFile; readonly pageBytes: number; readonly lastPage: number; readonly commit: number }

export class PageWalk {
  readonly #walked: WalkedFile;
  readonly #seen: Uint8Array;
  /** A page for each level, as those above are still needed. */
  readonly #levels: Buffer[] = [];
  readonly #runHead = Buffer.alloc(headBytes + overflowReferenceBytes);
  readonly #entry: Entry;

  constructor(walked: WalkedFile) {
    this.#walked = walked;
    this.#seen = new Uint8Array(walked.lastPage + 1);
    this.#entry = { page: this.#runHead, keyFrom: 0, keyTo: 0, value: this.#runHead, valueFrom: 0, valueBytes: 0, checksum: 0, isTable: false };
  }

  tree(tree: Tree): void {
    const { head } = tree, seen: Seen = { branchPages: 0, leafPages: 0, overflowPages: 0, entries: 0 };
    if (head.root === noPage) {
      if (head.depth !== 0 || head.entries !== 0) throw new PageDamage(undefined, `the ${tree.name} has ${head.entries} entries but no page`);
      return;
    }
    if (head.depth < 1 || head.depth > depthMax) throw new PageDamage(undefined, `the ${tree.name} has a depth of ${head.depth}`);
    this.#page(tree, head.root, 1, this.#walked.commit, undefined, undefined, seen);
    const isWhole = tree.onEntry !== undefined;
    const told = `${head.branchPages} branch, ${head.leafPages} leaf and ${head.overflowPages} overflow pages with ${head.entries} entries`;
    const isAsTold = seen.branchPages === head.branchPages && seen.leafPages === head.leafPages && (!isWhole || (seen.overflowPages === head.overflowPages && seen.entries === head.entries));
    if (!isAsTold) throw new PageDamage(head.root, `the ${tree.name} should have ${told}; it has ${seen.branchPages}, ${seen.leafPages}, ${seen.overflowPages} and ${seen.entries}`);
  }

  /** A page that no tree may have; `problem` tells what is wrong if one does. */
  claim(page: number, problem: (why: string) => string): void {
    if (page < metaPages || page > this.#walked.lastPage) throw new PageDamage(page <= this.#walked.lastPage ? page : undefined, problem(`page ${page}, which is none of the file's ${this.#walked.lastPage + 1}`));
    if (this.#seen[page] !== 0) throw new PageDamage(page, problem(`page ${page}, which is in use elsewhere`));
    this.#seen[page] = 1;
  }

  #page(tree: Tree, number: number, depth: number, commitMax: number, from: Bounds | undefined, to: Bounds | undefined, seen: Seen): void {
    this.claim(number, (why) => `the ${tree.name} leads to ${why}`);
    const isLeaf = depth === tree.head.depth;
    if (isLeaf && tree.onEntry === undefined) { seen.leafPages++; return; }
    const page = this.#levels[depth] ??= Buffer.alloc(this.#walked.pageBytes);
    this.#read(page, number, page.length, tree);
    const nodes = this.#checkHead(page, number, isLeaf, commitMax, tree);
    if (isLeaf) {
      seen.leafPages++;
      seen.entries += nodes;
      this.#leaf(tree, page, number, nodes, from, to, seen);
      return;
    }
    seen.branchPages++;
    this.#checkNodes(tree, page, number, nodes, 1, from, to);
    for (let index = 0; index < nodes; index++) {
      const at = nodeAt(page, index), child = u32(page, at) + u16(page, at + 4) * 2 ** 32;
      const low = index === 0 ? from : boundAt(page, index), high = index === nodes - 1 ? to : boundAt(page, index + 1);
      this.#page(tree, child, depth + 1, commitOf(page), low, high, seen);
    }
  }

  #read(target: Buffer, number: number, bytes: number, tree: Tree): void {
    const { file, pageBytes } = this.#walked;
    if (file.read(target, number * pageBytes, bytes) < bytes) throw new PageDamage(number, `the file ends within page ${number}, which is of the ${tree.name}`);
  }

  /** Gives how many nodes the page has. */
  #checkHead(page: Buffer, number: number, isLeaf: boolean, commitMax: number, tree: Tree): number {
    const wrong = (problem: string): never => { throw new PageDamage(number, `page ${number} of the ${tree.name} ${problem}`); };
    if (pageNumber(page) !== number) wrong(`calls itself page ${pageNumber(page)}`);
    if (flagsOf(page) !== (isLeaf ? pageFlags.leaf : pageFlags.branch) || padOf(page) !== 0) wrong(`is no ${isLeaf ? "leaf" : "branch"} page`);
    const commit = commitOf(page);
    if (commit < 1 || commit > commitMax) wrong(`is of commit ${commit}, what leads to it of ${commitMax}`);
    const lower = freeFrom(page), upper = freeTo(page), nodes = lower >> 1;
    if ((lower & 1) !== 0 || lower > upper || upper > page.length - headBytes || nodes < (isLeaf ? 1 : 2)) wrong("has no order in its nodes");
    return nodes;
  }

  /** Every node lies in its page, and its key behind the one before. `first`: a branch page's first has no key. */
  #checkNodes(tree: Tree, page: Buffer, number: number, nodes: number, first: number, from: Bounds | undefined, to: Bounds | undefined): void {
    const isLeaf = first === 0, lowest = freeTo(page) + headBytes;
    for (let index = 0, before = 0; index < nodes; index++) {
      const at = nodeAt(page, index), keyBytes = at + nodeHeadBytes <= page.length ? u16(page, at + 6) : 0, keyFrom = at + nodeHeadBytes;
      const end = keyFrom + keyBytes + (isLeaf ? inlineBytes(page, at) : 0);
      const isInside = at >= lowest && (at & 1) === 0 && end <= page.length && (index < first || keyBytes > 0) && (tree.hasNumbers !== true || index < first || keyBytes === 8);
      if (!isInside) throw new PageDamage(number, `node ${index} of page ${number} of the ${tree.name} reaches beyond its place`);
      if (index < first) continue;
      const isBehind = index === first
        ? from === undefined || compare(tree, page, keyFrom, keyFrom + keyBytes, from.page, from.from, from.to) >= 0
        : compare(tree, page, keyFrom, keyFrom + keyBytes, page, before + nodeHeadBytes, before + nodeHeadBytes + u16(page, before + 6)) > 0;
      if (!isBehind) throw new PageDamage(number, `the keys of page ${number} of the ${tree.name} are out of order at node ${index}`);
      before = at;
    }
    const last = nodeAt(page, nodes - 1), lastKey = last + nodeHeadBytes;
    const isBefore = to === undefined || compare(tree, page, lastKey, lastKey + u16(page, last + 6), to.page, to.from, to.to) < 0;
    if (!isBefore) throw new PageDamage(number, `the keys of page ${number} of the ${tree.name} go beyond what leads to it`);
  }

  #leaf(tree: Tree, page: Buffer, number: number, nodes: number, from: Bounds | undefined, to: Bounds | undefined, seen: Seen): void {
    this.#checkNodes(tree, page, number, nodes, 0, from, to);
    const entry = this.#entry;
    entry.page = page;
    for (let index = 0; index < nodes; index++) {
      const at = nodeAt(page, index), flags = u16(page, at + 4);
      entry.keyFrom = at + nodeHeadBytes;
      entry.keyTo = entry.keyFrom + u16(page, at + 6);
      entry.valueBytes = u32(page, at);
      entry.isTable = flags === nodeFlags.table;
      const isPossible = flags === 0 || flags === nodeFlags.overflow || (entry.isTable && tree.holdsTables === true && entry.valueBytes === treeHeadBytes);
      if (!isPossible) throw new PageDamage(number, `node ${index} of page ${number} of the ${tree.name} is of no kind`);
      if (flags === nodeFlags.overflow) this.#overflow(tree, page, entry, seen);
      else { entry.value = page; entry.valueFrom = entry.keyTo; }
      entry.checksum = checksumAt(entry.value, entry.valueFrom, entry.valueBytes);
      tree.onEntry!(entry);
    }
  }

  /** A value in pages of its own. */
  #overflow(tree: Tree, page: Buffer, entry: Entry, seen: Seen): void {
    const { pageBytes } = this.#walked, number = u64(page, entry.keyTo), pages = u64(page, entry.keyTo + 16);
    if (pages !== Math.floor((headBytes - 1 + entry.valueBytes) / pageBytes) + 1) throw new PageDamage(number, `a value of the ${tree.name} says that it has ${pages} pages`);
    for (let one = number; one < number + pages; one++) this.claim(one, (why) => `a value of the ${tree.name} lies in ${why}`);
    seen.overflowPages += pages;
    const whole = tree.needsValues === true, target = whole ? Buffer.alloc(headBytes + entry.valueBytes) : this.#runHead;
    this.#read(target, number, Math.min(target.length, headBytes + entry.valueBytes), tree);
    // A copy renumbers the commits of all other pages.
    const isRun = pageNumber(target) === number && flagsOf(target) === pageFlags.overflow && runPages(target) === pages && commitOf(target) >= 1 && commitOf(target) <= this.#walked.commit;
    if (!isRun) throw new PageDamage(number, `page ${number} does not begin the value of the ${tree.name} that should lie there`);
    const { file } = this.#walked;
    if ((number + pages - 1) * pageBytes >= file.bytes || number * pageBytes + headBytes + entry.valueBytes > file.bytes) throw new PageDamage(number, `the file ends within a value of the ${tree.name}`);
    entry.value = target;
    entry.valueFrom = headBytes;
  }
}

const nodeAt = (page: Buffer, index: number): number => u16(page, headBytes + 2 * index) + headBytes;

const boundAt = (page: Buffer, index: number): Bounds => {
  const from = nodeAt(page, index) + nodeHeadBytes;
  return { page, from, to: from + u16(page, from - 2) };
};

/** Of a leaf's node, behind its key. */
const inlineBytes = (page: Buffer, at: number): number => ((u16(page, at + 4) & nodeFlags.overflow) !== 0 ? overflowReferenceBytes : u32(page, at));

function compare({ hasNumbers }: Tree, a: Uint8Array, aFrom: number, aTo: number, b: Uint8Array, bFrom: number, bTo: number): number {
  if (hasNumbers === true) return u64(a, aFrom) - u64(b, bFrom);
  for (; aFrom < aTo && bFrom < bTo; aFrom++, bFrom++) {
    const difference = a[aFrom]! - b[bFrom]!;
    if (difference !== 0) return difference;
  }
  return aTo - aFrom - (bTo - bFrom);
}

/** The head of a table, as its entry holds it. */
export const tableHead = ({ value, valueFrom }: Entry): TreeHead => treeHead(value, valueFrom);
