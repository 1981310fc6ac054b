/** The type variables that a type leaves open. Types are shared, so each is looked at once. */
import type { Type } from "../ast.js";
import type { Budget } from "./budget.js";
import type { TypeMemo } from "./type-memo.js";

const none: ReadonlySet<string> = new Set();

type Compound = Extract<Type, { kind: "app" | "syn" | "struct" | "forall" }>;

export function freeVariables(type: Type, memo: TypeMemo): ReadonlySet<string> {
  switch (type.kind) {
    case "con":
    case "builtin":
    case "nat":
      return none;
    case "var":
      return memo.singleton(type.name);
    default:
      return memo.freeVariables.get(type) ?? memo.freeVariables.set(type, compute(type, memo));
  }
}

function compute(type: Compound, memo: TypeMemo): ReadonlySet<string> {
  const of = (part: Type): ReadonlySet<string> => freeVariables(part, memo);
  switch (type.kind) {
    case "app": {
      const fun = of(type.fun),
        arg = of(type.arg);
      return arg.size === 0 || fun === arg ? fun : fun.size === 0 ? arg : union([fun, arg], memo.budget);
    }
    case "syn":
      return union(type.args.map(of), memo.budget);
    case "struct":
      return union(
        type.fields.map((field) => of(field.type)),
        memo.budget,
      );
    case "forall":
      return without(of(type.body), type.binder.name, memo.budget);
  }
}

/** The largest set itself where the others add nothing to it. */
function union(sets: readonly ReadonlySet<string>[], budget: Budget): ReadonlySet<string> {
  const largest = sets.reduce((one, other) => (other.size > one.size ? other : one), none);
  const added = sets.filter((set) => set !== largest && set.size > 0);
  if (added.length === 0) return largest;
  const all = new Set(largest);
  for (const set of added) {
    budget.spend(set.size);
    for (const name of set) all.add(name);
  }
  budget.spend(largest.size);
  return all.size === largest.size ? largest : all;
}

function without(names: ReadonlySet<string>, name: string, budget: Budget): ReadonlySet<string> {
  if (!names.has(name)) return names;
  budget.spend(names.size);
  const rest = new Set(names);
  rest.delete(name);
  return rest.size === 0 ? none : rest;
}
