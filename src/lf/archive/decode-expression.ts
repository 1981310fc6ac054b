/**
 * Expressions. A definition's expression is decoded when it is first asked for; locations are checked and dropped.
 *
 * Terms: *nesting* is the depth of the tree that results, *nodes* its size as if interned expressions were not shared.
 * Both are bounded, since later passes walk the tree.
 */
import { limits } from "../../config.js";
import type { Alternative, Binding, Expr } from "../ast.js";
import { builtinNumbered, builtins } from "../builtins.js";
import { decodeDataExpression } from "./decode-data.js";
import { decodeConstructor, decodeLiteral } from "./decode-literal.js";
import { decodePattern } from "./decode-pattern.js";
import { decodeUpdate } from "./decode-update.js";
import { illegalInterning, parsing, tooLarge } from "./failure.js";
import type { Tables } from "./interning.js";
import type { NestedExpressions } from "./nested-expressions.js";
import { requireFeature } from "./version.js";
import { readMessage, type Message, type Slice } from "./wire-reader.js";

interface Interned {
  readonly expr: Expr;
  readonly nesting: number;
  readonly nodes: number;
}

/** Interned expressions refer to each other in chains of any length; past this depth the table is filled in order instead. */
const internedChainMax = 100;

export class ExpressionDecoder implements NestedExpressions {
  readonly #entries: readonly Slice<"Expr">[];
  #interned: (Interned | undefined)[] = [];
  #chain = 0;
  /** The entry being decoded; it may refer to smaller ones only. */
  #entry = Number.POSITIVE_INFINITY;
  #nesting = 0;
  #deepest = 0;
  #nodes = 0;

  constructor(
    readonly tables: Tables,
    entries: readonly Slice<"Expr">[],
  ) {
    this.#entries = entries;
  }

  /** A whole expression of a definition. */
  definitionBody(slice: Slice<"Expr"> | undefined): Expr {
    return this.#measured(Number.POSITIVE_INFINITY, () => this.expr(slice)).expr;
  }

  /** Lets go of interned expressions; they are decoded again when they are needed. */
  release(): void {
    this.#interned = [];
  }

  expr(slice: Slice<"Expr"> | undefined): Expr {
    if (slice === undefined) throw parsing("an expression is missing");
    return this.#read(readMessage("Expr", slice));
  }

  #read(message: Message<"Expr">): Expr {
    if (message.location !== undefined) checkLocation(this.tables, message.location);
    if (message.case === "internedExpr") return this.#reference(message.value);
    if (++this.#nodes > limits.lfExprNodesMax) throw tooLarge(`an expression has more than ${limits.lfExprNodesMax} nodes when expanded`);
    this.#descend(1);
    const expr = this.#concrete(message);
    this.#nesting -= 1;
    return expr;
  }

  exprs(slices: readonly Slice<"Expr">[]): Expr[] {
    return slices.map((slice) => this.expr(slice));
  }

  bindings(slices: readonly Slice<"Binding">[]): Binding[] {
    return slices.map((slice) => {
      const { binder, bound } = readMessage("Binding", slice);
      return { binder: this.tables.typeDecoder.binder(binder), bound: this.expr(bound) };
    });
  }

  #descend(levels: number): void {
    this.#nesting += levels;
    if (this.#nesting > this.#deepest) this.#deepest = this.#nesting;
    if (this.#nesting > limits.lfExprDepthMax) throw tooLarge(`an expression is deeper than ${limits.lfExprDepthMax}`);
  }

  #reference(index: number): Expr {
    requireFeature(this.tables.version, "Flat Archive");
    if (index >= this.#entry) throw illegalInterning("an interned expression refers to itself or to a later one");
    if (index < 0 || index >= this.#entries.length) throw parsing(`there is no interned expression with index ${index}`);
    const { expr, nesting, nodes } = this.#interned[index] ?? this.#decodeEntry(index);
    this.#nodes += nodes;
    if (this.#nodes > limits.lfExprNodesMax) throw tooLarge(`an expression has more than ${limits.lfExprNodesMax} nodes when expanded`);
    this.#descend(nesting);
    this.#nesting -= nesting;
    return expr;
  }

  #decodeEntry(index: number): Interned {
    if (this.#chain >= internedChainMax) this.#fillTo(index);
    this.#chain += 1;
    try {
      return this.#fill(index);
    } finally {
      this.#chain -= 1;
    }
  }

  /** In order, so that no entry recurses into the table. */
  #fillTo(end: number): void {
    for (let index = 0; index < end; index++) if (this.#interned[index] === undefined) this.#fill(index);
  }

  #fill(index: number): Interned {
    return (this.#interned[index] = this.#measured(index, () => this.#tableEntry(this.#entries[index]!)));
  }

  #tableEntry(slice: Slice<"Expr">): Expr {
    const message = readMessage("Expr", slice);
    if (message.case === "internedExpr") throw illegalInterning("an entry of the expression table is only a reference");
    return this.#read(message);
  }

  /** Runs a decoder with counters of its own, so that the size of what it yields is known. */
  #measured(entry: number, decode: () => Expr): Interned {
    const outer = { entry: this.#entry, nesting: this.#nesting, deepest: this.#deepest, nodes: this.#nodes };
    this.#entry = entry;
    this.#nesting = this.#deepest = this.#nodes = 0;
    try {
      const expr = decode();
      return { expr, nesting: this.#deepest, nodes: this.#nodes };
    } finally {
      this.#entry = outer.entry;
      this.#nesting = outer.nesting;
      this.#deepest = outer.deepest;
      this.#nodes = outer.nodes;
    }
  }

  #concrete(message: Message<"Expr">): Expr {
    const { tables } = this;
    const types = tables.typeDecoder;
    switch (message.case) {
      case "varInternedStr":
        return { kind: "var", name: tables.name(message.value) };
      case "val":
        return { kind: "val", id: tables.definitionId(message.value) };
      case "builtin":
        return this.#builtin(message.value);
      case "builtinCon":
        return decodeConstructor(message.value);
      case "builtinLit":
        return { kind: "lit", value: decodeLiteral(tables, readMessage("BuiltinLit", message.value)) };
      case "app":
        return this.#app(readMessage("App", message.value));
      case "tyApp":
        return this.#tyApp(readMessage("TyApp", message.value));
      case "abs":
        return this.#abs(readMessage("Abs", message.value));
      case "tyAbs":
        return this.#tyAbs(readMessage("TyAbs", message.value));
      case "case":
        return this.#case(readMessage("Case", message.value));
      case "let":
        return this.#let(readMessage("Block", message.value));
      case "update":
        return { kind: "update", update: decodeUpdate(this, message.value) };
      case "nil":
        return { kind: "nil", type: types.type(readMessage("Nil", message.value).type) };
      case "cons":
        return this.#cons(readMessage("Cons", message.value));
      case "optionalNone":
        return { kind: "none", type: types.type(readMessage("OptionalNone", message.value).type) };
      case "optionalSome": {
        const { type, value } = readMessage("OptionalSome", message.value);
        return { kind: "some", type: types.type(type), value: this.expr(value) };
      }
      case "typeRep":
        return { kind: "typeRep", type: types.type(message.value) };
      case "toAny":
      case "fromAny":
      case "toAnyException":
      case "fromAnyException": {
        const { type, expr } = readMessage("TypedExpr", message.value);
        return { kind: message.case, type: types.type(type), expr: this.expr(expr) };
      }
      case "throw": {
        const { returnType, exceptionType, exceptionExpr } = readMessage("Throw", message.value);
        return {
          kind: "throw",
          returnType: types.type(returnType),
          exceptionType: types.type(exceptionType),
          exception: this.expr(exceptionExpr),
        };
      }
      case "experimental": {
        requireFeature(tables.version, "Unstable, experimental features");
        const { name, type } = readMessage("Experimental", message.value);
        return { kind: "experimental", name, type: types.type(type) };
      }
      case "choiceController":
      case "choiceObserver":
        throw parsing("choice_controller and choice_observer are in no version of Daml-LF 2");
      case "internedExpr":
        throw illegalInterning("an interned expression stands where a concrete one is needed");
      case undefined:
        throw parsing("an expression has no case that this version knows");
      default:
        return decodeDataExpression(this, message);
    }
  }

  #builtin(number: number): Expr {
    const builtin = builtinNumbered(number);
    if (builtin === undefined) throw parsing(`there is no builtin function with number ${number}`);
    const { feature } = builtins[builtin];
    if (feature !== undefined) requireFeature(this.tables.version, feature);
    return { kind: "builtin", builtin };
  }

  #app({ fun, args }: Message<"App">): Expr {
    if (args.length === 0) throw parsing("an application has no argument");
    return { kind: "app", fun: this.expr(fun), args: this.exprs(args) };
  }

  #tyApp({ expr, types }: Message<"TyApp">): Expr {
    this.tables.typeDecoder.oneWhenFlat(types, "argument of a type application");
    return { kind: "tyApp", expr: this.expr(expr), types: types.map((type) => this.tables.typeDecoder.type(type)) };
  }

  #abs({ param, body }: Message<"Abs">): Expr {
    this.tables.typeDecoder.oneWhenFlat(param, "parameter of an abstraction");
    return { kind: "abs", params: param.map((slice) => this.tables.typeDecoder.binder(slice)), body: this.expr(body) };
  }

  #tyAbs({ param, body }: Message<"TyAbs">): Expr {
    this.tables.typeDecoder.oneWhenFlat(param, "parameter of a type abstraction");
    return { kind: "tyAbs", params: param.map((slice) => this.tables.typeDecoder.typeVar(slice)), body: this.expr(body) };
  }

  #let({ bindings, body }: Message<"Block">): Expr {
    if (bindings.length === 0) throw parsing("a let has no binding");
    return { kind: "let", bindings: this.bindings(bindings), body: this.expr(body) };
  }

  #cons({ type, front, tail }: Message<"Cons">): Expr {
    if (front.length === 0) throw parsing("a cons has no front");
    return { kind: "cons", type: this.tables.typeDecoder.type(type), front: this.exprs(front), tail: this.expr(tail) };
  }

  #case({ scrut, alts }: Message<"Case">): Expr {
    return {
      kind: "case",
      scrutinee: this.expr(scrut),
      alternatives: alts.map((slice) => this.#alternative(readMessage("CaseAlt", slice))),
    };
  }

  #alternative(message: Message<"CaseAlt">): Alternative {
    return { pattern: decodePattern(this.tables, message), body: this.expr(message.body) };
  }
}

/** A location may name a module of another package, which then counts as a reference, so it is read although it is not kept. */
export function checkLocation(tables: Tables, slice: Slice<"Location"> | undefined): void {
  if (slice === undefined) return;
  const { module, range } = readMessage("Location", slice);
  if (range !== undefined) readMessage("Range", range);
  if (module === undefined) return;
  // Without a range nobody asks which module it is.
  if (range === undefined) checkModuleId(module);
  else tables.moduleId(module);
}

/** Refuses unknown fields in what a reference to a module consists of, whatever it refers to. */
function checkModuleId(slice: Slice<"ModuleId">): void {
  const { packageId } = readMessage("ModuleId", slice);
  const reference = packageId && readMessage("SelfOrImportedPackageId", packageId);
  if (reference?.case === "selfPackageId") readMessage("Unit", reference.value);
}
