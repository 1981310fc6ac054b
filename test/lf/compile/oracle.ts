/**
 * A plain evaluator of expressions, the measure for the compiler: it walks the tree and keeps to the order of the
 * language, arguments from right to left and the function last. Expressions of Int64, Bool, lists, optionals,
 * records, structs and functions; the ledger's evaluator adds the rest.
 */
import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import type { Alternative, DefinitionId, Expr } from "../../../src/lf/ast.js";

export type Outcome =
  | bigint
  | boolean
  | readonly Outcome[]
  | { readonly some: Outcome }
  | "none"
  | "unit"
  | { readonly record: readonly Outcome[] }
  | { readonly struct: ReadonlyMap<string, Outcome> }
  | Closure
  | { readonly text: string }
  | { readonly contractId: string }
  | Exception
  /** An interface value. */
  | { readonly template: string; readonly payload: Outcome }
  | { readonly run: () => Outcome };

export interface Exception {
  readonly exception: string;
  readonly value: Outcome;
}

interface Closure {
  readonly arity: number;
  readonly args: readonly Outcome[];
  readonly call: (args: readonly Outcome[]) => Outcome;
}
export type Variables = ReadonlyMap<string, Outcome>;

/** An error, by its text. */
export class Stop extends Error {}

/** A thrown exception. */
export class Thrown extends Stop {
  constructor(
    readonly exception: Exception,
    message: string,
  ) {
    super(message);
  }
}

const arithmeticError = (message: string): Thrown => new Thrown({ exception: "ArithmeticError", value: { text: message } }, message);

const limit = 2n ** 63n;
const checked = (builtin: string, a: bigint, b: bigint, result: bigint): bigint => {
  if (result >= limit || result < -limit) throw arithmeticError(`ArithmeticError while evaluating (${builtin} ${a} ${b}).`);
  return result;
};

const builtins: Readonly<Record<string, readonly [number, (...args: never[]) => Outcome]>> = {
  ERROR: [
    1,
    ({ text }: { text: string }): never => {
      throw new Stop(`User abort: ${text}`);
    },
  ],
  APPEND_TEXT: [2, (a: { text: string }, b: { text: string }) => ({ text: a.text + b.text })],
  INT64_TO_TEXT: [1, (a: bigint) => ({ text: String(a) })],
  COERCE_CONTRACT_ID: [1, (id: Outcome) => id],
  ADD_INT64: [2, (a: bigint, b: bigint) => checked("ADD_INT64", a, b, a + b)],
  SUB_INT64: [2, (a: bigint, b: bigint) => checked("SUB_INT64", a, b, a - b)],
  MUL_INT64: [2, (a: bigint, b: bigint) => checked("MUL_INT64", a, b, a * b)],
  DIV_INT64: [
    2,
    (a: bigint, b: bigint) => {
      if (b === 0n) throw arithmeticError(`ArithmeticError while evaluating (DIV_INT64 ${a} ${b}).`);
      return checked("DIV_INT64", a, b, a / b);
    },
  ],
  MOD_INT64: [
    2,
    (a: bigint, b: bigint) => {
      if (b === 0n) throw arithmeticError(`ArithmeticError while evaluating (MOD_INT64 ${a} ${b}).`);
      return a % b;
    },
  ],
  EQUAL: [2, (a: Outcome, b: Outcome) => isDeepStrictEqual(a, b)],
  LESS: [2, (a: bigint, b: bigint) => a < b],
  FOLDL: [3, (f: Outcome, zero: Outcome, list: readonly Outcome[]) => list.reduce((result, each) => apply(f, [result, each]), zero)],
  FOLDR: [3, (f: Outcome, zero: Outcome, list: readonly Outcome[]) => list.reduceRight((result, each) => apply(f, [each, result]), zero)],
  EQUAL_LIST: [3, equalLists],
};

/** The other list comes first, from pair to pair anew: so each is first in turn. */
function equalLists(predicate: Outcome, left: readonly Outcome[], right: readonly Outcome[]): boolean {
  if (left.length === 0 || right.length === 0) return left.length === right.length;
  return apply(predicate, [right[0]!, left[0]!]) === true && equalLists(predicate, right.slice(1), left.slice(1));
}

export const apply = (f: Outcome, args: readonly Outcome[]): Outcome => {
  const { arity, args: held, call } = f as Closure;
  const all = [...held, ...args];
  if (all.length < arity) return { arity, args: all, call };
  const result = call(all.slice(0, arity));
  return all.length === arity ? result : apply(result, all.slice(arity));
};

/** The language evaluates from right to left; the other direction is a mutation that a comparison must notice. */
export type Direction = "right to left" | "left to right";

export class Oracle {
  constructor(
    readonly globals: Readonly<Record<string, Expr>>,
    readonly fieldsOf: (record: DefinitionId) => readonly string[],
    readonly direction: Direction = "right to left",
  ) {}

  #literal(literal: Extract<Expr, { kind: "lit" }>["value"]): Outcome {
    if (literal.kind === "int64") return literal.value;
    assert.equal(literal.kind, "text");
    return { text: literal.value as string };
  }

  evaluate(expr: Expr, variables: Variables = new Map()): Outcome {
    const value = (inner: Expr): Outcome => this.evaluate(inner, variables);
    switch (expr.kind) {
      case "var":
        return variables.get(expr.name)!;
      case "val":
        return this.evaluate(this.globals[expr.id.name]!);
      case "builtin": {
        const [arity, call] = builtins[expr.builtin]!;
        return { arity, args: [], call: (args) => call(...(args as never[])) };
      }
      case "bool":
        return expr.value;
      case "lit":
        return this.#literal(expr.value);
      case "tyApp":
        return value(expr.expr);
      case "abs":
        return this.#closure(
          expr.params.map((param) => param.name),
          expr.body,
          variables,
        );
      case "app":
        return this.#apply(expr, variables);
      case "let":
        return this.evaluate(
          expr.body,
          expr.bindings.reduce<Variables>(
            (inner, { binder, bound }) => new Map(inner).set(binder.name, this.evaluate(bound, inner)),
            variables,
          ),
        );
      case "case":
        return this.#match(value(expr.scrutinee), expr.alternatives, variables);
      case "nil":
        return [];
      case "cons": {
        const parts = this.inOrder([...expr.front, expr.tail], value);
        return [...parts.slice(0, -1), ...(parts.at(-1) as readonly Outcome[])];
      }
      case "unit":
        return "unit";
      case "none":
        return "none";
      case "some":
        return { some: value(expr.value) };
      case "recCon":
        return {
          record: this.inOrder(
            expr.fields.map((field) => field.expr),
            value,
          ),
        };
      case "recProj":
        return (value(expr.record) as { record: readonly Outcome[] }).record[this.fieldsOf(expr.type.id).indexOf(expr.field)]!;
      case "recUpd": {
        const [record, update] = this.inOrder([expr.record, expr.update], value) as [{ record: readonly Outcome[] }, Outcome];
        return { record: record.record.map((each, index) => (index === this.fieldsOf(expr.type.id).indexOf(expr.field) ? update : each)) };
      }
      case "structCon": {
        const values = this.inOrder(
          expr.fields.map((field) => field.expr),
          value,
        );
        return { struct: new Map(expr.fields.map((field, index) => [field.name, values[index]!])) };
      }
      case "structProj":
        return (value(expr.struct) as { struct: ReadonlyMap<string, Outcome> }).struct.get(expr.field)!;
      default:
        throw new Error(`the oracle does not know ${expr.kind}`);
    }
  }

  inOrder(exprs: readonly Expr[], evaluate: (expr: Expr) => Outcome): Outcome[] {
    return this.direction === "left to right" ? exprs.map(evaluate) : [...exprs].reverse().map(evaluate).reverse();
  }

  /** Nested applications are one: `(f a) b` evaluates b, a, then f. */
  #apply(expr: Expr, variables: Variables): Outcome {
    const args: Expr[] = [];
    let head = expr;
    while (head.kind === "app" || head.kind === "tyApp") {
      if (head.kind === "app") args.unshift(...head.args);
      head = head.kind === "app" ? head.fun : head.expr;
    }
    const [f, ...values] = this.inOrder([head, ...args], (inner) => this.evaluate(inner, variables));
    return apply(f!, values);
  }

  #closure(names: readonly string[], body: Expr, variables: Variables): Closure {
    const call = (args: readonly Outcome[]): Outcome =>
      this.evaluate(
        body,
        names.reduce<Variables>((inner, name, index) => new Map(inner).set(name, args[index]!), variables),
      );
    return { arity: names.length, args: [], call };
  }

  #match(value: Outcome, alternatives: readonly Alternative[], variables: Variables): Outcome {
    for (const { pattern, body } of alternatives) {
      if (pattern.kind === "default" || (pattern.kind === "bool" && pattern.value === value)) return this.evaluate(body, variables);
      if (pattern.kind === "nil" && (value as readonly Outcome[]).length === 0) return this.evaluate(body, variables);
      if (pattern.kind === "cons" && (value as readonly Outcome[]).length > 0) {
        const [head, ...tail] = value as readonly [Outcome, ...Outcome[]];
        return this.evaluate(body, new Map(variables).set(pattern.head, head).set(pattern.tail, tail));
      }
      if (pattern.kind === "none" && value === "none") return this.evaluate(body, variables);
      if (pattern.kind === "some" && value !== "none")
        return this.evaluate(body, new Map(variables).set(pattern.body, (value as { some: Outcome }).some));
    }
    throw new Error("no alternative matches");
  }
}
