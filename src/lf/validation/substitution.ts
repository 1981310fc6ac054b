/** Types for type variables, all at once and without capture. */
import type { Type } from "../ast.js";
import { freeVariables } from "./free-variables.js";
import { variable } from "../type-forms.js";
import type { TypeMemo } from "./type-memo.js";

export type Substitution = ReadonlyMap<string, Type>;

let freshNames = 0;
/** No name of an archive holds an apostrophe. */
export const freshName = (name: string): string => `${name.split("'")[0]}'${++freshNames}`;

/** What is not touched stays the same object. Types are walked: to remember which variables each part holds costs more. */
export function substitute(replacements: Substitution, type: Type, memo: TypeMemo): Type {
  memo.budget.spend(1);
  switch (type.kind) {
    case "con":
    case "builtin":
    case "nat":
      return type;
    case "var":
      return replacements.get(type.name) ?? type;
    case "app": {
      const fun = substitute(replacements, type.fun, memo),
        arg = substitute(replacements, type.arg, memo);
      return fun === type.fun && arg === type.arg ? type : { kind: "app", fun, arg };
    }
    case "syn": {
      const args = type.args.map((arg) => substitute(replacements, arg, memo));
      return args.every((arg, index) => arg === type.args[index]) ? type : { kind: "syn", id: type.id, args };
    }
    case "struct":
      return substituteFields(replacements, type, memo);
    case "forall":
      return underBinder(replacements, type, memo);
  }
}

type Of<K extends Type["kind"]> = Extract<Type, { kind: K }>;

function substituteFields(replacements: Substitution, type: Of<"struct">, memo: TypeMemo): Type {
  const fields = type.fields.map((field) => {
    const replaced = substitute(replacements, field.type, memo);
    return replaced === field.type ? field : { name: field.name, type: replaced };
  });
  return fields.every((field, index) => field === type.fields[index]) ? type : { kind: "struct", fields };
}

function underBinder(replacements: Substitution, type: Of<"forall">, memo: TypeMemo): Type {
  const { binder, body } = type;
  const within = new Map(replacements);
  within.delete(binder.name);
  memo.budget.spend(within.size);
  const captures = [...within.values()].some((replacement) => freeVariables(replacement, memo).has(binder.name));
  const name = captures ? freshName(binder.name) : binder.name;
  if (captures) within.set(binder.name, variable(name));
  const replaced = substitute(within, body, memo);
  return replaced === body ? type : { kind: "forall", binder: { name, kind: binder.kind }, body: replaced };
}
