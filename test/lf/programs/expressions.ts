/** Seeded well-typed expressions of any type: literals at their ends, every builtin function, every form of the language that has no effect. */
import type { Alternative, Expr, FieldWithType, Type } from "../../../src/lf/ast.js";
import type { BuiltinName } from "../../../src/lf/builtins.js";
import {
  anyException,
  argumentOf,
  asFunction,
  fn,
  forall,
  list,
  optional,
  star,
  text,
  unit,
  variable,
} from "../../../src/lf/type-forms.js";
import type { Random } from "../../support/random.js";
import { expr, type } from "../../support/lf-builder.js";
import { instantiate, spine } from "../validation/value-shape.js";
import { Edges } from "./edges.js";
import { type Application, applications, type Found, isSame, replaced, Types, unify } from "./types.js";
import { type Data, failed, type World } from "./world.js";

export interface Variable {
  readonly name: string;
  readonly type: Type;
}
export type Scope = readonly Variable[];

const { int64, bool } = type;
/** Beyond that many parts a program goes on with the smallest that there is of each type. */
const partsMax = 220;

/** What has no name of its own that two nodes would know by another one: ids of contracts are compared, but have no order. */
const isContractId = (of: Type): boolean => JSON.stringify(of).includes('"CONTRACT_ID"');

export class ExpressionGenerator {
  readonly edges: Edges;
  readonly types: Types;
  readonly #applications: readonly Application[];
  #names = 0;
  #parts = 0;
  /** Definitions of the module that expressions may name, with their types. */
  readonly #values: Variable[] = [];

  constructor(
    readonly random: Random,
    readonly world: World,
    readonly isKeyed: boolean,
  ) {
    this.edges = new Edges(random);
    this.types = new Types(random, world);
    this.#applications = applications(isKeyed);
  }

  /** The next expressions are another program's. */
  beginProgram(): void {
    this.#parts = 0;
  }

  /** Evaluated when a program first asks for it. */
  addValue(name: string): void {
    const of = this.types.any(2);
    this.beginProgram();
    this.world.module.value(name, of, this.expr(of, [], 3));
    this.#values.push({ name, type: of });
  }

  bind(of: Type): Variable {
    return { name: this.random.chance(0.1) ? "x" : `x${this.#names++}`, type: of };
  }

  expr(of: Type, scope: Scope, depth: number): Expr {
    const { random } = this,
      isLeaf = depth <= 0 || ++this.#parts > partsMax;
    const atHand = visible(scope);
    const same = atHand.filter((each) => isSame(each.type, of));
    if (same.length > 0 && random.chance(isLeaf ? 0.7 : 0.3)) return expr.variable(random.one(same).name);
    if (isLeaf) return this.construct(of, scope, 0);
    const called = random.chance(0.3) ? this.#call(of, atHand, scope, depth) : undefined;
    if (called !== undefined) return called;
    const way = random.next();
    if (way < 0.25) return this.construct(of, scope, depth);
    if (way < 0.65) return this.#builtin(of, scope, depth) ?? this.construct(of, scope, depth);
    return this.#anyForm(of, scope, depth);
  }

  /** A variable or a definition that gives what is wanted once it has its arguments. */
  #call(of: Type, atHand: Scope, scope: Scope, depth: number): Expr | undefined {
    const gives = (each: Variable): boolean => isSame(resultOf(each.type), of);
    const functions = atHand.filter(gives),
      values = this.#values.filter(gives);
    const ways = [
      ...functions.map((each) => [expr.variable(each.name), each.type] as const),
      ...values.map((each) => [expr.value(this.world.id(each.name)), each.type] as const),
    ];
    if (ways.length === 0) return undefined;
    const [fun, funType] = this.random.one(ways);
    const args = parametersOf(funType).map((param) => this.expr(param, scope, depth - 1));
    return args.length === 0 ? fun : expr.apply(fun, ...args);
  }

  // Values as they are written

  construct(of: Type, scope: Scope, depth: number): Expr {
    const { head, args } = spine(of);
    switch (head.kind) {
      case "builtin":
        return this.#builtinType(of, head.builtin, args, scope, depth);
      case "con": {
        const data = this.world.dataOf(head.id);
        return data === undefined ? this.other(of, scope, depth) : this.#data(data, args, scope, depth);
      }
      case "struct":
        return {
          kind: "structCon",
          fields: this.#shuffled(head.fields).map((field) => ({ name: field.name, expr: this.expr(field.type, scope, depth - 1) })),
        };
      case "forall":
        return { kind: "tyAbs", params: [head.binder], body: this.expr(head.body, scope, depth) };
      default:
        return this.#refused(of, scope, depth);
    }
  }

  /** What only those know who have more than expressions. */
  protected other(of: Type, scope: Scope, depth: number): Expr {
    return this.#refused(of, scope, depth);
  }

  #shuffled<T>(from: readonly T[]): readonly T[] {
    return this.random.chance(0.5) ? from : [...from].reverse();
  }

  #builtinType(of: Type, builtin: string, args: readonly Type[], scope: Scope, depth: number): Expr {
    const { edges, random } = this,
      [one, two] = args;
    switch (builtin) {
      case "UNIT":
        return expr.unit;
      case "BOOL":
        return expr.bool(random.chance(0.5));
      case "INT64":
        return edges.int64();
      case "TEXT":
        return edges.text();
      case "DATE":
        return edges.date();
      case "TIMESTAMP":
        return edges.timestamp();
      case "NUMERIC":
        return one!.kind === "nat" ? edges.numeric(one!.value) : this.#refused(of, scope, depth);
      case "PARTY":
        return this.#party(random.one(["alice", "bob", "b", "a b", "Zed:1", "x_y-z"]));
      case "FAILURE_CATEGORY":
        return {
          kind: "lit",
          value: {
            kind: "failureCategory",
            value: random.one(["INVALID_INDEPENDENT_OF_SYSTEM_STATE", "INVALID_GIVEN_CURRENT_SYSTEM_STATE_OTHER"]),
          },
        };
      case "TYPE_REP":
        return { kind: "typeRep", type: this.types.constructor_() };
      case "ANY":
        return this.#any(this.types.constructor_(), scope, depth);
      case "ANY_EXCEPTION":
        return this.#exception(scope, depth);
      case "UPDATE":
        return expr.pure(one!, this.expr(one!, scope, depth - 1));
      case "ARROW":
        return this.#function(one!, two!, scope, depth);
      default:
        return this.#collection(of, builtin, args, scope, depth);
    }
  }

  #collection(of: Type, builtin: string, [one, two]: readonly Type[], scope: Scope, depth: number): Expr {
    const { random } = this,
      inner = (each: Type): Expr => this.expr(each, scope, depth - 1),
      count = depth <= 0 ? 0 : random.below(4);
    switch (builtin) {
      case "LIST": {
        const tail: Expr = depth > 1 && random.chance(0.2) ? inner(of) : expr.list(one!);
        return count === 0 ? tail : { kind: "cons", type: one!, front: Array.from({ length: count }, () => inner(one!)), tail };
      }
      case "OPTIONAL":
        return depth <= 0 || random.chance(0.3) ? expr.none(one!) : expr.some(one!, inner(one!));
      case "TEXTMAP": {
        const insert = applied("TEXTMAP_INSERT", one!);
        return Array.from({ length: count }).reduce<Expr>(
          (map) => expr.apply(insert, inner(text), inner(one!), map),
          applied("TEXTMAP_EMPTY", one!),
        );
      }
      case "GENMAP": {
        const insert = applied("GENMAP_INSERT", one!, two!);
        return Array.from({ length: count }).reduce<Expr>(
          (map) => expr.apply(insert, inner(one!), inner(two!), map),
          applied("GENMAP_EMPTY", one!, two!),
        );
      }
      default:
        return this.#refused(of, scope, depth);
    }
  }

  /** There are no literals of parties: of a text, or an error where it names none. */
  #party(name: string): Expr {
    return expr.match(
      expr.apply(expr.builtin("TEXT_TO_PARTY"), expr.text(name)),
      { pattern: { kind: "some", body: "p" }, body: expr.variable("p") },
      { pattern: { kind: "none" }, body: failed(type.party, "no party") },
    );
  }

  #any(of: Type, scope: Scope, depth: number): Expr {
    return { kind: "toAny", type: of, expr: this.expr(of, scope, depth - 1) };
  }
  #exception(scope: Scope, depth: number): Expr {
    const of = type.con(this.random.one(this.world.exceptions));
    return { kind: "toAnyException", type: of, expr: this.expr(of, scope, depth - 1) };
  }

  #function(param: Type, result: Type, scope: Scope, depth: number): Expr {
    const bound = this.bind(param),
      next = this.random.chance(0.5) ? asFunction(result) : undefined;
    if (next === undefined || isSame(next.param, param))
      return expr.lambda({ [bound.name]: param }, this.expr(result, [...scope, bound], depth - 1));
    const second = { name: `${bound.name}y`, type: next.param };
    return expr.lambda({ [bound.name]: param, [second.name]: second.type }, this.expr(next.result, [...scope, bound, second], depth - 1));
  }

  #data({ id, params, parts, form }: Data, args: readonly Type[], scope: Scope, depth: number): Expr {
    const partType = (each: Type): Type => instantiate(params.map(starred), args, each);
    if (form === "enum") return expr.enum(id, this.random.one(parts)[0]);
    if (form === "record")
      return expr.record(id, Object.fromEntries(parts.map(([name, each]) => [name, this.expr(partType(each), scope, depth - 1)])), ...args);
    const [constructor_, argument] = depth <= 0 ? parts[0]! : this.random.one(parts);
    return expr.variant(id, constructor_, this.expr(partType(argument), scope, depth - 1), ...args);
  }

  /** An error or an exception in place of a value. */
  #refused(of: Type, scope: Scope, depth: number): Expr {
    const { random } = this,
      inner = (each: Type): Expr => this.expr(each, scope, depth - 1);
    switch (random.below(3)) {
      case 0: {
        const exceptionType = type.con(random.one(this.world.exceptions));
        return { kind: "throw", returnType: of, exceptionType, exception: inner(exceptionType) };
      }
      case 1:
        return expr.apply(
          applied("FAIL_WITH_STATUS", of),
          inner(text),
          this.construct({ kind: "builtin", builtin: "FAILURE_CATEGORY" }, scope, 0),
          inner(text),
          inner(type.textMap(text)),
        );
      default:
        return expr.apply(applied("ERROR", of), inner(text));
    }
  }

  // Builtin functions

  #builtin(of: Type, scope: Scope, depth: number): Expr | undefined {
    const { random } = this;
    const fitting = this.#applications.flatMap((application) => {
      const found: Found = new Map(),
        names = new Set(application.params.map(({ name }) => name));
      return unify(application.result, of, names, found) ? [{ application, found }] : [];
    });
    const [open, closed] = [fitting.filter(isOpen), fitting.filter((each) => !isOpen(each))];
    const from = closed.length === 0 || random.chance(0.12) ? open : closed;
    if (from.length === 0) return undefined;
    const { application, found } = random.one(from),
      { builtin, params, args } = application;
    if ((builtin === "ERROR" || builtin === "FAIL_WITH_STATUS") && random.chance(0.8)) return undefined;
    if (builtin === "COERCE_CONTRACT_ID" || (builtin === "PARTY_TO_TEXT" && args.length === 0)) return undefined;
    if (builtin === "CONTRACT_ID_TO_TEXT") return this.#idToText(args, scope);
    for (const { name, kind } of params)
      if (!found.has(name)) found.set(name, builtin === "EQUAL" ? this.#equalType(scope) : this.types.ofKind(kind, 1));
    const fun = applied(builtin, ...params.map(({ name }) => found.get(name)!));
    if (args.length === 0) return fun;
    // What a party is called on one node is nothing that another one knows: a text is made of one that is named here only.
    const seen = builtin === "PARTY_TO_TEXT" ? [] : scope;
    return expr.apply(
      fun,
      ...args.map((arg, index) => this.#hinted(builtin, index, depth) ?? this.expr(replaced(params, found, arg), seen, depth - 1)),
    );
  }

  #idToText(args: readonly Type[], scope: Scope): Expr | undefined {
    const ids = args.length === 0 ? [] : visible(scope).filter((each) => argumentOf("CONTRACT_ID", each.type) !== undefined);
    if (ids.length === 0) return undefined;
    const { name, type: of } = this.random.one(ids);
    return expr.apply(applied("CONTRACT_ID_TO_TEXT", argumentOf("CONTRACT_ID", of)!), expr.variable(name));
  }

  #equalType(scope: Scope): Type {
    const ids = scope.filter((each) => isContractId(each.type));
    return ids.length > 0 && this.random.chance(0.3) ? this.random.one(ids).type : this.types.any(2);
  }

  /** Arguments with which a function mostly does something else than to fail. */
  #hinted(builtin: BuiltinName, index: number, depth: number): Expr | undefined {
    const { edges, random } = this;
    if (!random.chance(0.75)) return undefined;
    switch (builtin) {
      case "CODE_POINTS_TO_TEXT":
        return expr.list(int64, ...Array.from({ length: random.below(5) }, () => edges.codePoint()));
      case "HEX_TO_TEXT":
      case "SHA256_HEX":
      case "KECCAK256_TEXT":
        return expr.apply(expr.builtin("TEXT_TO_HEX"), this.expr(text, [], depth - 1));
      case "TEXT_TO_INT64":
        return edges.numberText();
      case "TEXT_TO_NUMERIC":
        return index === 1 ? edges.numberText() : undefined;
      case "ROUND_NUMERIC":
        return index === 0 ? edges.int64In(-38, 39) : undefined;
      case "EXP_INT64":
        return index === 1 ? edges.int64In(-1, 66) : undefined;
      case "UNIX_DAYS_TO_DATE":
        return edges.day();
      case "UNIX_MICROSECONDS_TO_TIMESTAMP":
        return edges.microsecond();
      case "SECP256K1_BOOL":
      case "SECP256K1_WITH_ECDSA_BOOL":
        return edges.signingText((["signature", "message", "key"] as const)[index]!);
      case "SECP256K1_VALIDATE_KEY":
        return edges.signingText("key");
      default:
        return undefined;
    }
  }

  // Forms that take the type of what is in them

  #anyForm(of: Type, scope: Scope, depth: number): Expr {
    const inner = (...more: readonly Variable[]): Expr => this.expr(of, [...scope, ...more], depth - 1);
    switch (this.random.below(14)) {
      case 0:
        return this.#let(scope, depth, inner);
      case 1: {
        const [one, other] = [this.bind(this.types.any(1)), this.bind(this.types.any(1))];
        const params = one.name === other.name ? [one] : [one, other];
        return expr.apply(
          expr.lambda(Object.fromEntries(params.map((each) => [each.name, each.type])), inner(...params)),
          ...params.map((each) => this.expr(each.type, scope, depth - 1)),
        );
      }
      case 2:
        return this.match(bool, scope, depth, inner);
      case 3:
        return this.match(list(this.types.any(1)), scope, depth, inner);
      case 4:
        return this.match(optional(this.types.any(1)), scope, depth, inner);
      case 5:
      case 6:
        return this.#matchData(scope, depth, inner);
      case 7:
        return this.match(unit, scope, depth, inner);
      case 8:
        return this.#projection(of, scope, depth);
      case 9:
        return this.#structProjection(of, scope, depth, inner);
      case 10:
        return this.#update(of, scope, depth) ?? inner();
      case 11:
        return this.#ofAny(scope, depth, inner);
      case 12:
        return this.#again(of, scope, depth);
      default:
        return this.#polymorphic(of, scope, depth);
    }
  }

  #let(scope: Scope, depth: number, inner: (...more: readonly Variable[]) => Expr): Expr {
    const bound = this.bind(this.types.any(2)),
      binding = expr.bind(bound.name, bound.type, this.expr(bound.type, scope, depth - 1));
    if (this.random.chance(0.6)) return expr.let([binding], inner(bound));
    const second = this.bind(this.types.any(1));
    return expr.let(
      [binding, expr.bind(second.name, second.type, this.expr(second.type, [...scope, bound], depth - 1))],
      inner(bound, second),
    );
  }

  /** All cases of a type, with more than one way to say the last. */
  protected match(of: Type, scope: Scope, depth: number, inner: (...more: readonly Variable[]) => Expr): Expr {
    const scrutinee = this.expr(of, scope, depth - 1);
    return expr.match(scrutinee, ...this.#alternatives(of, inner));
  }

  #alternatives(of: Type, inner: (...more: readonly Variable[]) => Expr): readonly Alternative[] {
    const { head, args } = spine(of),
      builtin = head.kind === "builtin" ? head.builtin : "";
    const [head_, tail, some] = [this.bind(args[0] ?? unit), this.bind(of), this.bind(args[0] ?? unit)];
    const cases: Readonly<Record<string, () => readonly Alternative[]>> = {
      UNIT: () => [{ pattern: { kind: "unit" }, body: inner() }],
      BOOL: () => [true, false].map((value) => ({ pattern: { kind: "bool", value }, body: inner() })),
      LIST: () => [
        { pattern: { kind: "nil" }, body: inner() },
        { pattern: { kind: "cons", head: head_.name, tail: `${tail.name}t` }, body: inner(head_, { ...tail, name: `${tail.name}t` }) },
      ],
      OPTIONAL: () => [
        { pattern: { kind: "none" }, body: inner() },
        { pattern: { kind: "some", body: some.name }, body: inner(some) },
      ],
    };
    return this.#withDefault(cases[builtin]!(), inner);
  }

  #withDefault(all: readonly Alternative[], inner: () => Expr): readonly Alternative[] {
    const shuffled = this.#shuffled(all);
    if (this.random.chance(0.6)) return shuffled;
    const kept = shuffled.slice(0, this.random.below(all.length + 1));
    return [...kept, { pattern: { kind: "default" }, body: inner() }];
  }

  #matchData(scope: Scope, depth: number, inner: (...more: readonly Variable[]) => Expr): Expr {
    const { id, params, parts, form } = this.random.one(this.world.data.filter(({ form: each }) => each !== "record"));
    const args = params.map(() => this.types.any(1));
    const all = parts.map(([name, argument]): Alternative => {
      if (form === "enum") return { pattern: { kind: "enum", id, constructor_: name }, body: inner() };
      const bound = this.bind(instantiate(params.map(starred), args, argument));
      return { pattern: { kind: "variant", id, constructor_: name, binder: bound.name }, body: inner(bound) };
    });
    return expr.match(this.expr(type.con(id, ...args), scope, depth - 1), ...this.#withDefault(all, inner));
  }

  #projection(of: Type, scope: Scope, depth: number): Expr {
    const fitting = this.world.data.flatMap((data) =>
      data.form !== "record"
        ? []
        : data.parts.flatMap(([field, fieldType]) => {
            const found: Found = new Map();
            return unify(fieldType, of, new Set(data.params), found) ? [{ data, field, found }] : [];
          }),
    );
    if (fitting.length === 0) return this.construct(of, scope, depth);
    const { data, field, found } = this.random.one(fitting);
    const args = data.params.map((name) => found.get(name) ?? this.types.any(1));
    return expr.field(data.id, field, this.expr(type.con(data.id, ...args), scope, depth - 1), ...args);
  }

  #structProjection(of: Type, scope: Scope, depth: number, inner: () => Expr): Expr {
    const fields: FieldWithType[] = [
      { name: "b", type: of },
      { name: this.random.one(["a", "c"]), type: this.types.any(1) },
    ].sort((one, other) => (one.name < other.name ? -1 : 1));
    const struct = this.expr({ kind: "struct", fields }, scope, depth - 1);
    return {
      kind: "structProj",
      field: "b",
      struct: this.random.chance(0.4) ? { kind: "structUpd", field: "b", struct, update: inner() } : struct,
    };
  }

  /** Of a record or a struct. */
  #update(of: Type, scope: Scope, depth: number): Expr | undefined {
    const { head, args } = spine(of);
    if (head.kind === "struct" && head.fields.length > 0) {
      const { name, type: fieldType } = this.random.one(head.fields);
      return { kind: "structUpd", field: name, struct: this.expr(of, scope, depth - 1), update: this.expr(fieldType, scope, depth - 1) };
    }
    const data = head.kind === "con" ? this.world.dataOf(head.id) : undefined;
    if (data?.form !== "record" || data.parts.length === 0) return undefined;
    const [field, fieldType] = this.random.one(data.parts);
    return {
      kind: "recUpd",
      type: { id: data.id, args },
      field,
      record: this.expr(of, scope, depth - 1),
      update: this.expr(instantiate(data.params.map(starred), args, fieldType), scope, depth - 1),
    };
  }

  /** What lost its type, asked for one: its own, or another. */
  #ofAny(scope: Scope, depth: number, inner: (...more: readonly Variable[]) => Expr): Expr {
    const { random } = this;
    if (random.chance(0.3)) {
      const of = type.con(random.one(this.world.exceptions)),
        bound = this.bind(of);
      return expr.match(
        { kind: "fromAnyException", type: of, expr: this.expr(anyException, scope, depth - 1) },
        { pattern: { kind: "some", body: bound.name }, body: inner(bound) },
        { pattern: { kind: "none" }, body: inner() },
      );
    }
    const of = this.types.constructor_(),
      bound = this.bind(of),
      any = random.chance(0.6) ? this.#any(of, scope, depth) : this.expr(type.any, scope, depth - 1);
    return expr.match(
      { kind: "fromAny", type: of, expr: any },
      { pattern: { kind: "some", body: bound.name }, body: inner(bound) },
      { pattern: { kind: "none" }, body: inner() },
    );
  }

  #again(of: Type, scope: Scope, depth: number): Expr {
    if (isSame(of, text) && this.random.chance(0.4)) {
      const scale = this.types.ofKind({ kind: "nat" }, 0);
      return expr.apply(
        expr.applyTypes(expr.value(this.world.id("fixed")), scale),
        this.expr({ kind: "app", fun: { kind: "builtin", builtin: "NUMERIC" }, arg: scale }, scope, depth - 1),
      );
    }
    if (isSame(of, bool) && this.random.chance(0.6)) {
      const [fun, arg] = [this.types.ofKind({ kind: "arrow", param: star, result: star }, 0), this.types.any(1)];
      const held: Type = { kind: "app", fun, arg };
      return expr.apply(
        expr.applyTypes(expr.value(this.world.id("held")), fun, arg),
        this.expr(held, scope, depth - 1),
        this.expr(held, scope, depth - 1),
      );
    }
    return expr.apply(
      expr.applyTypes(expr.value(this.world.id("again")), of),
      this.edges.int64In(-1, 6),
      this.expr(fn(of, of), scope, depth - 1),
      this.expr(of, scope, depth - 1),
    );
  }

  /** A function of all types, used at one. */
  #polymorphic(of: Type, scope: Scope, depth: number): Expr {
    const name = `p${this.#names++}`,
      param = variable(name);
    const funType = forall({ name, kind: star }, fn(param, type.list(param), of)),
      bound = this.bind(funType),
      at = this.types.any(1);
    const body = expr.apply(
      expr.applyTypes(expr.variable(bound.name), at),
      this.expr(at, [...scope, bound], depth - 1),
      this.expr(type.list(at), [...scope, bound], depth - 1),
    );
    return expr.let([expr.bind(bound.name, funType, this.construct(funType, scope, depth - 1))], body);
  }
}

export const applied = (builtin: BuiltinName, ...types: readonly Type[]): Expr =>
  types.length === 0 ? expr.builtin(builtin) : expr.applyTypes(expr.builtin(builtin), ...types);

const starred = (name: string) => ({ name, kind: star });
/** Where the result alone says nothing of what is wanted. */
const isOpen = ({ application }: { readonly application: Application }): boolean =>
  application.result.kind === "var" || application.args.length < arity(application);
const arity = ({ args, result }: Application): number => args.length + parametersOf(result).length;

export function parametersOf(of: Type): readonly Type[] {
  const arrow = asFunction(of);
  return arrow === undefined ? [] : [arrow.param, ...parametersOf(arrow.result)];
}
export function resultOf(of: Type): Type {
  const arrow = asFunction(of);
  return arrow === undefined ? of : resultOf(arrow.result);
}

/** Variables that are not hidden by a later one of the same name. */
export const visible = (scope: Scope): Scope =>
  scope.filter(({ name }, index) => scope.findLastIndex((other) => other.name === name) === index);
