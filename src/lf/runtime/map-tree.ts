/**
 * A persistent, weight-balanced binary tree: what maps are made of where others may still look at an earlier state of one. Its
 * operations are compiled for each order by itself: the key type decides it, and one map has one.
 */
import type { Value } from "../value/index.js";
import { rankOf } from "./key-rank.js";
import { withOwnCode } from "./own-code.js";

export class Node {
  /** `rank` is that of the key, see `key-rank.ts`. */
  constructor(
    readonly rank: number,
    readonly key: Value,
    readonly value: Value,
    readonly left: Tree,
    readonly right: Tree,
    readonly size: number,
  ) {}
}
export type Tree = Node | undefined;

type Comparator = (a: Value, b: Value) => number;

export interface TreeOperations {
  insert(key: Value, value: Value, tree: Tree): Node;
  /** `undefined` when the key is absent: no LF value is. */
  find(key: Value, tree: Tree): Value | undefined;
  remove(key: Value, tree: Tree): Tree;
}

export const treeOperations = (compare: Comparator): TreeOperations =>
  withOwnCode(operations)(compare, rankOf, withOwnCode(balancing)(Node), Node);

/** Of entries in ascending order of their keys. */
export const treeOfOrdered = (entries: readonly (readonly [Value, Value])[], start = 0, end = entries.length): Tree => {
  if (start === end) return undefined;
  const middle = (start + end) >>> 1,
    [key, value] = entries[middle]!;
  return new Node(rankOf(key), key, value, treeOfOrdered(entries, start, middle), treeOfOrdered(entries, middle + 1, end), end - start);
};

const operations = (compare: Comparator, rank: typeof rankOf, { balance, join }: Balancing, Node_: typeof Node): TreeOperations => {
  const insertEntry = (entry: Node, tree: Tree): Node => {
    if (tree === undefined) return entry;
    const order = entry.rank === tree.rank ? compare(entry.key, tree.key) : entry.rank - tree.rank;
    if (order === 0) return new Node_(entry.rank, entry.key, entry.value, tree.left, tree.right, tree.size);
    return order < 0 ? balance(tree, insertEntry(entry, tree.left), tree.right) : balance(tree, tree.left, insertEntry(entry, tree.right));
  };
  const removeFrom = (tree: Tree, key: Value, keyRank: number): Tree => {
    if (tree === undefined) return undefined;
    const order = keyRank === tree.rank ? compare(key, tree.key) : keyRank - tree.rank;
    if (order === 0) return join(tree.left, tree.right);
    const child = order < 0 ? tree.left : tree.right;
    const rest = removeFrom(child, key, keyRank);
    if (rest === child) return tree;
    return order < 0 ? balance(tree, rest, tree.right) : balance(tree, tree.left, rest);
  };
  return {
    insert: (key, value, tree) => insertEntry(new Node_(rank(key), key, value, undefined, undefined, 1), tree),
    find(key, tree) {
      const keyRank = rank(key);
      let node = tree;
      while (node !== undefined) {
        const order = keyRank === node.rank ? compare(key, node.key) : keyRank - node.rank;
        if (order === 0) return node.value;
        node = order < 0 ? node.left : node.right;
      }
      return undefined;
    },
    remove: (key, tree) => removeFrom(tree, key, rank(key)),
  };
};

interface Balancing {
  /** An entry over two trees, after one insertion or deletion on either side. */
  balance(entry: Node, left: Tree, right: Tree): Node;
  /** Two trees that stood side by side under a removed key. */
  join(left: Tree, right: Tree): Tree;
}

const balancing = (Node_: typeof Node): Balancing => {
  // The pair (3, 2) keeps a weight-balanced tree balanced under insertion and deletion (Hirai and Yamamoto, 2011).
  const weightRatioMax = 3;
  const singleRotationRatio = 2;
  const sizeOf = (tree: Tree): number => (tree === undefined ? 0 : tree.size);
  const make = ({ rank, key, value }: Node, left: Tree, right: Tree): Node =>
    new Node_(rank, key, value, left, right, sizeOf(left) + sizeOf(right) + 1);
  const rotateLeft = (entry: Node, left: Tree, right: Node): Node => {
    const inner = right.left;
    if (sizeOf(inner) < singleRotationRatio * sizeOf(right.right)) return make(right, make(entry, left, inner), right.right);
    return make(inner!, make(entry, left, inner!.left), make(right, inner!.right, right.right));
  };
  const rotateRight = (entry: Node, left: Node, right: Tree): Node => {
    const inner = left.right;
    if (sizeOf(inner) < singleRotationRatio * sizeOf(left.left)) return make(left, left.left, make(entry, inner, right));
    return make(inner!, make(left, left.left, inner!.left), make(entry, inner!.right, right));
  };
  const balance = (entry: Node, left: Tree, right: Tree): Node => {
    const weightLeft = sizeOf(left);
    const weightRight = sizeOf(right);
    if (weightLeft + weightRight > 1) {
      if (weightRight > weightRatioMax * weightLeft) return rotateLeft(entry, left, right!);
      if (weightLeft > weightRatioMax * weightRight) return rotateRight(entry, left!, right);
    }
    return new Node_(entry.rank, entry.key, entry.value, left, right, weightLeft + weightRight + 1);
  };
  const withoutFirst = (tree: Node): Tree => (tree.left === undefined ? tree.right : balance(tree, withoutFirst(tree.left), tree.right));
  const join = (left: Tree, right: Tree): Tree => {
    if (left === undefined) return right;
    if (right === undefined) return left;
    let first = right;
    while (first.left !== undefined) first = first.left;
    return balance(first, left, withoutFirst(right));
  };
  return { balance, join };
};
