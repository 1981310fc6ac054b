/** Expressions that carry types at run time: Any, exceptions, TypeRep and interface values. */
import type { Expr, Type } from "../ast.js";
import type { Body } from "./body.js";
import type { Scope } from "./environment.js";
import { emitUnsupported } from "./leaf.js";
import { inOrder, sequence } from "./sequence.js";
import { TypeRep } from "../value/index.js";

type Kind =
  | "toAny"
  | "fromAny"
  | "typeRep"
  | "toAnyException"
  | "fromAnyException"
  | "throw"
  | "toInterface"
  | "fromInterface"
  | "unsafeFromInterface"
  | "callInterface"
  | "viewInterface"
  | "signatoryInterface"
  | "observerInterface"
  | "interfaceTemplateTypeRep"
  | "toRequiredInterface"
  | "fromRequiredInterface"
  | "unsafeFromRequiredInterface";
type Typed = Extract<Expr, { readonly kind: Kind }>;

export const emitTyped = (body: Body, scope: Scope, expr: Typed): string => {
  const value = (inner: Expr): string => body.emit(scope, inner, "value");
  const id = (definition: Parameters<typeof body.linker.canonicalId>[0]): string => body.unit.constant(body.linker.canonicalId(definition));
  const { unit } = body;
  switch (expr.kind) {
    case "toAny":
    case "toAnyException": {
      body.allocate(1);
      return withType(body, expr.type, (type) => `new ${unit.helper("AnyValue")}(${unit.constant(type)}, ${value(expr.expr)})`);
    }
    case "fromAny":
    case "fromAnyException":
      return withType(body, expr.type, (type) => `${unit.helper("fromAny")}(${unit.constant(type)}, ${value(expr.expr)})`);
    case "typeRep":
      return withType(body, expr.type, (type) => unit.constant(new TypeRep(type)));
    case "throw":
      return withType(
        body,
        expr.exceptionType,
        (type) => `${unit.helper("throwException")}(${unit.constant(type)}, ${value(expr.exception)})`,
      );
    case "toInterface": {
      body.allocate(1);
      return `new ${unit.helper("InterfaceValue")}(${id(expr.template)}, ${value(expr.expr)})`;
    }
    case "fromInterface":
      return `${unit.helper("fromInterface")}(${id(expr.template)}, ${value(expr.expr)})`;
    case "unsafeFromInterface":
      return emitUnsafe(body, scope, "unsafeFromInterface", [id(expr.template)], [expr.contractId, expr.expr]);
    case "callInterface":
      return `${unit.helper("callInterface")}(${id(expr.interface)}, ${JSON.stringify(expr.method)}, ${value(expr.expr)})`;
    case "viewInterface":
      return `${unit.helper("viewInterface")}(${id(expr.interface)}, ${value(expr.expr)})`;
    case "signatoryInterface":
    case "observerInterface":
    case "interfaceTemplateTypeRep":
      return `${unit.helper(expr.kind)}(${value(expr.expr)})`;
    case "toRequiredInterface":
      return value(expr.expr);
    case "fromRequiredInterface":
      return `${unit.helper("fromRequiredInterface")}(${id(expr.requiring)}, ${value(expr.expr)})`;
    case "unsafeFromRequiredInterface":
      return emitUnsafe(body, scope, "unsafeFromRequiredInterface", [id(expr.required), id(expr.requiring)], [expr.contractId, expr.expr]);
  }
};

const emitUnsafe = (
  body: Body,
  scope: Scope,
  helper: "unsafeFromInterface" | "unsafeFromRequiredInterface",
  ids: readonly string[],
  args: readonly Expr[],
): string => {
  const { prefix, parts } = inOrder(body, scope, args);
  return sequence(prefix, `${body.unit.helper(helper)}(${[...ids, ...parts].join(", ")})`);
};

/** Below LF 2.dev these types are bare constructors. A type variable would need types at run time. */
const withType = (body: Body, type: Type, use: (closed: Type) => string): string => {
  const closed = body.linker.closedType(type);
  return closed === undefined ? emitUnsupported(body, "a run-time type with type variables") : use(closed);
};
