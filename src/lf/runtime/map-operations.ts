/** The operations on ordered maps, compiled for each order by itself. */
import type { Value } from "../value/index.js";
import { type MapOrder, OrderedMap } from "./map.js";
import { tableKey } from "./map-table.js";
import { treeOfOrdered, treeOperations } from "./map-tree.js";
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

export const mapOperations = (compare: Comparator): MapOperations => {
  const tree = treeOperations(compare);
  return {
    ...withOwnCode(operations)({ compare, tree }, tableKey, OrderedMap),
    fromEntries(entries) {
      const all = [...entries];
      if (all.every(([key], index) => index === 0 || compare(all[index - 1]![0], key) < 0)) return new OrderedMap(treeOfOrdered(all));
      return new OrderedMap(all.reduce<OrderedMap["root"]>((root, [key, value]) => tree.insert(key, value, root), undefined));
    },
  };
};

const operations = (order: MapOrder, held: typeof tableKey, OrderedMap_: typeof OrderedMap): Omit<MapOperations, "fromEntries"> => ({
  insert(key, value, map) {
    const own = map.table !== undefined || map.isGrowing ? held(key) : undefined;
    if (own !== undefined) {
      const based = map.table === undefined ? map.onTable(order) : map;
      if (based !== undefined) return based.changed(key, own, value);
    }
    const root = order.tree.insert(key, value, map.root);
    return new OrderedMap_(root, map.nextRow());
  },
  lookup(key, map) {
    const { table } = map;
    const own = table === undefined ? undefined : held(key);
    return own === undefined ? order.tree.find(key, map.root) : table!.get(key, own);
  },
  remove(key, map) {
    const { table } = map;
    const own = table === undefined ? undefined : held(key);
    if (own !== undefined) return table!.get(key, own) === undefined ? map : map.changed(key, own, undefined);
    const before = map.root,
      root = order.tree.remove(key, before);
    return root === before ? map : new OrderedMap_(root);
  },
});
