/** Are two types the same up to the names of bound variables? Synonyms are compared by name here. */
import { type DefinitionId, type Type } from "../ast.js";
import type { Budget } from "./budget.js";
import { sameKind } from "./kinds.js";

/** Binders that stand around the types compared, innermost last. */
interface Binders {
  readonly left: string[];
  readonly right: string[];
}

export const sameId = (left: DefinitionId, right: DefinitionId): boolean =>
  left === right || (left.name === right.name && left.module === right.module && left.packageId === right.packageId);

export const alphaEquivalent = (left: Type, right: Type, budget: Budget): boolean => same(left, right, { left: [], right: [] }, budget);

function same(left: Type, right: Type, binders: Binders, budget: Budget): boolean {
  if (left === right && binders.left.length === 0) return true;
  budget.spend(1);
  const inner = (one: Type, other: Type): boolean => same(one, other, binders, budget);
  const all = (ones: readonly Type[], others: readonly Type[]): boolean =>
    ones.length === others.length && ones.every((one, index) => inner(one, others[index]!));
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
      return right.kind === "app" && inner(left.fun, right.fun) && inner(left.arg, right.arg);
    case "syn":
      return right.kind === "syn" && sameId(left.id, right.id) && all(left.args, right.args);
    case "forall":
      return right.kind === "forall" && sameForall(left, right, binders, budget);
    case "struct":
      return (
        right.kind === "struct"
        && left.fields.length === right.fields.length
        && left.fields.every((field, index) => field.name === right.fields[index]!.name && inner(field.type, right.fields[index]!.type))
      );
  }
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
