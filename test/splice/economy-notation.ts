/** Expressions that the stand-ins of an economy are written with, and types that follow from a value of the ledger's JSON. */
import type { Expr, Type } from "../../src/lf/ast.js";
import { expr, type, type ModuleBuilder } from "../support/lf-builder.js";

/** One step of an update: what it is bound to, and its type. */
export type Step = readonly [name: string, type: Type, update: Expr];

export const sequence = (steps: readonly Step[], last: Expr): Expr =>
  steps.reduceRight((rest, [name, of, update]) => expr.block([expr.bind(name, of, update)], rest), last);

export const nothing = expr.pure(type.unit, expr.unit);
export const now: Step = ["now", type.timestamp, expr.update({ kind: "getTime" })];
export const variable = expr.variable;

/** A time, so many microseconds later. */
export const later = (time: Expr, micros: Expr): Expr =>
  expr.apply(
    expr.builtin("UNIX_MICROSECONDS_TO_TIMESTAMP"),
    expr.apply(expr.builtin("ADD_INT64"), expr.apply(expr.builtin("TIMESTAMP_TO_UNIX_MICROSECONDS"), time), micros),
  );
export const plus = (left: Expr, right: Expr): Expr => expr.apply(expr.builtin("ADD_INT64"), left, right);
export const isBy = (of: Type, time: Expr, other: Expr): Expr => expr.apply(expr.applyTypes(expr.builtin("LESS_EQ"), of), time, other);
export const isBefore = (time: Expr, other: Expr): Expr => expr.apply(expr.applyTypes(expr.builtin("LESS"), type.timestamp), time, other);
export const isEqual = (of: Type, left: Expr, right: Expr): Expr => expr.apply(expr.applyTypes(expr.builtin("EQUAL"), of), left, right);

export const either = (condition: Expr, yes: Expr, no: Expr): Expr =>
  expr.match(condition, { pattern: { kind: "bool", value: true }, body: yes }, { pattern: { kind: "bool", value: false }, body: no });

/** Refuses where it does not hold. */
export const demand = (name: string, condition: Expr, message: string): Step => [
  name,
  type.unit,
  either(condition, nothing, expr.apply(expr.applyTypes(expr.builtin("ERROR"), type.update(type.unit)), expr.text(message))),
];

export const someone = (party: Expr): Expr => expr.some(type.party, party);

const whole = new Set(["microseconds", "number"]);

/** Texts stay texts, but for whole numbers that the stand-ins reckon with; pairs in a list are a map. */
export function typeOf(module: ModuleBuilder, name: string, sample: unknown): Type {
  if (typeof sample === "boolean") return type.bool;
  if (sample === null) return type.optional(type.text);
  if (typeof sample === "string") return whole.has(name.split("_").at(-1)!) ? type.int64 : type.text;
  if (Array.isArray(sample)) {
    const [first] = sample as readonly unknown[];
    if (Array.isArray(first)) return type.genMap(type.text, typeOf(module, `${name}_value`, first[1]));
    return type.list(first === undefined ? type.text : typeOf(module, `${name}_element`, first));
  }
  const fields = Object.entries(sample as object).map(([field, value]) => [field, typeOf(module, `${name}_${field}`, value)] as const);
  return type.con(module.record(name, Object.fromEntries(fields)));
}
