/** Values that carry their type, and exceptions. */
import type { Expr, Type } from "../ast.js";
import type { Checker } from "./checker.js";
import { showType } from "./show.js";
import { any, anyException, optional, typeRep } from "../type-forms.js";

type Of<K extends Expr["kind"]> = Extract<Expr, { kind: K }>;

export function typeOfToAny(checker: Checker, { type, expr }: Of<"toAny">): Type {
  checker.check(expr, anyType(checker, type));
  return any;
}

export function typeOfFromAny(checker: Checker, { type, expr }: Of<"fromAny">): Type {
  const target = anyType(checker, type);
  checker.check(expr, any);
  return optional(target);
}

export function typeOfTypeRep(checker: Checker, { type }: Of<"typeRep">): Type {
  anyType(checker, type);
  return typeRep;
}

/** Below 2.dev a bare type constructor; there anything without variables, quantifiers and synonyms. */
function anyType(checker: Checker, written: Type): Type {
  const type = checker.scope.resolve(written);
  if (checker.scope.lfVersion === "2.dev" ? !isConcrete(type) : type.kind !== "con")
    checker.scope.refuse("ExpectedAnyType", `the type ${showType(type)} cannot be carried in a value`);
  checker.types.check(type);
  return type;
}

function isConcrete(type: Type): boolean {
  switch (type.kind) {
    case "var":
    case "forall":
    case "syn":
      return false;
    case "app":
      return isConcrete(type.fun) && isConcrete(type.arg);
    case "struct":
      return type.fields.every((field) => isConcrete(field.type));
    case "con":
    case "builtin":
    case "nat":
      return true;
  }
}

export function typeOfThrow(checker: Checker, { returnType, exceptionType, exception }: Of<"throw">): Type {
  const result = checker.types.checked(returnType);
  checker.check(exception, exceptionOf(checker, exceptionType));
  return result;
}

export function typeOfToAnyException(checker: Checker, { type, expr }: Of<"toAnyException">): Type {
  checker.check(expr, exceptionOf(checker, type));
  return anyException;
}

export function typeOfFromAnyException(checker: Checker, { type, expr }: Of<"fromAnyException">): Type {
  const target = exceptionOf(checker, type);
  checker.check(expr, anyException);
  return optional(target);
}

function exceptionOf(checker: Checker, type: Type): Type {
  if (type.kind !== "con") return checker.scope.refuse("ExpectedExceptionType", `${showType(type)} is no exception`);
  checker.scope.exception(type.id);
  return type;
}
