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

/** The elements in arrays of at most this many: V8 copies an array that grows, and zeroes what is large. */
const chunkMax = 1024;

const chunksFromList = (list: List): Value[][] => {
  const chunks: Value[][] = [];
  for (let rest = list; rest !== nil;) {
    const chunk: Value[] = chunks.length === 0 ? [] : new Array<Value>(chunkMax);
    let count = 0;
    for (; rest !== nil && count < chunkMax; rest = (rest as Cons).tail) chunk[count++] = (rest as Cons).head;
    chunk.length = count;
    chunks.push(chunk);
  }
  return chunks;
};

/** The folds pay for their length: the function may be a builtin, which pays nothing itself. */
export const listFunctions = (meter: Meter) => {
  /** For a walk from the right without recursion. */
  const paidChunks = (list: List): Value[][] => {
    const chunks = chunksFromList(list);
    if (chunks.length > 0) meter.work((chunks.length - 1) * chunkMax + chunks[chunks.length - 1]!.length);
    return chunks;
  };
  return {
    paidChunks,
    foldl: (f: Fn, zero: Value, list: List): Value => {
      let result = zero;
      let count = 0;
      for (let rest = list; rest !== nil; rest = (rest as Cons).tail, count += 1) result = apply2(f, result, (rest as Cons).head);
      meter.work(count);
      return result;
    },
    foldr: (f: Fn, zero: Value, list: List): Value => {
      let result = zero;
      for (const chunk of paidChunks(list).reverse())
        for (let index = chunk.length - 1; index >= 0; index -= 1) result = apply2(f, chunk[index]!, result);
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
