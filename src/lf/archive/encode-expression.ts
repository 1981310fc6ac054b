/** Expressions and updates to their messages, each nested in the one around it as in LF 2.1. */
import { unreachable } from "../../base/assert.js";
import type { Alternative, Binding, Expr, FieldWithExpr, Literal, Pattern, Type, TypeConApp, Update } from "../ast.js";
import { builtins } from "../builtins.js";
import { constructorNumbers, failureCategories, roundingModes } from "./builtin.js";
import type { TableEncoder } from "./encode-tables.js";
import type { MessageInput } from "./wire-writer.js";

type ExprInput = MessageInput<"Expr">;

export class ExpressionEncoder {
  constructor(readonly tables: TableEncoder) {}

  expr(expr: Expr): ExprInput {
    const { tables } = this;
    switch (expr.kind) {
      case "var":
        return { varInternedStr: tables.string(expr.name) };
      case "val":
        return { val: tables.definitionId(expr.id) };
      case "builtin":
        return { builtin: builtins[expr.builtin].number };
      case "unit":
        return { builtinCon: constructorNumbers.unit };
      case "bool":
        return { builtinCon: constructorNumbers[expr.value ? "true" : "false"] };
      case "lit":
        return { builtinLit: this.#literal(expr.value) };
      case "app":
        return { app: { fun: this.expr(expr.fun), args: this.#exprs(expr.args) } };
      case "tyApp":
        return this.#typeApplication(expr);
      case "abs":
        return this.#nested(expr.params, this.expr(expr.body), (params, body) => ({
          abs: { param: params.map((param) => tables.binder(param)), body },
        }));
      case "tyAbs":
        return this.#nested(expr.params, this.expr(expr.body), (params, body) => ({
          tyAbs: { param: params.map((param) => tables.typeVar(param)), body },
        }));
      case "case":
        return { case: { scrut: this.expr(expr.scrutinee), alts: expr.alternatives.map((alternative) => this.#alternative(alternative)) } };
      case "let":
        return { let: { bindings: this.#bindings(expr.bindings), body: this.expr(expr.body) } };
      case "nil":
        return { nil: { type: tables.type(expr.type) } };
      case "cons":
        return { cons: { type: tables.type(expr.type), front: this.#exprs(expr.front), tail: this.expr(expr.tail) } };
      case "none":
        return { optionalNone: { type: tables.type(expr.type) } };
      case "some":
        return { optionalSome: { type: tables.type(expr.type), value: this.expr(expr.value) } };
      case "toAny":
      case "fromAny":
      case "toAnyException":
      case "fromAnyException":
        return { [expr.kind]: { type: tables.type(expr.type), expr: this.expr(expr.expr) } };
      case "typeRep":
        return { typeRep: tables.type(expr.type) };
      case "throw":
        return {
          throw: {
            returnType: tables.type(expr.returnType),
            exceptionType: tables.type(expr.exceptionType),
            exceptionExpr: this.expr(expr.exception),
          },
        };
      case "experimental":
        return { experimental: { name: expr.name, type: tables.type(expr.type) } };
      case "update":
        return { update: this.#update(expr.update) };
      default:
        return this.#data(expr);
    }
  }

  #typeApplication({ expr, types }: Expr & { kind: "tyApp" }): ExprInput {
    const apply = (fun: ExprInput, to: readonly Type[]): ExprInput => ({
      tyApp: { expr: fun, types: to.map((type) => this.tables.type(type)) },
    });
    const fun = this.expr(expr);
    return this.tables.appliesOneByOne ? types.reduce((inner, type) => apply(inner, [type]), fun) : apply(fun, types);
  }

  /** A binder for all parameters, or one in the other. */
  #nested<P>(params: readonly P[], body: ExprInput, binder: (params: readonly P[], body: ExprInput) => ExprInput): ExprInput {
    return this.tables.appliesOneByOne ? params.reduceRight((inner, param) => binder([param], inner), body) : binder(params, body);
  }

  #exprs(exprs: readonly Expr[]): ExprInput[] {
    return exprs.map((expr) => this.expr(expr));
  }

  #bindings(bindings: readonly Binding[]): MessageInput<"Binding">[] {
    return bindings.map(({ binder, bound }) => ({ binder: this.tables.binder(binder), bound: this.expr(bound) }));
  }

  #fields(fields: readonly FieldWithExpr[]): MessageInput<"FieldWithExpr">[] {
    return fields.map(({ name, expr }) => ({ fieldInternedStr: this.tables.string(name), expr: this.expr(expr) }));
  }

  #typeConApp({ id, args }: TypeConApp): MessageInput<"TypeCon"> {
    return { tycon: this.tables.definitionId(id), args: args.map((arg) => this.tables.type(arg)) };
  }

  #data(expr: Expr): ExprInput {
    const { tables } = this;
    switch (expr.kind) {
      case "recCon":
        return { recCon: { tycon: this.#typeConApp(expr.type), fields: this.#fields(expr.fields) } };
      case "recProj":
        return {
          recProj: { tycon: this.#typeConApp(expr.type), fieldInternedStr: tables.string(expr.field), record: this.expr(expr.record) },
        };
      case "recUpd":
        return {
          recUpd: {
            tycon: this.#typeConApp(expr.type),
            fieldInternedStr: tables.string(expr.field),
            record: this.expr(expr.record),
            update: this.expr(expr.update),
          },
        };
      case "variantCon":
        return {
          variantCon: {
            tycon: this.#typeConApp(expr.type),
            variantConInternedStr: tables.string(expr.constructor_),
            variantArg: this.expr(expr.arg),
          },
        };
      case "enumCon":
        return { enumCon: { tycon: tables.definitionId(expr.id), enumConInternedStr: tables.string(expr.constructor_) } };
      case "structCon":
        return { structCon: { fields: this.#fields(expr.fields) } };
      case "structProj":
        return { structProj: { fieldInternedStr: tables.string(expr.field), struct: this.expr(expr.struct) } };
      case "structUpd":
        return {
          structUpd: { fieldInternedStr: tables.string(expr.field), struct: this.expr(expr.struct), update: this.expr(expr.update) },
        };
      default:
        return this.#interface(expr);
    }
  }

  #interface(expr: Expr): ExprInput {
    const id = this.tables.definitionId.bind(this.tables);
    switch (expr.kind) {
      case "toInterface":
        return { toInterface: { interfaceType: id(expr.interface), templateType: id(expr.template), templateExpr: this.expr(expr.expr) } };
      case "fromInterface":
        return {
          fromInterface: { interfaceType: id(expr.interface), templateType: id(expr.template), interfaceExpr: this.expr(expr.expr) },
        };
      case "unsafeFromInterface":
        return {
          unsafeFromInterface: {
            interfaceType: id(expr.interface),
            templateType: id(expr.template),
            contractIdExpr: this.expr(expr.contractId),
            interfaceExpr: this.expr(expr.expr),
          },
        };
      case "callInterface":
        return {
          callInterface: {
            interfaceType: id(expr.interface),
            methodInternedName: this.tables.string(expr.method),
            interfaceExpr: this.expr(expr.expr),
          },
        };
      case "viewInterface":
      case "signatoryInterface":
      case "observerInterface":
      case "interfaceTemplateTypeRep":
        return { [expr.kind]: { interface: id(expr.interface), expr: this.expr(expr.expr) } };
      case "toRequiredInterface":
      case "fromRequiredInterface":
        return {
          [expr.kind]: { requiredInterface: id(expr.required), requiringInterface: id(expr.requiring), expr: this.expr(expr.expr) },
        };
      case "unsafeFromRequiredInterface":
        return {
          unsafeFromRequiredInterface: {
            requiredInterface: id(expr.required),
            requiringInterface: id(expr.requiring),
            contractIdExpr: this.expr(expr.contractId),
            interfaceExpr: this.expr(expr.expr),
          },
        };
      case "choiceController":
      case "choiceObserver":
        return {
          [expr.kind]: {
            template: id(expr.template),
            choiceInternedStr: this.tables.string(expr.choice),
            contractExpr: this.expr(expr.contract),
            choiceArgExpr: this.expr(expr.choiceArgument),
          },
        };
      default:
        throw new TypeError(`no encoding for expression ${expr.kind}`);
    }
  }

  #literal(literal: Literal): MessageInput<"BuiltinLit"> {
    switch (literal.kind) {
      case "int64":
        return { int64: literal.value };
      case "timestamp":
        return { timestamp: literal.value };
      case "date":
        return { date: literal.value };
      case "text":
        return { textInternedStr: this.tables.string(literal.value) };
      case "numeric":
        return { numericInternedStr: this.tables.string(numericText(literal.unscaled, literal.scale)) };
      case "failureCategory":
        return { failureCategory: failureCategories.indexOf(literal.value) };
      case "roundingMode":
        return { roundingMode: roundingModes.indexOf(literal.value) };
      default:
        return unreachable(literal);
    }
  }

  #alternative({ pattern, body }: Alternative): MessageInput<"CaseAlt"> {
    return { ...this.#pattern(pattern), body: this.expr(body) };
  }

  #pattern(pattern: Pattern): MessageInput<"CaseAlt"> {
    const { tables } = this;
    switch (pattern.kind) {
      case "default":
        return { default: {} };
      case "unit":
        return { builtinCon: constructorNumbers.unit };
      case "bool":
        return { builtinCon: constructorNumbers[pattern.value ? "true" : "false"] };
      case "nil":
        return { nil: {} };
      case "none":
        return { optionalNone: {} };
      case "some":
        return { optionalSome: { varBodyInternedStr: tables.string(pattern.body) } };
      case "cons":
        return { cons: { varHeadInternedStr: tables.string(pattern.head), varTailInternedStr: tables.string(pattern.tail) } };
      case "variant":
        return {
          variant: {
            con: tables.definitionId(pattern.id),
            variantInternedStr: tables.string(pattern.constructor_),
            binderInternedStr: tables.string(pattern.binder),
          },
        };
      case "enum":
        return { enum: { con: tables.definitionId(pattern.id), constructorInternedStr: tables.string(pattern.constructor_) } };
      default:
        return unreachable(pattern);
    }
  }

  #update(update: Update): MessageInput<"Update"> {
    const id = this.tables.definitionId.bind(this.tables);
    switch (update.kind) {
      case "pure":
        return { pure: { type: this.tables.type(update.type), expr: this.expr(update.expr) } };
      case "block":
        return { block: { bindings: this.#bindings(update.bindings), body: this.expr(update.body) } };
      case "create":
        return { create: { template: id(update.template), expr: this.expr(update.arg) } };
      case "createInterface":
        return { createInterface: { interface: id(update.interface), expr: this.expr(update.arg) } };
      case "fetch":
        return { fetch: { template: id(update.template), cid: this.expr(update.contractId) } };
      case "fetchInterface":
        return { fetchInterface: { interface: id(update.interface), cid: this.expr(update.contractId) } };
      case "getTime":
        return { getTime: {} };
      case "ledgerTimeLt":
        return { ledgerTimeLt: this.expr(update.time) };
      case "embed":
        return { embedExpr: { type: this.tables.type(update.type), body: this.expr(update.expr) } };
      case "tryCatch":
        return {
          tryCatch: {
            returnType: this.tables.type(update.returnType),
            tryExpr: this.expr(update.body),
            varInternedStr: this.tables.string(update.binder),
            catchExpr: this.expr(update.handler),
          },
        };
      case "fetchByKey":
      case "lookupByKey":
      case "queryNByKey":
        return { [update.kind]: { template: id(update.template) } };
      default:
        return this.#exercise(update);
    }
  }

  #exercise(update: Extract<Update, { kind: "exercise" | "exerciseInterface" | "exerciseByKey" }>): MessageInput<"Update"> {
    const id = this.tables.definitionId.bind(this.tables);
    const choiceInternedStr = this.tables.string(update.choice);
    switch (update.kind) {
      case "exercise":
        return {
          exercise: { template: id(update.template), choiceInternedStr, cid: this.expr(update.contractId), arg: this.expr(update.arg) },
        };
      case "exerciseByKey":
        return {
          exerciseByKey: { template: id(update.template), choiceInternedStr, key: this.expr(update.key), arg: this.expr(update.arg) },
        };
      case "exerciseInterface": {
        const guard = update.guard === undefined ? undefined : this.expr(update.guard);
        return {
          exerciseInterface: {
            interface: id(update.interface),
            choiceInternedStr,
            cid: this.expr(update.contractId),
            arg: this.expr(update.arg),
            guard,
          },
        };
      }
      default:
        return unreachable(update);
    }
  }
}

/** The archive's form of a numeric literal: exactly `scale` digits after the dot, which is always there. */
function numericText(unscaled: bigint, scale: number): string {
  const digits = (unscaled < 0n ? -unscaled : unscaled).toString().padStart(scale + 1, "0");
  const split = digits.length - scale;
  return `${unscaled < 0n ? "-" : ""}${digits.slice(0, split)}.${digits.slice(split)}`;
}
