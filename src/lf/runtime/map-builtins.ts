/** The builtins of GenMap and TextMap. The compiler picks the comparator from the key type where it knows it. */
import { type List, none, type Optional, Some, type StructValue, type Value } from "../value/value.js";
import type { Int64 } from "../value/int64.js";
import type { Meter } from "./budget.js";
import { checkComparable, type Comparator } from "./compare.js";
import { listFromArray } from "./list.js";
import { mapDelete, mapInsert, mapLookup, type OrderedMap } from "./map.js";
import type { StructLayouts } from "./struct.js";
import { compareText } from "./text.js";

/** Nodes that an insertion copies, about: the depth of the tree is not worth computing. */
const insertionUnits = 8;

const optional = (value: Value | undefined): Optional => (value === undefined ? none : new Some(value));

export const lookupBy = (order: Comparator, key: Value, map: OrderedMap): Optional => optional(mapLookup(order, key, map));
export const mapSize = (map: OrderedMap): Int64 => map.size;

export const mapFunctions = (meter: Meter, structs: StructLayouts, compare: Comparator) => {
  const entryStruct = structs.of(["key", "value"]);
  const insertBy = (order: Comparator, key: Value, value: Value, map: OrderedMap): OrderedMap => {
    meter.allocate(insertionUnits);
    const result = mapInsert(order, key, value, map);
    meter.entries(result.size);
    return result;
  };
  const deleteBy = (order: Comparator, key: Value, map: OrderedMap): OrderedMap => {
    meter.allocate(insertionUnits);
    return mapDelete(order, key, map);
  };
  const list = (elements: Value[]): List => {
    meter.work(elements.length);
    meter.allocate(elements.length);
    return listFromArray(elements);
  };
  return {
    insertBy,
    deleteBy,
    genMapInsert: (key: Value, value: Value, map: OrderedMap): OrderedMap => {
      checkComparable(key, meter);
      return insertBy(compare, key, value, map);
    },
    genMapLookup: (key: Value, map: OrderedMap): Optional => {
      checkComparable(key, meter);
      return lookupBy(compare, key, map);
    },
    genMapDelete: (key: Value, map: OrderedMap): OrderedMap => {
      checkComparable(key, meter);
      return deleteBy(compare, key, map);
    },
    mapKeys: (map: OrderedMap): List => list(map.keys()),
    mapValues: (map: OrderedMap): List => list(map.values()),
    textMapInsert: (key: string, value: Value, map: OrderedMap): OrderedMap => insertBy(compareText as Comparator, key, value, map),
    textMapLookup: (key: string, map: OrderedMap): Optional => lookupBy(compareText as Comparator, key, map),
    textMapDelete: (key: string, map: OrderedMap): OrderedMap => deleteBy(compareText as Comparator, key, map),
    textMapToList: (map: OrderedMap): List => list([...map.entries()].map(([key, value]): StructValue => new entryStruct(key, value))),
  };
};
