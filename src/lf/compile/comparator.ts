/**
 * The order of the keys of one type, as code for just that type. Values of its fields are told apart by nothing at run time but their
 * place.
 */
import type { BuiltinType, Type } from "../ast.js";
import type { ClosedTypes } from "./closed-types.js";
import type { CodeUnit } from "./code-unit.js";

/** Levels of records that are compared in place; below, the general comparison pays for what it walks. */
const levelsMax = 8;
/** Types may unfold without end. */
const functionsMax = 100;

/** The name of a comparing function. The type is closed and serializable: no function is in its values. */
export const emitComparator = (unit: CodeUnit, types: ClosedTypes, type: Type, levels = levelsMax): string => {
  const general = (): string => unit.helper("compare");
  const inner = (each: Type): string => emitComparator(unit, types, each, levels - 1);
  if (levels === 0 || unit.siteCount >= functionsMax) return general();
  const { head, args } = unfold(type);
  if (head.kind === "builtin")
    return emitBuiltinComparator(unit, head.builtin) ?? (head.builtin === "OPTIONAL" ? emitOptional(unit, inner(args[0]!)) : general());
  const fields = types.fieldTypes(type);
  return fields === undefined ? general() : emitRecord(unit, fields.map(inner));
};

const unfold = (type: Type): { readonly head: Type; readonly args: readonly Type[] } => {
  const args: Type[] = [];
  let head = type;
  for (; head.kind === "app"; head = head.fun) args.unshift(head.arg);
  return { head, args };
};

const emitBuiltinComparator = (unit: CodeUnit, builtin: BuiltinType): string | undefined => {
  switch (builtin) {
    // Parties are ASCII, so UTF-16 order is right for them.
    case "INT64":
    case "TIMESTAMP":
    case "DATE":
    case "BOOL":
    case "PARTY":
      return unit.site("(a, b) => (a === b ? 0 : a < b ? -1 : 1)");
    case "TEXT":
      return unit.site(`(a, b) => (a === b ? 0 : ${unit.helper("compareText")}(a, b))`);
    case "NUMERIC":
      return unit.site("({ digits: a }, { digits: b }) => (a === b ? 0 : a < b ? -1 : 1)");
    case "UNIT":
      return unit.site("() => 0");
    default:
      return undefined;
  }
};

const emitOptional = (unit: CodeUnit, element: string): string => {
  const none = unit.helper("none");
  return unit.site(`(a, b) => (a === ${none} ? (b === ${none} ? 0 : -1) : b === ${none} ? 1 : ${element}(a.value, b.value))`);
};

const emitRecord = (unit: CodeUnit, fields: readonly string[]): string =>
  unit.site(`(a, b) => ${fields.map((field, index) => `${field}(a[${index}], b[${index}])`).join(" || ") || "0"}`);
