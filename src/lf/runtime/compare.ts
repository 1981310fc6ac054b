/**
 * Generic equality and order of two values of one type: EQUAL, LESS and so on, and the order of map keys.
 * The walk keeps its own stack, since values nest as deep as memory allows, and stops at the first difference: two
 * functions that really meet are an error, functions behind a difference are not.
 */
import { fatal } from "../errors.js";
import {
  compareText,
  AnyValue,
  Cons,
  ContractId,
  EnumValue,
  InterfaceValue,
  nil,
  none,
  Numeric,
  Some,
  StructValue,
  TypeRep,
  unit,
  type Value,
  Variant,
  type Int64,
} from "../value/index.js";
import type { Meter } from "./budget.js";
import { compareContractIds } from "./contract-id.js";
import { OrderedMap } from "./map.js";
import { structFields } from "./struct.js";
import { compareDefinitionIds, compareTypes } from "./type-order.js";

export type Comparator = (a: Value, b: Value) => number;

/** Of Int64 in either form, timestamps and dates. */
const compareIntegers = (a: Int64, b: Int64): number => (a < b ? -1 : a === b ? 0 : 1);

/** The order of any two values of one type. */
export const compare = (a: Value, b: Value): number => compareWithin(a, b, recursionMax, undefined);

export const equal = (a: Value, b: Value): boolean => compare(a, b) === 0;

/**
 * The same for compiled code, which pays for long walks: values share parts, so that a value of a few cells can unfold
 * to more than can ever be compared.
 */
export const comparisonFunctions = (meter: Meter) => {
  const metered: Comparator = (a, b) => compareWithin(a, b, recursionMax, meter);
  return {
    compare: metered,
    equal: (a: Value, b: Value): boolean => metered(a, b) === 0,
    less: (a: Value, b: Value): boolean => metered(a, b) < 0,
    lessEq: (a: Value, b: Value): boolean => metered(a, b) <= 0,
    greater: (a: Value, b: Value): boolean => metered(a, b) > 0,
    greaterEq: (a: Value, b: Value): boolean => metered(a, b) >= 0,
  };
};

/** Levels of records that are compared by recursion, which is faster than the stack of `compareDeep`. */
const recursionMax = 8;

const compareWithin = (a: Value, b: Value, levels: number, meter: Meter | undefined): number => {
  if (typeof a === "number" || typeof a === "bigint") return compareIntegers(a, b as Int64);
  if (typeof a === "string") return compareText(a, b as string);
  if (typeof a === "boolean") return Number(a) - Number(b);
  if (levels === 0 || !(a instanceof Array)) return compareDeep(a, b, meter);
  for (let index = 0; index < a.length; index += 1) {
    const order = compareWithin(a[index]!, (b as Value[])[index]!, levels - 1, meter);
    if (order !== 0) return order;
  }
  return 0;
};

const compareDeep = (a: Value, b: Value, meter: Meter | undefined): number => {
  const pending: Value[] = [b, a];
  while (pending.length > 0) {
    meter?.work(1);
    const order = step(pending.pop()!, pending.pop()!, pending);
    if (order !== 0) return order;
  }
  return 0;
};

/** Compares the outermost layer; what is left to compare goes onto the stack, first things last. */
const step = (a: Value, b: Value, pending: Value[]): number => {
  switch (typeof a) {
    case "bigint":
    case "number":
      return compareIntegers(a, b as Int64);
    case "string":
      return compareText(a, b as string);
    case "boolean":
      return Number(a) - Number(b);
    case "function":
      throw fatal("NonComparableValues", "functions are not comparable");
    default:
      return a instanceof Array ? later(a, b as Value[], pending) : stepObject(a, b, pending);
  }
};

const stepObject = (a: Value, b: Value, pending: Value[]): number => {
  if (a === unit) return 0;
  if (a === nil) return b === nil ? 0 : -1;
  if (a === none) return b === none ? 0 : -1;
  if (a instanceof Cons) return b instanceof Cons ? later([a.head, a.tail], [b.head, b.tail], pending) : 1;
  if (a instanceof Some) return b instanceof Some ? later([a.value], [b.value], pending) : 1;
  if (a instanceof Variant && b instanceof Variant) return a.rank === b.rank ? later([a.value], [b.value], pending) : a.rank - b.rank;
  if (a instanceof EnumValue && b instanceof EnumValue) return a.rank - b.rank;
  if (a instanceof Numeric && b instanceof Numeric) return compareIntegers(a.digits, b.digits);
  if (a instanceof ContractId && b instanceof ContractId) return compareContractIds(a, b);
  if (a instanceof StructValue && b instanceof StructValue) return later(structFields(a), structFields(b), pending);
  if (a instanceof OrderedMap && b instanceof OrderedMap) return later(entryList(a), entryList(b), pending);
  if (a instanceof AnyValue && b instanceof AnyValue) return compareTypes(a.type, b.type) || later([a.value], [b.value], pending);
  if (a instanceof TypeRep && b instanceof TypeRep) return compareTypes(a.type, b.type);
  if (a instanceof InterfaceValue && b instanceof InterfaceValue)
    return compareDefinitionIds(a.template, b.template) || later([a.payload], [b.payload], pending);
  throw fatal("Internal", "values of different types were compared");
};

/** Pairs to compare, left to right; both sides have as many. */
const later = (as: readonly Value[], bs: readonly Value[], pending: Value[]): 0 => {
  for (let index = as.length - 1; index >= 0; index -= 1) pending.push(bs[index]!, as[index]!);
  return 0;
};

/** A map compares as the sequence of its keys and values, which orders as a list does. */
const entryList = (map: OrderedMap): [Value] => {
  let list: Value = nil;
  for (const [key, value] of [...map.entries()].reverse()) list = new Cons(key, new Cons(value, list));
  return [list];
};

/** Map operations refuse a key that holds a function before they look at the map. */
export const checkComparable = (key: Value, meter: Meter): void => {
  if (typeof key !== "object") return key instanceof Function ? compareFunctions() : undefined;
  const pending: Value[] = [key];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    meter.work(1);
    if (typeof value === "function") compareFunctions();
    if (typeof value === "object") pending.push(...parts(value));
  }
};

const compareFunctions = (): never => {
  throw fatal("NonComparableValues", "functions are not comparable");
};

const parts = (value: Value): readonly Value[] => {
  if (value instanceof Array) return value;
  if (value instanceof Cons) return [value.tail, value.head];
  if (value instanceof Some || value instanceof Variant || value instanceof AnyValue) return [value.value];
  if (value instanceof StructValue) return structFields(value);
  if (value instanceof OrderedMap) return entryList(value);
  return value instanceof InterfaceValue ? [value.payload] : [];
};
