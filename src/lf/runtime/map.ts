/**
 * GenMap and TextMap: persistent maps, ordered by their keys. What is done with one: `map-operations.ts`.
 *
 * A map is a tree (`map-tree.ts`) or the newest state over a table (`map-table.ts`), which is as good as a tree while nobody asks for an
 * earlier state or for the order of the entries; then all that stand in a row become trees, and the table is given up.
 *
 *   tree -> tree -> ... -> state -> state -> state over the table
 *                          (each knows how it differs from the next)
 *
 * Only maps that grew by many insertions, each into the map that the one before gave, get a table: making one, and giving it up, is
 * paid by them.
 */
import { compareText, type LfMap, type Value } from "../value/index.js";
import { Table, tableKey, type TableKey } from "./map-table.js";
import { type Node, type Tree, treeOfOrdered, treeOperations } from "./map-tree.js";

/** From a state to the next one; `value` is what the key had before, `undefined` if it was not there. */
interface Change {
  readonly key: Value;
  readonly value: Value | undefined;
  readonly next: OrderedMap;
}

/** Insertions in a row before there is a table, and how many to an entry. */
const rowMin = 16;
const rowPerEntry = 0.5;

export class OrderedMap implements LfMap {
  #tree: Tree;
  #table: Table | undefined;
  #change: Change | undefined;
  /** How many insertions in a row led here. Of a map into which something was put already it is 0: only the first goes on with the row. */
  #row: number;

  constructor(tree: Tree, row = 0, table?: Table) {
    this.#tree = tree;
    this.#table = table;
    this.#row = row;
  }

  get size(): number {
    if (this.#table !== undefined && this.#change === undefined) return this.#table.size;
    const { root } = this;
    return root === undefined ? 0 : root.size;
  }

  get root(): Tree {
    if (this.#table !== undefined) this.#dissolve();
    return this.#tree;
  }

  /** The table, if this is its newest state. */
  get table(): Table | undefined {
    return this.#change === undefined ? this.#table : undefined;
  }

  /** How many insertions in a row led to the map that this one is changed into. */
  nextRow(): number {
    const row = this.#row + 1;
    this.#row = 0;
    return row;
  }

  /** Whether the next insertion should go into a table. */
  get isGrowing(): boolean {
    return this.#row >= rowMin && this.#row >= rowPerEntry * (this.#tree === undefined ? 0 : this.#tree.size);
  }

  /** This map over a table of its own; undefined if a key cannot be held by one. */
  onTable(): OrderedMap | undefined {
    this.#row = 0;
    const table = new Table();
    for (const [key, value] of this.entries()) {
      const held = tableKey(key);
      if (held === undefined) return undefined;
      table.put(held, value);
    }
    return new OrderedMap(undefined, 0, table);
  }

  /** Only of the newest state over a table. `value` undefined: without the key. */
  changed(key: Value, held: TableKey, value: Value | undefined): OrderedMap {
    const table = this.#table!,
      next = new OrderedMap(undefined, 0, table);
    this.#change = { key, value: table.put(held, value), next };
    return next;
  }

  /** From here to the newest state everything becomes a tree. */
  #dissolve(): void {
    const states: OrderedMap[] = [];
    let newest: OrderedMap = this;
    for (; newest.#change !== undefined; newest = newest.#change.next) states.push(newest);
    if (newest.#table !== undefined) newest.#become(treeOfOrdered(newest.#table.ordered()));
    let tree = newest.#tree;
    for (let state = states.pop(); state !== undefined; state = states.pop()) {
      const { key, value } = state.#change!;
      tree = value === undefined ? byKey.remove(key, tree) : byKey.insert(key, value, tree);
      state.#become(tree);
    }
  }

  #become(tree: Tree): void {
    this.#tree = tree;
    this.#table = this.#change = undefined;
  }

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

  keys(): Value[] {
    return this.#collect((node) => node.key);
  }
  values(): Value[] {
    return this.#collect((node) => node.value);
  }

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

/** The order of keys that a table can hold. */
const byKey = treeOperations((a, b) => (typeof a === "string" ? compareText(a, b as string) : (a as number) - (b as number)));

export const emptyMap = new OrderedMap(undefined);
