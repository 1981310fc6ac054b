/**
 * Goes through the pages of a tree and proves that LMDB can: every page is where its number says, of the kind its place asks for, of
 * no later commit than the one above it, and in one tree only; keys rise, within what the page above says; and there are as many
 * pages and entries as the tree's head says. That no page is reached twice also bounds the walk.
 */
import { sealBytes } from "./records.js";
import { checksumAt } from "./table-sums.js";
import {
  commitOf,
  depthMax,
  flagsOf,
  freeFrom,
  freeTo,
  headBytes,
  headProblem,
  inlineBytes,
  keyAt,
  keyBytesAt,
  nodeAt,
  noPage,
  nodeFlags,
  PageDamage,
  pageFlags,
  type PageFile,
  pageNumber,
  runPages,
  treeHead,
  treeHeadBytes,
  u16,
  u32,
  u64,
  type TreeHead,
} from "./page-file.js";

const metaPages = 2;

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

/** A key in its page. */
interface Bound {
  page: Buffer;
  from: number;
  to: number;
}

/** What the page above says of one: no later commit, keys from here on and before there. */
interface Above {
  readonly commit: number;
  readonly low: Bound | undefined;
  readonly high: Bound | undefined;
}

interface Nodes {
  readonly nodes: number;
  readonly isLeaf: boolean;
}

interface Found {
  branchPages: number;
  leafPages: number;
  overflowPages: number;
  entries: number;
}
const noneFound = (): Found => ({ branchPages: 0, leafPages: 0, overflowPages: 0, entries: 0 });
/** Of a tree whose leaves are not looked at only the first two are known. */
const counts = [
  ["branchPages", "branch pages"],
  ["leafPages", "leaf pages"],
  ["overflowPages", "overflow pages"],
  ["entries", "entries"],
] as const;

export interface WalkedFile {
  readonly file: PageFile;
  /** Of the file, with all that `commit` wrote. */
  readonly bytes: number;
  readonly pageBytes: number;
  readonly lastPage: number;
  readonly commit: number;
}

export class PageWalk {
  readonly #walked: WalkedFile;
  readonly #taken: Uint8Array;
  /** A page for each level, as those above are still needed. */
  readonly #levels: Buffer[] = [];
  readonly #runHead = Buffer.alloc(headBytes + sealBytes);
  readonly #entry: Entry;
  #tree: Tree | undefined;
  #found = noneFound();
  /** Of the nodes before the one that is looked at: there are many, so they share two objects. */
  readonly #bounds: readonly Bound[] = [0, 1].map(() => ({ page: this.#runHead, from: 0, to: 0 }));

  constructor(walked: WalkedFile) {
    this.#walked = walked;
    this.#taken = new Uint8Array(walked.lastPage + 1);
    const page = this.#runHead,
      value = this.#runHead;
    this.#entry = { page, keyFrom: 0, keyTo: 0, value, valueFrom: 0, valueBytes: 0, checksum: 0, isTable: false };
  }

  tree(tree: Tree): void {
    const { head, name } = tree,
      found = (this.#found = noneFound());
    this.#tree = tree;
    if (head.root === noPage) {
      if (head.depth !== 0 || head.entries !== 0) throw new PageDamage(undefined, `the ${name} has ${head.entries} entries but no page`);
      return;
    }
    if (head.depth < 1 || head.depth > depthMax) throw new PageDamage(undefined, `the ${name} has a depth of ${head.depth}`);
    this.#page(head.root, 1, { commit: this.#walked.commit, low: undefined, high: undefined });
    for (const [count, what] of counts.slice(0, tree.onEntry === undefined ? 2 : counts.length)) {
      const isSame = found[count] === head[count];
      if (!isSame) throw new PageDamage(head.root, `the ${name} should have ${head[count]} ${what}, not ${found[count]}`);
    }
  }

  /** For a page that nothing else may have; `told` says who leads to it. */
  claim(page: number, told: (page: string) => string): void {
    const { lastPage } = this.#walked;
    const isOfFile = page >= metaPages && page <= lastPage;
    if (!isOfFile) throw new PageDamage(undefined, told(`page ${page}, which is none of the file's ${lastPage + 1}`));
    if (this.#taken[page] !== 0) throw new PageDamage(page, told(`page ${page}, which is in use elsewhere`));
    this.#taken[page] = 1;
  }

  get #name(): string {
    return this.#tree!.name;
  }

  #page(number: number, depth: number, above: Above): void {
    this.claim(number, (page) => `the ${this.#name} leads to ${page}`);
    const isLeaf = depth === this.#tree!.head.depth;
    if (isLeaf && this.#tree!.onEntry === undefined) {
      this.#found.leafPages++;
      return;
    }
    const page = (this.#levels[depth] ??= Buffer.alloc(this.#walked.pageBytes));
    this.#read(page, number, page.length);
    const nodes = this.#checkHead(page, number, isLeaf, above.commit);
    this.#checkNodes(page, number, { nodes, isLeaf }, above);
    if (isLeaf) this.#leaf(page, number, nodes);
    else this.#branch(page, depth, nodes, above);
  }

  #branch(page: Buffer, depth: number, nodes: number, { low, high }: Above): void {
    this.#found.branchPages++;
    const commit = commitOf(page);
    for (let index = 0; index < nodes; index++) {
      const at = nodeAt(page, index),
        child = u32(page, at) + u16(page, at + 4) * 2 ** 32;
      const from = index === 0 ? low : boundAt(page, index),
        to = index === nodes - 1 ? high : boundAt(page, index + 1);
      this.#page(child, depth + 1, { commit, low: from, high: to });
    }
  }

  #read(target: Buffer, number: number, bytes: number): void {
    const { file, pageBytes } = this.#walked;
    const read = file.read(target, number * pageBytes, bytes);
    if (read < bytes) throw new PageDamage(number, `the file ends within page ${number}, which is of the ${this.#name}`);
  }

  /** Gives how many nodes the page has. */
  #checkHead(page: Buffer, number: number, isLeaf: boolean, commitMax: number): number {
    const problem = headProblem(page, number, isLeaf, commitMax);
    if (problem !== undefined) throw new PageDamage(number, `page ${number} of the ${this.#name} ${problem}`);
    return freeFrom(page) >> 1;
  }

  /** Every node lies in its page, and its key behind the one before. A branch page's first has no key. */
  #checkNodes(page: Buffer, number: number, { nodes, isLeaf }: Nodes, { low, high }: Above): void {
    const wrong = (problem: string): never => {
      throw new PageDamage(number, `${problem} of page ${number} of the ${this.#name}`);
    };
    let before = low;
    for (let index = 0, first = isLeaf ? 0 : 1; index < nodes; index++) {
      const at = nodeAt(page, index);
      if (!this.#isInside(page, at, isLeaf, index >= first)) wrong(`node ${index} reaches beyond its place, which is`);
      if (index < first) continue;
      const order = before === undefined ? 1 : this.#compare(page, at, before),
        isBehind = order > 0 || (order === 0 && index === first);
      if (!isBehind) wrong(`the key of node ${index} is out of the order`);
      before = this.#bounds[index & 1]!;
      before.page = page;
      before.from = keyAt(at);
      before.to = before.from + u16(page, at + keyBytesAt);
    }
    const isBefore = high === undefined || this.#compare(page, nodeAt(page, nodes - 1), high) < 0;
    if (!isBefore) wrong("the last key goes beyond what leads to it, which is");
  }

  #isInside(page: Buffer, at: number, isLeaf: boolean, hasKey: boolean): boolean {
    if (at < freeTo(page) + headBytes || (at & 1) !== 0 || keyAt(at) > page.length) return false;
    const keyBytes = u16(page, at + keyBytesAt),
      isKey = this.#tree!.hasNumbers === true ? keyBytes === 8 : keyBytes > 0;
    return (!hasKey || isKey) && keyAt(at) + keyBytes + (isLeaf ? inlineBytes(page, at) : 0) <= page.length;
  }

  #leaf(page: Buffer, number: number, nodes: number): void {
    this.#found.leafPages++;
    this.#found.entries += nodes;
    const entry = this.#entry,
      { onEntry, holdsTables } = this.#tree!;
    entry.page = page;
    for (let index = 0; index < nodes; index++) {
      const at = nodeAt(page, index),
        flags = u16(page, at + 4);
      entry.keyFrom = keyAt(at);
      entry.keyTo = entry.keyFrom + u16(page, at + keyBytesAt);
      entry.valueBytes = u32(page, at);
      entry.isTable = flags === nodeFlags.table;
      const isRoot = entry.isTable && holdsTables === true && entry.valueBytes === treeHeadBytes;
      const isPossible = flags === 0 || flags === nodeFlags.overflow || isRoot;
      if (!isPossible) throw new PageDamage(number, `node ${index} of page ${number} of the ${this.#name} is of no kind`);
      if (flags === nodeFlags.overflow) this.#overflow(page, entry);
      else {
        entry.value = page;
        entry.valueFrom = entry.keyTo;
      }
      entry.checksum = checksumAt(entry.value, entry.valueFrom, entry.valueBytes);
      onEntry!(entry);
    }
  }

  /** A value in pages of its own. */
  #overflow(page: Buffer, entry: Entry): void {
    const { bytes: fileBytes, pageBytes, commit } = this.#walked,
      bytes = headBytes + entry.valueBytes;
    const number = u64(page, entry.keyTo),
      pages = u64(page, entry.keyTo + 16);
    if (pages !== Math.ceil(bytes / pageBytes)) throw new PageDamage(undefined, `a value of the ${this.#name} tells of ${pages} pages`);
    for (let one = number; one < number + pages; one++) this.claim(one, (which) => `a value of the ${this.#name} lies in ${which}`);
    this.#found.overflowPages += pages;
    const target = this.#tree!.needsValues === true ? Buffer.alloc(bytes) : this.#runHead;
    this.#read(target, number, Math.min(target.length, bytes));
    // Of no later commit than the file; not than the page that leads to it: a copy renumbers the commits of all others.
    const isRun = pageNumber(target) === number && flagsOf(target) === pageFlags.overflow && runPages(target) === pages;
    const isKnown = commitOf(target) >= 1 && commitOf(target) <= commit;
    const isWrong = !isRun || !isKnown;
    if (isWrong) throw new PageDamage(number, `page ${number} does not begin the value of the ${this.#name} that lies there`);
    if (number * pageBytes + bytes > fileBytes) throw new PageDamage(number, `the file ends within a value of the ${this.#name}`);
    entry.value = target;
    entry.valueFrom = headBytes;
  }

  /** The key of a node with another one. */
  #compare(page: Buffer, node: number, { page: other, from, to }: Bound): number {
    let at = keyAt(node);
    if (this.#tree!.hasNumbers === true) return u64(page, at) - u64(other, from);
    const end = at + u16(page, node + keyBytesAt);
    for (; at < end && from < to; at++, from++) {
      const difference = page[at]! - other[from]!;
      if (difference !== 0) return difference;
    }
    return end - at - (to - from);
  }
}

const boundAt = (page: Buffer, index: number): Bound => {
  const at = nodeAt(page, index),
    from = keyAt(at);
  return { page, from, to: from + u16(page, at + keyBytesAt) };
};

/** The head of a table, as its entry holds it. */
export const tableHead = ({ value, valueFrom }: Entry): TreeHead => treeHead(value, valueFrom);
