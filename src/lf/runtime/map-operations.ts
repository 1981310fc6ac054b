/** The operations on ordered maps, compiled for each order by itself: the key type decides it, and one map has one. */
import type { Value } from "../value/value.js";
import { rankOf } from "./key-rank.js";
import { Node, OrderedMap, type Tree } from "./map.js";
import { withOwnCode } from "./own-code.js";

type Comparator = (a: Value, b: Value) => number;

export interface MapOperations {
  insert(key: Value, value: Value, map: OrderedMap): OrderedMap;
  /** `undefined` when the key is absent: no LF value is. */
  lookup(key: Value, map: OrderedMap): Value | undefined;
  remove(key: Value, map: OrderedMap): OrderedMap;
  /** A later entry of the same key replaces an earlier one. */
  fromEntries(entries: Iterable<readonly [Value, Value]>): OrderedMap;
}

export const mapOperations = (compare: Comparator): MapOperations => withOwnCode(operations)(compare, rankOf, withOwnCode(balancing)(Node), Node, OrderedMap);

const operations = (
  compare: Comparator, rank: typeof rankOf, { balance, join }: Balancing, Node_: typeof Node, OrderedMap_: typeof OrderedMap,
): MapOperations => {
  const insert = (entry: Node, tree: Tree): Node => {
    if (tree === undefined) return entry;
    const order = entry.rank === tree.rank ? compare(entry.key, tree.key) : entry.rank - tree.rank;
    if (order === 0) return new Node_(entry.rank, entry.key, entry.value, tree.left, tree.right, tree.size);
    return order < 0 ? balance(tree, insert(entry, tree.left), tree.right) : balance(tree, tree.left, insert(entry, tree.right));
  };
  const entryOf = (key: Value, value: Value): Node => new Node_(rank(key), key, value, undefined, undefined, 1);
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
    insert: (key, value, map) => new OrderedMap_(insert(entryOf(key, value), map.root)),
    lookup(key, map) {
      const keyRank = rank(key);
      let node = map.root;
      while (node !== undefined) {
        const order = keyRank === node.rank ? compare(key, node.key) : keyRank - node.rank;
        if (order === 0) return node.value;
        node = order < 0 ? node.left : node.right;
      }
      return undefined;
    },
    remove(key, map) {
      const root = removeFrom(map.root, key, rank(key));
      return root === map.root ? map : new OrderedMap_(root);
    },
    fromEntries(entries) {
      let root: Tree;
      for (const [key, value] of entries) root = insert(entryOf(key, value), root);
      return new OrderedMap_(root);
    },
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
  const make = ({ rank, key, value }: Node, left: Tree, right: Tree): Node => new Node_(rank, key, value, left, right, sizeOf(left) + sizeOf(right) + 1);
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
