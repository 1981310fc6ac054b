/** The type variables that a type leaves open. Types are shared, so each is looked at once. */
import type { Type } from "../ast.js";

const none: ReadonlySet<string> = new Set();
const known = new WeakMap<Type, ReadonlySet<string>>();

export function freeVariables(type: Type): ReadonlySet<string> {
  switch (type.kind) {
    case "con": case "builtin": case "nat": return none;
    default: break;
  }
  let free = known.get(type);
  if (free === undefined) known.set(type, (free = compute(type)));
  return free;
}

function compute(type: Type): ReadonlySet<string> {
  switch (type.kind) {
    case "con": case "builtin": case "nat": return none;
    case "var": return new Set([type.name]);
    case "app": return union(freeVariables(type.fun), freeVariables(type.arg));
    case "syn": return type.args.map(freeVariables).reduce(union, none);
    case "struct": return type.fields.map((field) => freeVariables(field.type)).reduce(union, none);
    case "forall": return without(freeVariables(type.body), type.binder.name);
  }
}

function union(left: ReadonlySet<string>, right: ReadonlySet<string>): ReadonlySet<string> {
  if (right.size === 0 || left === right) return left;
  if (left.size === 0) return right;
  const both = new Set(left);
  for (const name of right) both.add(name);
  return both.size === left.size ? left : both;
}

function without(names: ReadonlySet<string>, name: string): ReadonlySet<string> {
  if (!names.has(name)) return names;
  const rest = new Set(names);
  rest.delete(name);
  return rest.size === 0 ? none : rest;
}
