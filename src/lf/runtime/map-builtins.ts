/** The builtins of GenMap and TextMap. The compiler picks the comparator from the key type where it knows it. */
import { compareText, type List, none, type Optional, Some, type StructValue, type Value, type Int64 } from "../value/index.js";
import type { Meter } from "./budget.js";
import { checkComparable, type Comparator } from "./compare.js";
import { listFromArray } from "./list.js";
import type { OrderedMap } from "./map.js";
import { type MapOperations, mapOperations } from "./map-operations.js";
import { withOwnCode } from "./own-code.js";
import type { StructLayouts } from "./struct.js";

/** Nodes that an insertion copies, about: the depth of the tree is not worth computing. */
const insertionUnits = 8;

/** The operations of one key type, metered. */
export interface MapBuiltins {
  insert(key: Value, value: Value, map: OrderedMap): OrderedMap;
  lookup(key: Value, map: OrderedMap): Optional;
  delete(key: Value, map: OrderedMap): OrderedMap;
}

export const mapBuiltins = (meter: Meter, compare: Comparator): MapBuiltins =>
  withOwnCode(metered)(mapOperations(compare), meter, insertionUnits, none, Some);

const metered = (
  { insert, lookup, remove }: MapOperations,
  meter: Meter,
  units: number,
  none_: typeof none,
  Some_: typeof Some,
): MapBuiltins => ({
  insert(key, value, map) {
    meter.allocate(units);
    const result = insert(key, value, map);
    meter.entries(result.size);
    return result;
  },
  lookup(key, map) {
    const value = lookup(key, map);
    return value === undefined ? none_ : new Some_(value);
  },
  delete(key, map) {
    meter.allocate(units);
    return remove(key, map);
  },
});

export const mapSize = (map: OrderedMap): Int64 => map.size;

export const mapFunctions = (meter: Meter, structs: StructLayouts, compare: Comparator) => {
  const entryStruct = structs.of(["key", "value"]);
  const byAnyKey = mapBuiltins(meter, compare);
  const byText = mapBuiltins(meter, compareText as Comparator);
  const list = (elements: Value[]): List => {
    meter.work(elements.length);
    meter.allocate(elements.length);
    return listFromArray(elements);
  };
  return {
    mapBuiltins: (order: Comparator): MapBuiltins => mapBuiltins(meter, order),
    genMapInsert: (key: Value, value: Value, map: OrderedMap): OrderedMap => {
      checkComparable(key, meter);
      return byAnyKey.insert(key, value, map);
    },
    genMapLookup: (key: Value, map: OrderedMap): Optional => {
      checkComparable(key, meter);
      return byAnyKey.lookup(key, map);
    },
    genMapDelete: (key: Value, map: OrderedMap): OrderedMap => {
      checkComparable(key, meter);
      return byAnyKey.delete(key, map);
    },
    mapKeys: (map: OrderedMap): List => list(map.keys()),
    mapValues: (map: OrderedMap): List => list(map.values()),
    textMapInsert: byText.insert,
    textMapLookup: byText.lookup,
    textMapDelete: byText.delete,
    textMapToList: (map: OrderedMap): List => list([...map.entries()].map(([key, value]): StructValue => new entryStruct(key, value))),
  };
};
