/**
 * Functions and their application.
 *
 * A function of one argument is a plain arrow function. One of more arguments carries its `arity` as an own property,
 * which V8 reads three times faster than `Function.length`. Updates are functions of the machine, so of one argument.
 */
import type { FunctionValue, Value } from "../value/index.js";

export type Fn = FunctionValue & { arity?: number };

/** Marks a function of `arity` arguments; one argument needs no mark. */
export const withArity = (arity: number, f: Fn): Fn => {
  if (arity > 1) f.arity = arity;
  return f;
};

export const apply1 = (f: Fn, a: Value): Value => (f.arity === undefined ? f(a) : applyMany(f, [a]));

export const apply2 = (f: Fn, a: Value, b: Value): Value => {
  if (f.arity === 2) return f(a, b);
  return f.arity === undefined ? apply1(f(a), b) : applyMany(f, [a, b]);
};

export const apply3 = (f: Fn, a: Value, b: Value, c: Value): Value => {
  if (f.arity === 3) return f(a, b, c);
  return f.arity === undefined ? apply2(f(a), b, c) : applyMany(f, [a, b, c]);
};

/** Application of any function to any number of arguments: exact, partial or over-saturated. */
export const applyMany = (f: Fn, args: readonly Value[]): Value => {
  let callee = f;
  let from = 0;
  for (;;) {
    const arity = callee.arity ?? 1;
    const left = args.length - from;
    if (left < arity) return partial(callee, args.slice(from), arity - left);
    if (left === arity) return callee(...args.slice(from));
    callee = callee(...args.slice(from, from + arity));
    from += arity;
  }
};

const partial = (f: Fn, args: readonly Value[], missing: number): Fn => {
  if (args.length === 0) return f;
  if (missing > 1) return withArity(missing, (...more: Value[]) => f(...args, ...more));
  if (args.length > 1) return (last: Value) => f(...args, last);
  const first = args[0];
  return (last: Value) => f(first, last);
};
