/**
 * The order of closed types, which orders Any values and TypeReps
 * (reference: language `TypeOrdering`): builtin, constructor, nat, struct, application.
 */
import { assert } from "../../base/assert.js";
import type { BuiltinType, DefinitionId, Type } from "../ast.js";

/** By the enum numbers of the archive. */
const builtinOrder: readonly BuiltinType[] = [
  "UNIT",
  "BOOL",
  "INT64",
  "DATE",
  "TIMESTAMP",
  "NUMERIC",
  "PARTY",
  "TEXT",
  "CONTRACT_ID",
  "OPTIONAL",
  "LIST",
  "GENMAP",
  "ANY",
  "ANY_EXCEPTION",
  "TYPE_REP",
  "ARROW",
  "UPDATE",
  "FAILURE_CATEGORY",
  "TEXTMAP",
  "BIGNUMERIC",
  "ROUNDING_MODE",
];
const kindOrder: Readonly<Partial<Record<Type["kind"], number>>> = { builtin: 0, con: 1, nat: 2, struct: 3, app: 4 };

const compareAscii = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const compareAll = <T>(as: readonly T[], bs: readonly T[], compare: (a: T, b: T) => number): number => {
  for (let index = 0; index < as.length && index < bs.length; index += 1) {
    const order = compare(as[index]!, bs[index]!);
    if (order !== 0) return order;
  }
  return as.length - bs.length;
};

const compareDotted = (a: string, b: string): number => compareAll(a.split("."), b.split("."), compareAscii);

export const compareDefinitionIds = (a: DefinitionId, b: DefinitionId): number =>
  compareAscii(a.packageId, b.packageId) || compareDotted(a.module, b.module) || compareDotted(a.name, b.name);

export const compareTypes = (a: Type, b: Type): number => {
  if (a === b) return 0;
  const rankOfA = kindOrder[a.kind];
  const rankOfB = kindOrder[b.kind];
  assert(rankOfA !== undefined && rankOfB !== undefined, `a run-time type is closed and free of synonyms, met ${a.kind} and ${b.kind}`);
  if (rankOfA !== rankOfB) return rankOfA - rankOfB;
  if (a.kind === "builtin" && b.kind === "builtin") return builtinOrder.indexOf(a.builtin) - builtinOrder.indexOf(b.builtin);
  if (a.kind === "con" && b.kind === "con") return compareDefinitionIds(a.id, b.id);
  if (a.kind === "nat" && b.kind === "nat") return a.value - b.value;
  if (a.kind === "app" && b.kind === "app") return compareTypes(a.fun, b.fun) || compareTypes(a.arg, b.arg);
  if (a.kind === "struct" && b.kind === "struct") {
    return (
      compareAll(a.fields, b.fields, (x, y) => compareAscii(x.name, y.name))
      || compareAll(a.fields, b.fields, (x, y) => compareTypes(x.type, y.type))
    );
  }
  return 0;
};
