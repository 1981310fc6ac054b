/**
 * Expressions to JavaScript expressions.
 *
 * In mode `value` the code computes the expression. In mode `run` the expression is an update, and the code builds and
 * runs it at once on the machine of the body, mostly without making the update value.
 */
import type { Expr, Literal } from "../ast.js";
import { type Int64, int64Of, Numeric } from "../value/index.js";
import { emitApplication } from "./application.js";
import type { Body } from "./body.js";
import { emitCase, emitLet } from "./control.js";
import * as data from "./data.js";
import type { Mode } from "./definition.js";
import { Environment, type Scope } from "./environment.js";
import { emitLambda } from "./lambda.js";
import { emitBuiltinValue, emitMissing, emitUnsupported, run } from "./leaf.js";
import * as typed from "./typed.js";
import { emitUpdate } from "./update.js";

export const emitExpression = (body: Body, scope: Scope, expr: Expr, mode: Mode): string => {
  body.unit.count();
  switch (expr.kind) {
    case "let":
      return emitLet(body, scope, expr, mode);
    case "case":
      return emitCase(body, scope, expr, mode);
    case "app":
      return emitApplication(body, scope, expr, mode);
    case "update":
      return emitUpdate(body, scope, expr.update, mode);
    case "tyAbs":
      return expr.body.kind === "abs" || expr.body.kind === "tyAbs"
        ? emitAbstraction(body, scope, expr)
        : body.emit(scope, expr.body, mode);
    case "tyApp":
      return emitApplication(body, scope, expr, mode);
    default:
      return mode === "run" ? run(body, emitPlain(body, scope, expr)) : emitPlain(body, scope, expr);
  }
};

type Plain = Exclude<Expr, { readonly kind: "let" | "case" | "app" | "update" | "tyAbs" | "tyApp" }>;

const emitPlain = (body: Body, scope: Scope, expr: Plain): string => {
  switch (expr.kind) {
    case "var":
      return Environment.lookup(scope, expr.name).code;
    case "val":
      return emitGlobal(body, expr.id);
    case "builtin":
      return emitBuiltinValue(body, expr.builtin, []);
    case "unit":
      return body.unit.helper("unit");
    case "bool":
      return String(expr.value);
    case "lit":
      return emitLiteral(body, expr.value);
    case "abs":
      return emitAbstraction(body, scope, expr);
    case "recCon":
      return data.emitRecord(body, scope, expr);
    case "recProj":
      return data.emitProjection(body, scope, expr);
    case "recUpd":
      return data.emitRecordUpdate(body, scope, expr);
    case "structCon":
      return data.emitStruct(body, scope, expr);
    case "structProj":
      return data.emitStructProjection(body, scope, expr);
    case "structUpd":
      return data.emitStructUpdate(body, scope, expr);
    case "variantCon":
      return data.emitVariant(body, scope, expr);
    case "enumCon":
      return data.emitEnum(body, expr);
    case "nil":
      return body.unit.helper("nil");
    case "cons":
      return data.emitCons(body, scope, expr);
    case "none":
      return body.unit.helper("none");
    case "some":
      return data.emitSome(body, scope, expr);
    case "choiceController":
    case "choiceObserver":
      return emitUnsupported(body, expr.kind);
    case "experimental":
      return emitUnsupported(body, `experimental ${expr.name}`);
    default:
      return typed.emitTyped(body, scope, expr);
  }
};

/** A definition as a value. */
const emitGlobal = (body: Body, id: Extract<Expr, { kind: "val" }>["id"]): string => {
  const alias = body.linker.alias(id);
  if (alias?.kind === "builtin") return emitBuiltinValue(body, alias.builtin, alias.types);
  const definition = body.linker.definition(alias?.id ?? id);
  if (definition === undefined) return emitMissing(body, "value", id);
  const cell = body.unit.constant(definition);
  return `(${cell}.v ?? ${cell}.force())`;
};

const emitAbstraction = (body: Body, scope: Scope, expr: Expr): string => emitLambda(body, scope, expr);

/** The numbers that the Ledger API gives the categories. */
const failureCategories = { INVALID_INDEPENDENT_OF_SYSTEM_STATE: 8n, INVALID_GIVEN_CURRENT_SYSTEM_STATE_OTHER: 9n } as const;
const roundingModes = ["UP", "DOWN", "CEILING", "FLOOR", "HALF_UP", "HALF_DOWN", "HALF_EVEN", "UNNECESSARY"] as const;

const int64 = (value: Int64): string => (typeof value === "bigint" ? bigint(value) : value < 0 ? `(${value})` : `${value}`);
const bigint = (value: bigint): string => (value < 0n ? `(${value}n)` : `${value}n`);

const emitLiteral = (body: Body, literal: Literal): string => {
  switch (literal.kind) {
    case "int64":
      return int64(int64Of(literal.value));
    case "timestamp":
      return bigint(literal.value);
    case "date":
      return `(${literal.value})`;
    case "text":
      return JSON.stringify(literal.value);
    case "numeric":
      return body.unit.constant(new Numeric(literal.unscaled, literal.scale));
    case "failureCategory":
      return bigint(failureCategories[literal.value]);
    case "roundingMode":
      return bigint(BigInt(roundingModes.indexOf(literal.value)));
  }
};
