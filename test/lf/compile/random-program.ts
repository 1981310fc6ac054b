/** Seeded well-typed programs: one result expression over a few functions that may call the ones before them. */
import type { Expr } from "../../../src/lf/ast.js";
import type { BuiltinName } from "../../../src/lf/builtins.js";
import { app, builtin, fail, id, ifThenElse, int, int64, lambda, letIn, val, variable } from "./sample-package.js";

type Type = "Int" | "Bool" | "List" | "Optional" | "Record" | "Struct" | "Fun1" | "Fun2";
const types: readonly Type[] = ["Int", "Bool", "List", "Optional", "Record", "Struct", "Fun1", "Fun2"];

interface Variable {
  readonly name: string;
  readonly type: Type;
}
type Scope = readonly Variable[];

export const recordFields = ["a", "b"];
const recordType = { id: id("R"), args: [] };

const operations: readonly BuiltinName[] = ["ADD_INT64", "SUB_INT64", "MUL_INT64", "DIV_INT64", "MOD_INT64"];
const parameters: Scope = [
  { name: "n", type: "Int" },
  { name: "acc", type: "Int" },
];

const countdown = (end: Expr, otherwise: Expr): Expr =>
  lambda(["n", "acc"], ifThenElse(app(builtin("LESS", int64), variable("n"), int(1n)), end, otherwise));

export interface Program {
  readonly values: Readonly<Record<string, Expr>>;
}

export class ProgramGenerator {
  readonly #random: (below: number) => number;
  #names = 0;
  #functions: string[] = [];

  constructor(random: (below: number) => number) {
    this.#random = random;
  }

  program(): Program {
    this.#names = 0;
    this.#functions = [];
    const values: Record<string, Expr> = {};
    for (let count = this.#random(4); count > 0; count -= 1) {
      const name = `g${count}`;
      Object.assign(values, this.#function(name));
      this.#functions.push(name);
    }
    values["result"] = this.#expr("Int", [], 6);
    return { values };
  }

  #function(name: string): Readonly<Record<string, Expr>> {
    switch (this.#random(6)) {
      case 0:
        return { [name]: this.#loop(name) };
      case 1:
        return { [name]: this.#waiting(name) };
      case 2:
        return this.#growing(name);
      default:
        return { [name]: this.#global() };
    }
  }

  /** Of two arguments, given at once or as a function that gives a function. */
  #global(): Expr {
    const [x, y] = [this.#bind("Int"), this.#bind("Int")];
    if (this.#random(2) === 0) return lambda([x.name, y.name], this.#expr("Int", [x, y], 4));
    return lambda([x.name], this.#expr("Fun1", [x], 4));
  }

  /** Counts down in a self tail call. */
  #loop(name: string): Expr {
    return countdown(variable("acc"), this.#again(name));
  }

  /** Counts down in calls of itself whose results it goes on with. */
  #waiting(name: string): Expr {
    const waits = (): Expr => {
      const [operation, other] = [() => builtin(this.#pick(operations)), this.#expr("Int", parameters, 1)];
      switch (this.#random(4)) {
        case 0:
          return app(operation(), other, this.#again(name));
        case 1:
          return app(operation(), this.#again(name), other);
        case 2:
          return app(operation(), variable("n"), app(operation(), this.#again(name), variable("acc")));
        default:
          return app(this.#expr("Fun1", parameters, 1), this.#again(name));
      }
    };
    return countdown(variable("acc"), this.#random(2) === 0 ? waits() : ifThenElse(this.#expr("Bool", parameters, 2), waits(), waits()));
  }

  /** Folds a list that another function makes, each time with a call of itself as the tail. */
  #growing(name: string): Readonly<Record<string, Expr>> {
    const cell = (): Expr => ({
      kind: "cons",
      type: int64,
      front: Array.from({ length: 1 + this.#random(2) }, () => this.#expr("Int", parameters, 1)),
      tail: this.#again(`${name}list`),
    });
    const list = countdown(
      this.#expr("List", parameters, 2),
      this.#random(2) === 0 ? cell() : ifThenElse(this.#expr("Bool", parameters, 2), cell(), this.#again(`${name}list`)),
    );
    const folded = app(
      builtin("FOLDR", int64, int64),
      builtin(this.#pick(operations)),
      variable("acc"),
      app(val(`${name}list`), variable("n"), variable("acc")),
    );
    return { [`${name}list`]: list, [name]: lambda(["n", "acc"], folded) };
  }

  #again(name: string): Expr {
    return app(val(name), app(builtin("SUB_INT64"), variable("n"), int(1n)), this.#expr("Int", parameters, 3));
  }

  #bind(type: Type): Variable {
    return { name: `x${this.#random(4) === 0 ? 0 : this.#names++}`, type };
  }
  #pick<T>(from: readonly T[]): T {
    return from[this.#random(from.length)]!;
  }

  #expr(type: Type, scope: Scope, depth: number): Expr {
    // A shadowed name has the type of its last binding.
    const visible = scope.filter((each, index) => each.type === type && scope.findLastIndex((other) => other.name === each.name) === index);
    if (visible.length > 0 && this.#random(depth <= 0 ? 1 : 4) === 0) return variable(this.#pick(visible).name);
    if (depth > 0 && this.#random(3) === 0) return this.#anyType(type, scope, depth - 1);
    return this.#construct(type, scope, depth - 1);
  }

  #construct(type: Type, scope: Scope, depth: number): Expr {
    const int64Expr = (): Expr => this.#expr("Int", scope, depth);
    const leaf = depth <= 0;
    switch (type) {
      case "Int":
        return leaf ? int(BigInt(this.#random(20) - 5)) : this.#int(scope, depth);
      case "Bool":
        return leaf ? { kind: "bool", value: this.#random(2) === 0 } : this.#bool(scope, depth);
      case "List":
        return leaf
          ? { kind: "nil", type: int64 }
          : {
              kind: "cons",
              type: int64,
              front: Array.from({ length: 1 + this.#random(3) }, int64Expr),
              tail: this.#expr("List", scope, depth),
            };
      case "Optional":
        return leaf || this.#random(3) === 0 ? { kind: "none", type: int64 } : { kind: "some", type: int64, value: int64Expr() };
      case "Record":
        return this.#updated(
          {
            kind: "recCon",
            type: recordType,
            fields: [
              { name: "a", expr: int64Expr() },
              { name: "b", expr: this.#expr("List", scope, depth) },
            ],
          },
          scope,
          depth,
        );
      case "Struct":
        return {
          kind: "structCon",
          fields: [
            { name: "y", expr: int64Expr() },
            { name: "f", expr: this.#expr("Fun1", scope, depth) },
          ],
        };
      case "Fun1":
        return this.#fun1(scope, depth);
      case "Fun2": {
        if (leaf) return builtin(this.#pick(operations));
        const [x, y] = [this.#bind("Int"), this.#bind("Int")];
        return lambda([x.name, y.name], this.#expr("Int", [...scope, x, y], depth));
      }
    }
  }

  /** Also the same field more than once. */
  #updated(record: Expr, scope: Scope, depth: number): Expr {
    if (depth <= 0 || this.#random(2) === 0) return record;
    const [field, type] = this.#pick([["a", "Int"] as const, ["b", "List"] as const]);
    return this.#updated({ kind: "recUpd", type: recordType, field, record, update: this.#expr(type, scope, depth) }, scope, depth - 1);
  }

  #bool(scope: Scope, depth: number): Expr {
    if (this.#random(4) > 0)
      return app(builtin(this.#pick(["EQUAL", "LESS"]), int64), this.#expr("Int", scope, depth), this.#expr("Int", scope, depth));
    const [x, y] = [this.#bind("Int"), this.#bind("Int")],
      predicate = lambda([x.name, y.name], this.#expr("Bool", [...scope, x, y], depth));
    return app(builtin("EQUAL_LIST", int64), predicate, this.#expr("List", scope, depth), this.#expr("List", scope, depth));
  }

  #fun1(scope: Scope, depth: number): Expr {
    if (depth > 0 && this.#random(2) === 0) return app(this.#expr("Fun2", scope, depth), this.#expr("Int", scope, depth));
    const x = this.#bind("Int");
    return lambda([x.name], this.#expr("Int", [...scope, x], depth));
  }

  #int(scope: Scope, depth: number): Expr {
    const of = (type: Type): Expr => this.#expr(type, scope, depth);
    switch (this.#random(9)) {
      case 0:
        return this.#random(2) === 0 ? int(2n ** 62n) : fail(`error ${this.#names++}`);
      case 1:
        return { kind: "recProj", type: recordType, field: "a", record: of("Record") };
      case 2:
        return app({ kind: "structProj", field: "f", struct: of("Struct") }, of("Int"));
      case 3:
        return app(builtin(this.#pick<BuiltinName>(["FOLDL", "FOLDR"]), int64, int64), of("Fun2"), of("Int"), of("List"));
      case 4:
        return app(of("Fun1"), of("Int"));
      case 5:
        return app(of("Fun2"), of("Int"), of("Int"));
      case 6:
        return this.#functions.length === 0 ? int(7n) : app(val(this.#pick(this.#functions)), int(BigInt(this.#random(4))), of("Int"));
      default:
        return app(builtin(this.#pick(operations)), of("Int"), of("Int"));
    }
  }

  /** Forms that take the type of their bodies. */
  #anyType(type: Type, scope: Scope, depth: number): Expr {
    const result = (...more: Variable[]): Expr => this.#expr(type, [...scope, ...more], depth);
    switch (this.#random(5)) {
      case 0: {
        const bound = this.#bind(this.#pick(types));
        return letIn(bound.name, this.#expr(bound.type, scope, depth), result(bound));
      }
      case 1:
        return ifThenElse(this.#expr("Bool", scope, depth), result(), result());
      case 2: {
        const [head, tail] = [this.#bind("Int"), this.#bind("List")];
        const cons = { pattern: { kind: "cons" as const, head: head.name, tail: tail.name }, body: result(head, tail) };
        return {
          kind: "case",
          scrutinee: this.#expr("List", scope, depth),
          alternatives: [cons, { pattern: { kind: "default" }, body: result() }],
        };
      }
      case 3: {
        const inner = this.#bind("Int");
        return {
          kind: "case",
          scrutinee: this.#expr("Optional", scope, depth),
          alternatives: [
            { pattern: { kind: "none" }, body: result() },
            { pattern: { kind: "some", body: inner.name }, body: result(inner) },
          ],
        };
      }
      default: {
        const [x, y] = [this.#bind("Int"), this.#bind(this.#pick(types))];
        return app(lambda([x.name, y.name], result(x, y)), this.#expr("Int", scope, depth), this.#expr(y.type, scope, depth));
      }
    }
  }
}
