/** Lists are cons cells, and everything walks them iteratively. */
import { Cons, type List, nil, type Value } from "../value/index.js";
import type { Meter } from "./budget.js";
import { apply2, type Fn } from "./function.js";

/** The elements in front of a tail. */
export const listFromArray = (elements: readonly Value[], tail: List = nil): List => {
  let list = tail;
  for (let index = elements.length - 1; index >= 0; index -= 1) list = new Cons(elements[index]!, list);
  return list;
};

/** Longer arrays are grown: V8 makes a hash table of one that is asked for at a huge size. */
const sizedArrayMax = 10_000_000;

export const arrayFromList = (list: List): Value[] => {
  let length = 0;
  for (let rest = list; rest !== nil; rest = (rest as Cons).tail) length += 1;
  const elements = length > sizedArrayMax ? [] : new Array<Value>(length);
  let index = 0;
  for (let rest = list; rest !== nil; rest = (rest as Cons).tail) elements[index++] = (rest as Cons).head;
  return elements;
};

/** Elements that a walk from the right has at hand: memory for all of a long list would have to be copied by the garbage collector. */
const stretchMax = 1024;

/** The folds pay for their length: the function may be a builtin, which pays nothing itself. */
export const listFunctions = (meter: Meter) => {
  /** For a walk from the right without recursion: where stretches of the list begin. */
  const paidStretches = (list: List): Cons[] => {
    const starts: Cons[] = [];
    let count = 0;
    for (let rest = list; rest !== nil; rest = (rest as Cons).tail, count += 1) if (count % stretchMax === 0) starts.push(rest as Cons);
    meter.work(count);
    return starts;
  };
  /** Puts the elements of a stretch into an array, and gives their number. */
  const takeStretch = (start: List, elements: Value[]): number => {
    let count = 0;
    for (let rest = start; rest !== nil && count < stretchMax; rest = (rest as Cons).tail) elements[count++] = (rest as Cons).head;
    return count;
  };
  return {
    paidStretches,
    takeStretch,
    foldl: (f: Fn, zero: Value, list: List): Value => {
      let result = zero;
      let count = 0;
      for (let rest = list; rest !== nil; rest = (rest as Cons).tail, count += 1) result = apply2(f, result, (rest as Cons).head);
      meter.work(count);
      return result;
    },
    foldr: (f: Fn, zero: Value, list: List): Value => {
      const starts = paidStretches(list),
        elements: Value[] = [nil];
      let result = zero;
      for (let turn = starts.length - 1; turn >= 0; turn -= 1)
        for (let index = takeStretch(starts[turn]!, elements) - 1; index >= 0; index -= 1) result = apply2(f, elements[index]!, result);
      return result;
    },
    /**
     * The predicate is called along the lists up to the first False. The reference calls it with the second list's element
     * first and goes on with the lists exchanged, so that each list is first in turn.
     */
    equalList: (predicate: Fn, left: List, right: List): boolean => {
      let second = left;
      let first = right;
      while (first instanceof Cons && second instanceof Cons) {
        meter.work(1);
        if (apply2(predicate, first.head, second.head) !== true) return false;
        const rest = first.tail;
        first = second.tail;
        second = rest;
      }
      return first === nil && second === nil;
    },
  };
};
