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
import type { LfMap, Value } from "../value/index.js";
import { type Table, tableFor, tableKey, type TableKey } from "./map-table.js";
import { type Node, type Tree, treeOfOrdered, type TreeOperations } from "./map-tree.js";

/** A table, and how it becomes a tree. */
interface Ground {
  readonly table: Table;
  readonly order: MapOrder;
}
export interface MapOrder {
  readonly compare: (a: Value, b: Value) => number;
  readonly tree: TreeOperations;
}

/** Insertions in a row before there is a table, and how many to an entry. */
const rowMin = 16;
const rowPerEntry = 0.5;

export class OrderedMap implements LfMap {
  #tree: Tree;
  #ground: Ground | undefined;
  /** The next state over the table, the key in which it differs, and what that has here: `undefined` if it is not there. */
  #next: OrderedMap | undefined;
  #key: Value | undefined;
  #value: Value | undefined;
  /** How many insertions in a row led here. Of a map into which something was put already it is 0: only the first goes on with the row. */
  #row: number;

  constructor(tree: Tree, row = 0, ground?: Ground) {
    this.#tree = tree;
    this.#ground = ground;
    this.#row = row;
  }

  get size(): number {
    if (this.#ground !== undefined && this.#next === undefined) return this.#ground.table.size;
    const { root } = this;
    return root === undefined ? 0 : root.size;
  }

  get root(): Tree {
    if (this.#ground !== undefined) this.#dissolve();
    return this.#tree;
  }

  /** The table, if this is its newest state. */
  get table(): Table | undefined {
    return this.#next === undefined ? this.#ground?.table : undefined;
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
  onTable(order: MapOrder): OrderedMap | undefined {
    this.#row = 0;
    let table: Table | undefined;
    for (const [key, value] of this.entries()) {
      const held = tableKey(key);
      if (held === undefined) return undefined;
      table ??= tableFor(key, order.compare);
      table.put(key, held, value);
    }
    return table && new OrderedMap(undefined, 0, { table, order });
  }

  /**
   * Only of the newest state over a table. `value` undefined: without the key. The table may throw while it compares keys, as a run can be
   * at its end there, and this map may be a constant of a package, which outlives the run: until it has put nothing is written down.
   */
  changed(key: Value, held: TableKey, value: Value | undefined): OrderedMap {
    const ground = this.#ground!,
      next = new OrderedMap(undefined, 0, ground),
      before = ground.table.put(key, held, value);
    this.#next = next;
    this.#key = key;
    this.#value = before;
    return next;
  }

  /** From here to the newest state everything becomes a tree. */
  #dissolve(): void {
    const { table, order } = this.#ground!,
      states: OrderedMap[] = [];
    let newest: OrderedMap = this;
    for (; newest.#next !== undefined; newest = newest.#next) states.push(newest);
    if (newest.#ground !== undefined) newest.#become(treeOfOrdered(table.entries().sort(([a], [b]) => order.compare(a, b))));
    let tree = newest.#tree;
    for (let state = states.pop(); state !== undefined; state = states.pop()) {
      const key = state.#key!,
        value = state.#value;
      tree = value === undefined ? order.tree.remove(key, tree) : order.tree.insert(key, value, tree);
      state.#become(tree);
    }
  }

  #become(tree: Tree): void {
    this.#tree = tree;
    this.#ground = this.#next = this.#key = this.#value = undefined;
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

export const emptyMap = new OrderedMap(undefined);
