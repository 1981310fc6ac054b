/** Expressions about interfaces. */
import type { Expr } from "../ast.js";
import { parsing } from "./failure.js";
import type { NestedExpressions } from "./nested-expressions.js";
import { requireFeature } from "./version.js";
import { readMessage, type Message } from "./wire-reader.js";

export function decodeInterfaceExpression(decoder: NestedExpressions, message: Message<"Expr">): Expr {
  const { tables } = decoder;
  switch (message.case) {
    case "toInterface": {
      const { interfaceType, templateType, templateExpr } = readMessage("ToInterface", message.value);
      return {
        kind: "toInterface",
        interface: tables.definitionId(interfaceType),
        template: tables.definitionId(templateType),
        expr: decoder.expr(templateExpr),
      };
    }
    case "fromInterface": {
      const { interfaceType, templateType, interfaceExpr } = readMessage("FromInterface", message.value);
      return {
        kind: "fromInterface",
        interface: tables.definitionId(interfaceType),
        template: tables.definitionId(templateType),
        expr: decoder.expr(interfaceExpr),
      };
    }
    case "unsafeFromInterface": {
      requireFeature(tables.version, "UnsafeFromInterface");
      const { interfaceType, templateType, contractIdExpr, interfaceExpr } = readMessage("UnsafeFromInterface", message.value);
      const ids = { interface: tables.definitionId(interfaceType), template: tables.definitionId(templateType) };
      return { kind: "unsafeFromInterface", ...ids, contractId: decoder.expr(contractIdExpr), expr: decoder.expr(interfaceExpr) };
    }
    case "callInterface": {
      const { interfaceType, methodInternedName, interfaceExpr } = readMessage("CallInterface", message.value);
      return {
        kind: "callInterface",
        interface: tables.definitionId(interfaceType),
        method: tables.name(methodInternedName),
        expr: decoder.expr(interfaceExpr),
      };
    }
    case "viewInterface":
    case "signatoryInterface":
    case "observerInterface":
    case "interfaceTemplateTypeRep": {
      const { interface: id, expr } = readMessage("OfInterface", message.value);
      return { kind: message.case, interface: tables.definitionId(id), expr: decoder.expr(expr) };
    }
    case "toRequiredInterface":
    case "fromRequiredInterface": {
      const { requiredInterface, requiringInterface, expr } = readMessage("RequiredInterface", message.value);
      return {
        kind: message.case,
        required: tables.definitionId(requiredInterface),
        requiring: tables.definitionId(requiringInterface),
        expr: decoder.expr(expr),
      };
    }
    case "unsafeFromRequiredInterface": {
      const { requiredInterface, requiringInterface, contractIdExpr, interfaceExpr } = readMessage(
        "UnsafeFromRequiredInterface",
        message.value,
      );
      const ids = { required: tables.definitionId(requiredInterface), requiring: tables.definitionId(requiringInterface) };
      return { kind: "unsafeFromRequiredInterface", ...ids, contractId: decoder.expr(contractIdExpr), expr: decoder.expr(interfaceExpr) };
    }
    default:
      throw parsing(`an expression ${String(message.case)} stands where it cannot`);
  }
}
