/**
 * The type of every expression (spec: Daml-LF 2, well-formed expressions). Families of expressions lie in files of
 * their own; each takes the checker to go on with what is nested.
 */
import { unreachable } from "../../base/assert.js";
import type { Expr, Literal, Type } from "../ast.js";
import { builtins } from "../builtins.js";
import { typeOfAbstraction, typeOfApplication, typeOfLet, typeOfTypeAbstraction, typeOfTypeApplication } from "./applications.js";
import { typeOfCase } from "./cases.js";
import type { Checker } from "./checker.js";
import {
  typeOfEnum,
  typeOfRecord,
  typeOfRecordProjection,
  typeOfRecordUpdate,
  typeOfStruct,
  typeOfStructProjection,
  typeOfStructUpdate,
  typeOfVariant,
} from "./data.js";
import { typeOfFromAny, typeOfFromAnyException, typeOfThrow, typeOfToAny, typeOfToAnyException, typeOfTypeRep } from "./dynamic.js";
import { typeOfInterfaceExpression } from "./interface-expressions.js";
import type { Rule } from "./refusal.js";
import type { Scope } from "./scope.js";
import { showType } from "./show.js";
import {
  asFunction,
  bool,
  date,
  failureCategory,
  int64,
  list,
  natural,
  numeric,
  optional,
  roundingMode,
  text,
  timestamp,
  unit,
} from "../type-forms.js";
import { Types } from "./types.js";
import { typeOfUpdate } from "./updates.js";

export class Expressions implements Checker {
  readonly scope: Scope;
  readonly types: Types;

  constructor(scope: Scope) {
    this.scope = scope;
    this.types = new Types(scope);
  }

  typeOf(expr: Expr): Type {
    this.scope.budget.spend(1);
    switch (expr.kind) {
      case "var":
        return this.scope.typeOf(expr.name);
      case "val":
        return this.scope.value(expr.id).type;
      case "builtin":
        return builtins[expr.builtin].type;
      case "unit":
        return unit;
      case "bool":
        return bool;
      case "lit":
        return typeOfLiteral(expr.value);
      case "app":
        return typeOfApplication(this, expr);
      case "abs":
        return typeOfAbstraction(this, expr);
      case "tyApp":
        return typeOfTypeApplication(this, expr);
      case "tyAbs":
        return typeOfTypeAbstraction(this, expr);
      case "let":
        return typeOfLet(this, expr);
      case "case":
        return typeOfCase(this, expr);
      case "recCon":
        return typeOfRecord(this, expr);
      case "recProj":
        return typeOfRecordProjection(this, expr);
      case "recUpd":
        return typeOfRecordUpdate(this, expr);
      case "variantCon":
        return typeOfVariant(this, expr);
      case "enumCon":
        return typeOfEnum(this, expr);
      case "structCon":
        return typeOfStruct(this, expr);
      case "structProj":
        return typeOfStructProjection(this, expr);
      case "structUpd":
        return typeOfStructUpdate(this, expr);
      case "nil":
        return list(this.types.checked(expr.type));
      case "cons":
        return this.#typeOfCons(expr);
      case "none":
        return optional(this.types.checked(expr.type));
      case "some":
        return optional(this.check(expr.value, this.types.checked(expr.type)));
      case "update":
        return typeOfUpdate(this, expr.update);
      case "toAny":
        return typeOfToAny(this, expr);
      case "fromAny":
        return typeOfFromAny(this, expr);
      case "typeRep":
        return typeOfTypeRep(this, expr);
      case "throw":
        return typeOfThrow(this, expr);
      case "toAnyException":
        return typeOfToAnyException(this, expr);
      case "fromAnyException":
        return typeOfFromAnyException(this, expr);
      case "experimental":
        return this.types.checked(expr.type); // 2.dev only; the reference believes it too
      case "choiceController":
      case "choiceObserver":
        return this.scope.refuse("UnsupportedExpression", `${expr.kind} is in no version of Daml-LF 2`);
      default:
        return typeOfInterfaceExpression(this, expr);
    }
  }

  checkWhole(expr: Expr, expected: Type): void {
    const found = this.typeOf(expr);
    if (!this.types.equal(found, expected)) this.#mismatch("TypeMismatch", found, expected);
  }

  check(expr: Expr, expected: Type): Type {
    this.resolved(expr, expected);
    return expected;
  }

  resolved(expr: Expr, expected: Type): Type {
    const found = this.typeOf(expr);
    return this.types.equal(found, expected)
      ? found
      : this.#mismatch(expr.kind === "recProj" ? "FieldTypeMismatch" : "TypeMismatch", found, expected);
  }

  #mismatch(rule: Rule, found: Type, expected: Type): never {
    return this.scope.refuse(rule, `an expression has type ${showType(found)}, expected is ${showType(expected)}`);
  }

  asFunction(type: Type): { readonly param: Type; readonly result: Type } {
    return (
      asFunction(type)
      ?? asFunction(this.types.expand(type))
      ?? this.scope.refuse("ExpectedFunctionType", `${showType(type)} is not the type of a function`)
    );
  }

  #typeOfCons({ type, front, tail }: Extract<Expr, { kind: "cons" }>): Type {
    const element = this.types.checked(type);
    if (front.length === 0) this.scope.refuse("EmptyConsFront", "a cons has no front");
    for (const each of front) this.check(each, element);
    return this.check(tail, list(element));
  }
}

function typeOfLiteral(literal: Literal): Type {
  switch (literal.kind) {
    case "int64":
      return int64;
    case "timestamp":
      return timestamp;
    case "numeric":
      return numeric(natural(literal.scale));
    case "text":
      return text;
    case "date":
      return date;
    case "failureCategory":
      return failureCategory;
    case "roundingMode":
      return roundingMode;
    default:
      return unreachable(literal);
  }
}
