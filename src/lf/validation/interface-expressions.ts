/** Coercions between templates and interfaces, and what is asked of a contract through an interface. */
import { unreachable } from "../../base/assert.js";
import type { DefinitionId, Expr, Type } from "../ast.js";
import type { Checker } from "./checker.js";
import { showName } from "./show.js";
import { sameId } from "./type-equality.js";
import { constructor_, contractId, optional, parties, typeRep } from "../type-forms.js";

type InterfaceExpression = Extract<Expr, { interface: DefinitionId } | { requiring: DefinitionId }>;

export function typeOfInterfaceExpression(checker: Checker, expr: InterfaceExpression): Type {
  switch (expr.kind) {
    case "toInterface":
    case "fromInterface":
    case "unsafeFromInterface":
      return typeOfCoercion(checker, expr);
    case "toRequiredInterface":
    case "fromRequiredInterface":
    case "unsafeFromRequiredInterface":
      return typeOfRequiredCoercion(checker, expr);
    case "callInterface":
      return asked(checker, expr, checker.scope.method(expr.interface, expr.method));
    case "viewInterface":
      return asked(checker, expr, checker.scope.interface(expr.interface).view);
    case "signatoryInterface":
    case "observerInterface":
      return asked(checker, expr, parties);
    case "interfaceTemplateTypeRep":
      return asked(checker, expr, typeRep);
    default:
      return unreachable(expr);
  }
}

function asked(checker: Checker, { interface: id, expr }: { readonly interface: DefinitionId; readonly expr: Expr }, answer: Type): Type {
  checker.scope.interface(id);
  checker.check(expr, constructor_(id));
  return answer;
}

type Coercion = Extract<Expr, { kind: "toInterface" | "fromInterface" | "unsafeFromInterface" }>;
function typeOfCoercion(checker: Checker, coercion: Coercion): Type {
  const interface_ = constructor_(coercion.interface),
    template = constructor_(coercion.template);
  checker.scope.instance(coercion.interface, coercion.template);
  switch (coercion.kind) {
    case "toInterface":
      checker.check(coercion.expr, template);
      return interface_;
    case "fromInterface":
      checker.check(coercion.expr, interface_);
      return optional(template);
    case "unsafeFromInterface":
      checker.check(coercion.contractId, contractId(interface_));
      checker.check(coercion.expr, interface_);
      return template;
  }
}

type RequiredCoercion = Extract<Expr, { requiring: DefinitionId }>;
function typeOfRequiredCoercion(checker: Checker, coercion: RequiredCoercion): Type {
  const required = constructor_(coercion.required),
    requiring = constructor_(coercion.requiring);
  checkRequirement(checker, coercion);
  switch (coercion.kind) {
    case "toRequiredInterface":
      checker.check(coercion.expr, requiring);
      return required;
    case "fromRequiredInterface":
      checker.check(coercion.expr, required);
      return optional(requiring);
    case "unsafeFromRequiredInterface":
      checker.check(coercion.contractId, contractId(required));
      checker.check(coercion.expr, required);
      return requiring;
  }
}

function checkRequirement(checker: Checker, { required, requiring }: RequiredCoercion): void {
  const { requires } = checker.scope.interface(requiring);
  if (!requires.some((each) => sameId(each, required)))
    checker.scope.refuse("WrongInterfaceRequirement", `the interface ${showName(requiring)} does not require ${showName(required)}`);
}
