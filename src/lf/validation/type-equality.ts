/** Are two types the same up to the names of bound variables? Synonyms are compared by name here. */
import type { DefinitionId, FieldWithType, Type } from "../ast.js";
import type { Budget } from "./budget.js";
import { sameKind } from "./kinds.js";

/** Binders that stand around the types compared, innermost last. */
interface Binders {
  readonly left: string[];
  readonly right: string[];
}

export const sameId = (left: DefinitionId, right: DefinitionId): boolean =>
  left === right || (left.name === right.name && left.module === right.module && left.packageId === right.packageId);

export const alphaEquivalent = (left: Type, right: Type, budget: Budget): boolean =>
  left === right || same(left, right, { left: [], right: [] }, budget);

function same(left: Type, right: Type, binders: Binders, budget: Budget): boolean {
  if (left === right && binders.left.length === 0) return true;
  budget.spend(1);
  switch (left.kind) {
    case "var":
      return right.kind === "var" && sameVariable(left.name, right.name, binders);
    case "nat":
      return right.kind === "nat" && left.value === right.value;
    case "con":
      return right.kind === "con" && sameId(left.id, right.id);
    case "builtin":
      return right.kind === "builtin" && left.builtin === right.builtin;
    case "app":
      return right.kind === "app" && same(left.fun, right.fun, binders, budget) && same(left.arg, right.arg, binders, budget);
    case "syn":
      return right.kind === "syn" && sameId(left.id, right.id) && sameTypes(left.args, right.args, binders, budget);
    case "forall":
      return right.kind === "forall" && sameForall(left, right, binders, budget);
    case "struct":
      return right.kind === "struct" && sameFields(left.fields, right.fields, binders, budget);
  }
}

function sameTypes(left: readonly Type[], right: readonly Type[], binders: Binders, budget: Budget): boolean {
  if (left.length !== right.length) return false;
  for (let index = 0; index < left.length; index++) if (!same(left[index]!, right[index]!, binders, budget)) return false;
  return true;
}

function sameFields(left: readonly FieldWithType[], right: readonly FieldWithType[], binders: Binders, budget: Budget): boolean {
  if (left.length !== right.length) return false;
  for (let index = 0; index < left.length; index++) {
    const one = left[index]!,
      other = right[index]!;
    if (one.name !== other.name || !same(one.type, other.type, binders, budget)) return false;
  }
  return true;
}

function sameVariable(left: string, right: string, binders: Binders): boolean {
  const depth = binders.left.lastIndexOf(left);
  return depth === binders.right.lastIndexOf(right) && (depth >= 0 || left === right);
}

type Forall = Extract<Type, { kind: "forall" }>;
function sameForall(left: Forall, right: Forall, binders: Binders, budget: Budget): boolean {
  if (!sameKind(left.binder.kind, right.binder.kind)) return false;
  binders.left.push(left.binder.name);
  binders.right.push(right.binder.name);
  const equal = same(left.body, right.body, binders, budget);
  binders.left.pop();
  binders.right.pop();
  return equal;
}
