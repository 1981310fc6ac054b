/** Has a run-time value the shape that its type promises? Written from the table in `lf/value/value.ts`, independently of the compiler. */
import type { BuiltinType, DefDataType, DefinitionId, Type } from "../../../src/lf/ast.js";
import type { PackageInterface } from "../../../src/lf/package-interface.js";
import { Budget } from "../../../src/lf/validation/budget.js";
import { substitute } from "../../../src/lf/validation/substitution.js";
import { TypeMemo } from "../../../src/lf/validation/type-memo.js";
import { int64Of } from "../../../src/lf/value/int64.js";
import {
  AnyValue,
  Cons,
  ContractId,
  EnumValue,
  InterfaceValue,
  type LfMap,
  Nil,
  None,
  Numeric,
  Some,
  StructValue,
  TypeRep,
  Unit,
  type Value,
  Variant,
} from "../../../src/lf/value/value.js";

/** Elements of lists and maps that are looked at; the rest is made by the same code. */
const elementsSeenMax = 100;
const depthMax = 200;

export class Shapes {
  constructor(private readonly packages: PackageInterface) {}

  /** What is wrong, or undefined. */
  problem(type: Type, value: Value | undefined, depth = 0): string | undefined {
    if (value === undefined) return "undefined";
    if (depth > depthMax) return undefined;
    const { head, args } = spine(type);
    const inner = (one: Type, each: Value | undefined): string | undefined => this.problem(one, each, depth + 1);
    switch (head.kind) {
      case "builtin":
        return this.#builtin(head.builtin, args, value, inner);
      case "con":
        return this.#data(head.id, args, value, inner);
      case "struct": {
        if (!(value instanceof StructValue)) return `no struct: ${show(value)}`;
        return first(head.fields.map((field) => inner(field.type, value.field(field.name))));
      }
      case "forall":
        return undefined; // a type abstraction may be erased, or wait for its first argument
      case "syn": {
        const { params, type: body } = this.packages.synonym(head.id)!;
        return inner(instantiate(params, head.args, body), value);
      }
      default:
        return undefined;
    }
  }

  #builtin(
    builtin: BuiltinType,
    args: readonly Type[],
    value: Value,
    inner: (type: Type, value: Value | undefined) => string | undefined,
  ): string | undefined {
    const [one, two] = args;
    const expect = (fits: boolean): string | undefined => (fits ? undefined : `no ${builtin}: ${show(value)}`);
    switch (builtin) {
      case "UNIT":
        return expect(value instanceof Unit);
      case "BOOL":
        return expect(typeof value === "boolean");
      case "INT64":
        return expect(
          typeof value === "number"
            ? Number.isSafeInteger(value) && !Object.is(value, -0)
            : typeof value === "bigint" && BigInt.asIntN(64, value) === value && int64Of(value) === value,
        );
      case "TIMESTAMP":
        return expect(typeof value === "bigint" && BigInt.asIntN(64, value) === value);
      case "FAILURE_CATEGORY":
        return expect(typeof value === "bigint");
      case "DATE":
        return expect(Number.isInteger(value));
      case "TEXT":
      case "PARTY":
        return expect(typeof value === "string");
      case "NUMERIC":
        return expect(value instanceof Numeric && one?.kind === "nat" && value.scale === one.value);
      case "CONTRACT_ID":
        return expect(value instanceof ContractId);
      case "ANY":
      case "ANY_EXCEPTION":
        return expect(value instanceof AnyValue);
      case "TYPE_REP":
        return expect(value instanceof TypeRep);
      case "ARROW":
      case "UPDATE":
        return expect(typeof value === "function");
      case "OPTIONAL":
        return value instanceof Some ? inner(one!, value.value) : expect(value instanceof None);
      case "LIST":
        return this.#list(one!, value, inner);
      case "TEXTMAP":
        return firstEntry(value, (key, each) => (typeof key === "string" ? inner(one!, each) : "a key is no text"));
      case "GENMAP":
        return firstEntry(value, (key, each) => inner(one!, key) ?? inner(two!, each));
      case "BIGNUMERIC":
      case "ROUNDING_MODE":
        return undefined; // 2.dev
    }
  }

  #list(element: Type, value: Value, inner: (type: Type, value: Value | undefined) => string | undefined): string | undefined {
    let rest = value;
    for (let seen = 0; rest instanceof Cons && seen < elementsSeenMax; seen++) {
      const problem = inner(element, rest.head);
      if (problem !== undefined) return problem;
      rest = rest.tail;
    }
    return rest instanceof Cons || rest instanceof Nil ? undefined : `no list: ${show(rest)}`;
  }

  #data(
    id: DefinitionId,
    args: readonly Type[],
    value: Value,
    inner: (type: Type, value: Value | undefined) => string | undefined,
  ): string | undefined {
    const { params, cons } = this.packages.dataType(id)!;
    const actual = (type: Type): Type => instantiate(params, args, type);
    switch (cons.kind) {
      case "interface":
        return value instanceof InterfaceValue ? undefined : `no interface value: ${show(value)}`;
      case "enum":
        return value instanceof EnumValue && cons.constructors[value.rank] === value.constructor_
          ? undefined
          : `no ${id.name}: ${show(value)}`;
      case "record":
        if (!Array.isArray(value) || value.length !== cons.fields.length) return `no record ${id.name}: ${show(value)}`;
        return first(cons.fields.map((field, index) => inner(actual(field.type), (value as readonly Value[])[index])));
      case "variant":
        if (!(value instanceof Variant) || cons.constructors[value.rank]?.name !== value.constructor_)
          return `no ${id.name}: ${show(value)}`;
        return inner(actual(cons.constructors[value.rank]!.type), value.value);
    }
  }
}

const show = (value: unknown): string =>
  `${typeof value} ${(value as { constructor?: { name?: string } } | null)?.constructor?.name ?? ""}`;
const first = (problems: readonly (string | undefined)[]): string | undefined => problems.find((problem) => problem !== undefined);

function firstEntry(value: Value, check: (key: Value, value: Value) => string | undefined): string | undefined {
  if (typeof (value as Partial<LfMap>).entries !== "function" || Array.isArray(value)) return `no map: ${show(value)}`;
  let seen = 0;
  for (const [key, each] of (value as LfMap).entries()) {
    if (seen++ >= elementsSeenMax) return undefined;
    const problem = check(key, each);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

export function spine(type: Type): { readonly head: Type; readonly args: readonly Type[] } {
  const args: Type[] = [];
  let head = type;
  for (; head.kind === "app"; head = head.fun) args.unshift(head.arg);
  return { head, args };
}

export const instantiate = (params: DefDataType["params"], args: readonly Type[], type: Type): Type =>
  substitute(new Map(params.map((param, index) => [param.name, args[index]!])), type, new TypeMemo(new Budget()));
