/**
 * GenMap and TextMap: a persistent, weight-balanced binary tree, ordered by the comparator that every operation brings
 * along (the key type decides it, and all operations on one map bring the same).
 */
import type { LfMap, Value } from "../value/value.js";

type Comparator = (a: Value, b: Value) => number;

class Node {
  constructor(readonly key: Value, readonly value: Value, readonly left: Tree, readonly right: Tree, readonly size: number) {}
}
type Tree = Node | undefined;

export class OrderedMap implements LfMap {
  constructor(readonly root: Tree) {}

  get size(): number { return sizeOf(this.root); }

  *entries(): IterableIterator<readonly [Value, Value]> {
    const path: Node[] = [];
    let node = this.root;
    while (node !== undefined || path.length > 0) {
      for (; node !== undefined; node = node.left) path.push(node);
      const next = path.pop()!;
      yield [next.key, next.value];
      node = next.right;
    }
  }

  keys(): Value[] { return this.#collect((node) => node.key); }
  values(): Value[] { return this.#collect((node) => node.value); }

  #collect(take: (node: Node) => Value): Value[] {
    const found: Value[] = [];
    const walk = (node: Tree): void => {
      if (node === undefined) return;
      walk(node.left);
      found.push(take(node));
      walk(node.right);
    };
    walk(this.root);
    return found;
  }
}

export const emptyMap = new OrderedMap(undefined);

export const mapInsert = (compare: Comparator, key: Value, value: Value, map: OrderedMap): OrderedMap =>
  new OrderedMap(insert(compare, key, value, map.root));

/** `undefined` when the key is absent: no LF value is. */
export const mapLookup = (compare: Comparator, key: Value, map: OrderedMap): Value | undefined => {
  let node = map.root;
  while (node !== undefined) {
    const order = orderOf(compare, key, node.key);
    if (order === 0) return node.value;
    node = order < 0 ? node.left : node.right;
  }
  return undefined;
};

export const mapDelete = (compare: Comparator, key: Value, map: OrderedMap): OrderedMap => {
  const root = remove(compare, key, map.root);
  return root === map.root ? map : new OrderedMap(root);
};

/** A later entry of the same key replaces an earlier one. */
export const mapFromEntries = (compare: Comparator, entries: Iterable<readonly [Value, Value]>): OrderedMap => {
  let root: Tree;
  for (const [key, value] of entries) root = insert(compare, key, value, root);
  return root === undefined ? emptyMap : new OrderedMap(root);
};

// The pair (3, 2) keeps a weight-balanced tree balanced under insertion and deletion (Hirai and Yamamoto, 2011).
const weightRatioMax = 3;
const singleRotationRatio = 2;

/** Most keys are small integers: they are compared in place. */
const orderOf = (compare: Comparator, key: Value, other: Value): number =>
  typeof key === "number" && typeof other === "number" ? key - other : compare(key, other);

const sizeOf = (tree: Tree): number => (tree === undefined ? 0 : tree.size);

const make = (key: Value, value: Value, left: Tree, right: Tree): Node => new Node(key, value, left, right, sizeOf(left) + sizeOf(right) + 1);

const insert = (compare: Comparator, key: Value, value: Value, tree: Tree): Node => {
  if (tree === undefined) return new Node(key, value, undefined, undefined, 1);
  const order = orderOf(compare, key, tree.key);
  if (order === 0) return new Node(key, value, tree.left, tree.right, tree.size);
  if (order < 0) {
    const left = insert(compare, key, value, tree.left);
    return left.size > weightRatioMax * sizeOf(tree.right) ? balance(tree.key, tree.value, left, tree.right) : make(tree.key, tree.value, left, tree.right);
  }
  const right = insert(compare, key, value, tree.right);
  return right.size > weightRatioMax * sizeOf(tree.left) ? balance(tree.key, tree.value, tree.left, right) : make(tree.key, tree.value, tree.left, right);
};

const remove = (compare: Comparator, key: Value, tree: Tree): Tree => {
  if (tree === undefined) return undefined;
  const order = orderOf(compare, key, tree.key);
  if (order === 0) return join(tree.left, tree.right);
  const child = order < 0 ? tree.left : tree.right;
  const rest = remove(compare, key, child);
  if (rest === child) return tree;
  return order < 0 ? balance(tree.key, tree.value, rest, tree.right) : balance(tree.key, tree.value, tree.left, rest);
};

/** Two trees that stood side by side under a removed key. */
const join = (left: Tree, right: Tree): Tree => {
  if (left === undefined) return right;
  if (right === undefined) return left;
  let first = right;
  while (first.left !== undefined) first = first.left;
  return balance(first.key, first.value, left, withoutFirst(right));
};

const withoutFirst = (tree: Node): Tree => (tree.left === undefined ? tree.right : balance(tree.key, tree.value, withoutFirst(tree.left), tree.right));

const balance = (key: Value, value: Value, left: Tree, right: Tree): Node => {
  const weightLeft = sizeOf(left);
  const weightRight = sizeOf(right);
  if (weightLeft + weightRight > 1) {
    if (weightRight > weightRatioMax * weightLeft) return rotateLeft(key, value, left, right!);
    if (weightLeft > weightRatioMax * weightRight) return rotateRight(key, value, left!, right);
  }
  return new Node(key, value, left, right, weightLeft + weightRight + 1);
};

const rotateLeft = (key: Value, value: Value, left: Tree, right: Node): Node => {
  const inner = right.left;
  if (sizeOf(inner) < singleRotationRatio * sizeOf(right.right)) return make(right.key, right.value, make(key, value, left, inner), right.right);
  return make(inner!.key, inner!.value, make(key, value, left, inner!.left), make(right.key, right.value, inner!.right, right.right));
};

const rotateRight = (key: Value, value: Value, left: Node, right: Tree): Node => {
  const inner = left.right;
  if (sizeOf(inner) < singleRotationRatio * sizeOf(left.left)) return make(left.key, left.value, left.left, make(key, value, inner, right));
  return make(inner!.key, inner!.value, make(left.key, left.value, left.left, inner!.left), make(key, value, inner!.right, right));
};
