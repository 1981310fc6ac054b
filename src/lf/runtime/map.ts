/** GenMap and TextMap: a persistent, weight-balanced binary tree. What is done with one: `map-operations.ts`. */
import type { LfMap, Value } from "../value/value.js";

export class Node {
  /** `rank` is that of the key, see `key-rank.ts`. */
  constructor(readonly rank: number, readonly key: Value, readonly value: Value, readonly left: Tree, readonly right: Tree, readonly size: number) {}
}
export type Tree = Node | undefined;

export class OrderedMap implements LfMap {
  constructor(readonly root: Tree) {}

  get size(): number { return this.root === undefined ? 0 : this.root.size; }

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
