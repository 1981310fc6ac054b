/** Types for type variables, all at once and without capture. */
import type { Type } from "../ast.js";
import type { Budget } from "./budget.js";
import { freeVariables } from "./free-variables.js";
import { variable } from "./type-forms.js";

export type Substitution = ReadonlyMap<string, Type>;

let freshNames = 0;
/** No name of an archive holds an apostrophe. */
export const freshName = (name: string): string => `${name.split("'")[0]}'${++freshNames}`;

/** What is not touched stays the same object. */
export function substitute(replacements: Substitution, type: Type, budget: Budget): Type {
  if (!touches(replacements, type)) return type;
  budget.spend(1);
  const inner = (part: Type): Type => substitute(replacements, part, budget);
  switch (type.kind) {
    case "con": case "builtin": case "nat": return type;
    case "var": return replacements.get(type.name) ?? type;
    case "app": return { kind: "app", fun: inner(type.fun), arg: inner(type.arg) };
    case "syn": return { kind: "syn", id: type.id, args: type.args.map(inner) };
    case "struct": return { kind: "struct", fields: type.fields.map((field) => ({ name: field.name, type: inner(field.type) })) };
    case "forall": return underBinder(replacements, type, budget);
  }
}

function touches(replacements: Substitution, type: Type): boolean {
  const free = freeVariables(type);
  if (free.size === 0) return false;
  for (const name of replacements.keys()) if (free.has(name)) return true;
  return false;
}

function underBinder(replacements: Substitution, type: Extract<Type, { kind: "forall" }>, budget: Budget): Type {
  const { binder, body } = type;
  const within = new Map(replacements);
  within.delete(binder.name);
  const captures = [...within].some(([name, replacement]) => freeVariables(body).has(name) && freeVariables(replacement).has(binder.name));
  if (!captures) return { kind: "forall", binder, body: substitute(within, body, budget) };
  const name = freshName(binder.name);
  within.set(binder.name, variable(name));
  return { kind: "forall", binder: { name, kind: binder.kind }, body: substitute(within, body, budget) };
}
