/**
 * Serialisable types, resolved: synonyms expanded, type applications carried out, definitions looked up at first use so
 * that recursive types are finite. Every conversion of values (wire, JSON, hash) is driven by one of these.
 */
import { assert } from "../../base/assert.js";
import { FatalError } from "../errors.js";
import { type BuiltinType, type DataCons, type DefinitionId, showId, type Type, type TypeVarWithKind } from "../ast.js";
import type { PackageInterface } from "../package-interface.js";

export type ScalarKind = "unit" | "bool" | "int64" | "date" | "timestamp" | "party" | "text";

export type ValueType =
  | { readonly kind: ScalarKind }
  | { readonly kind: "contractId" }
  | { readonly kind: "numeric"; readonly scale: number }
  /** `nested`: the element is written as an Optional (not a type variable that stands for one); JSON then uses arrays. */
  | { readonly kind: "optional"; readonly element: ValueType; readonly nested: boolean }
  | { readonly kind: "list"; readonly element: ValueType }
  | { readonly kind: "textMap"; readonly value: ValueType }
  | { readonly kind: "genMap"; readonly key: ValueType; readonly value: ValueType }
  | RecordType
  | VariantType
  | EnumType;

export interface TypedField {
  readonly name: string;
  readonly type: ValueType;
}

/** Fields in declaration order; resolved at first use. */
export class RecordType {
  readonly kind = "record";
  #fields: readonly TypedField[] | undefined;
  #indexes: ReadonlyMap<string, number> | undefined;
  constructor(
    readonly id: DefinitionId,
    readonly args: readonly ValueType[],
    readonly resolve: () => readonly TypedField[],
  ) {}

  get fields(): readonly TypedField[] {
    return (this.#fields ??= this.resolve());
  }
  /** The position of a field, or undefined. */
  indexOf(name: string): number | undefined {
    return (this.#indexes ??= indexByName(this.fields)).get(name);
  }
}

/** Constructors in declaration order: the index is the rank. */
export class VariantType {
  readonly kind = "variant";
  #constructors: readonly TypedField[] | undefined;
  #indexes: ReadonlyMap<string, number> | undefined;
  constructor(
    readonly id: DefinitionId,
    readonly args: readonly ValueType[],
    readonly resolve: () => readonly TypedField[],
  ) {}

  get constructors(): readonly TypedField[] {
    return (this.#constructors ??= this.resolve());
  }
  rankOf(name: string): number | undefined {
    return (this.#indexes ??= indexByName(this.constructors)).get(name);
  }
}

export class EnumType {
  readonly kind = "enum";
  readonly #ranks: ReadonlyMap<string, number>;
  constructor(
    readonly id: DefinitionId,
    readonly constructors: readonly string[],
  ) {
    this.#ranks = new Map(constructors.map((name, rank) => [name, rank]));
  }
  rankOf(name: string): number | undefined {
    return this.#ranks.get(name);
  }
}

const indexByName = (fields: readonly TypedField[]): ReadonlyMap<string, number> =>
  new Map(fields.map((field, index) => [field.name, index]));

const scalars: { readonly [K in ScalarKind]: ValueType } = {
  unit: { kind: "unit" },
  bool: { kind: "bool" },
  int64: { kind: "int64" },
  date: { kind: "date" },
  timestamp: { kind: "timestamp" },
  party: { kind: "party" },
  text: { kind: "text" },
};
const contractId: ValueType = { kind: "contractId" };
const numerics: readonly ValueType[] = Array.from({ length: 38 }, (_, scale) => ({ kind: "numeric", scale }));

const scalarOfBuiltin: { readonly [K in BuiltinType]?: ScalarKind } = {
  UNIT: "unit",
  BOOL: "bool",
  INT64: "int64",
  DATE: "date",
  TIMESTAMP: "timestamp",
  PARTY: "party",
  TEXT: "text",
};

/** Resolved types of one set of packages; equal types are the same object, so callers may key caches by it. */
export class ValueTypes {
  readonly #packages: PackageInterface;
  readonly #ofType = new WeakMap<Type, ValueType>();
  /** Without parameters; ids of compiled code are one object each. */
  readonly #ofId = new WeakMap<DefinitionId, ValueType>();
  readonly #interned = new Map<string, ValueType>();
  /** Numbers of types, by which interned ones are told apart: their full names can grow without bound. */
  readonly #numbers = new Map<ValueType, number>();

  constructor(packages: PackageInterface) {
    this.#packages = packages;
  }

  /** The resolved form of a closed serialisable type. Throws `FatalError` when it is not one, or names something unknown. */
  of(type: Type): ValueType {
    const known = this.#ofType.get(type);
    if (known !== undefined) return known;
    const resolved = this.#resolve(type, noBindings);
    this.#ofType.set(type, resolved);
    return resolved;
  }

  /** The type of a template's payload, an exception or any other data type without parameters. */
  ofData(id: DefinitionId): ValueType {
    const known = this.#ofId.get(id);
    if (known !== undefined) return known;
    const resolved = this.#data(id, []);
    this.#ofId.set(id, resolved);
    return resolved;
  }

  #resolve(type: Type, bindings: Bindings): ValueType {
    const args: Type[] = [];
    let head = type;
    while (head.kind === "app") {
      args.push(head.arg);
      head = head.fun;
    }
    args.reverse();
    switch (head.kind) {
      case "builtin":
        return this.#builtin(head.builtin, args, bindings);
      case "con":
        return this.#data(
          head.id,
          args.map((arg) => this.#resolve(arg, bindings)),
        );
      case "syn":
        return this.#synonym(head, args, bindings);
      case "var":
        return this.#variable(head.name, args, bindings);
      default:
        throw unserializable(type);
    }
  }

  #variable(name: string, args: readonly Type[], bindings: Bindings): ValueType {
    const bound = bindings.get(name);
    if (bound === undefined || args.length > 0) throw unserializable({ kind: "var", name });
    return bound;
  }

  /** Synonyms never occur in serialisable definitions; they do in signatures that callers hand in. */
  #synonym(synonym: Extract<Type, { kind: "syn" }>, args: readonly Type[], bindings: Bindings): ValueType {
    const definition = this.#packages.synonym(synonym.id);
    if (definition === undefined) throw missing(synonym.id);
    const body = substitute(definition.type, new Map(definition.params.map((param, i) => [param.name, argumentAt(synonym.args, i)])));
    return this.#resolve(
      args.reduce<Type>((fun, arg) => ({ kind: "app", fun, arg }), body),
      bindings,
    );
  }

  #builtin(builtin: BuiltinType, args: readonly Type[], bindings: Bindings): ValueType {
    const scalar = scalarOfBuiltin[builtin];
    if (scalar !== undefined && args.length === 0) return scalars[scalar];
    const [first, second] = args;
    switch (builtin) {
      case "CONTRACT_ID":
        if (args.length === 1) return contractId;
        break;
      case "NUMERIC":
        if (first?.kind === "nat" && args.length === 1) return numerics[first.value] ?? fail(first);
        break;
      case "OPTIONAL":
        if (first !== undefined && args.length === 1) return this.#optional(this.#resolve(first, bindings), isOptional(first));
        break;
      case "LIST":
        if (first !== undefined && args.length === 1) return this.#list(this.#resolve(first, bindings));
        break;
      case "TEXTMAP":
        if (first !== undefined && args.length === 1) return this.#textMap(this.#resolve(first, bindings));
        break;
      case "GENMAP":
        if (first !== undefined && second !== undefined && args.length === 2)
          return this.#genMap(this.#resolve(first, bindings), this.#resolve(second, bindings));
        break;
    }
    return fail({ kind: "builtin", builtin });
  }

  #optional(element: ValueType, nested: boolean): ValueType {
    return this.#intern(`${nested ? "nested" : "optional"}(${this.#number(element)})`, () => ({ kind: "optional", element, nested }));
  }
  #list(element: ValueType): ValueType {
    return this.#intern(`list(${this.#number(element)})`, () => ({ kind: "list", element }));
  }
  #textMap(value: ValueType): ValueType {
    return this.#intern(`textMap(${this.#number(value)})`, () => ({ kind: "textMap", value }));
  }
  #genMap(key: ValueType, value: ValueType): ValueType {
    return this.#intern(`genMap(${this.#number(key)},${this.#number(value)})`, () => ({ kind: "genMap", key, value }));
  }

  #data(id: DefinitionId, args: readonly ValueType[]): ValueType {
    return this.#intern(`${showId(id)}(${args.map((arg) => this.#number(arg)).join(",")})`, () => {
      const definition = this.#packages.dataType(id);
      if (definition === undefined) throw missing(id);
      if (!definition.serializable || definition.params.length !== args.length) throw unserializable({ kind: "con", id });
      return this.#dataOf(id, args, definition.cons, bind(definition.params, args));
    });
  }

  #dataOf(id: DefinitionId, args: readonly ValueType[], cons: DataCons, bindings: Bindings): ValueType {
    const resolveFields = (fields: readonly { readonly name: string; readonly type: Type }[]) => () =>
      fields.map(({ name, type }) => ({ name, type: this.#resolve(type, bindings) }));
    switch (cons.kind) {
      case "record":
        return new RecordType(id, args, resolveFields(cons.fields));
      case "variant":
        return new VariantType(id, args, resolveFields(cons.constructors));
      case "enum":
        return new EnumType(id, cons.constructors);
      case "interface":
        throw unserializable({ kind: "con", id });
    }
  }

  #intern(name: string, make: () => ValueType): ValueType {
    const known = this.#interned.get(name);
    if (known !== undefined) return known;
    const made = make();
    this.#interned.set(name, made);
    return made;
  }

  #number(type: ValueType): number {
    const known = this.#numbers.get(type);
    if (known !== undefined) return known;
    this.#numbers.set(type, this.#numbers.size);
    return this.#numbers.size - 1;
  }
}

type Bindings = ReadonlyMap<string, ValueType>;
const noBindings: Bindings = new Map();

const bind = (params: readonly TypeVarWithKind[], args: readonly ValueType[]): Bindings =>
  new Map(params.map((param, i) => [param.name, argumentAt(args, i)]));

function argumentAt<T>(args: readonly T[], index: number): T {
  const arg = args[index];
  assert(arg !== undefined, "type arguments were counted by the caller");
  return arg;
}

const isOptional = (type: Type): boolean => type.kind === "app" && type.fun.kind === "builtin" && type.fun.builtin === "OPTIONAL";

function substitute(type: Type, bindings: ReadonlyMap<string, Type>): Type {
  switch (type.kind) {
    case "var":
      return bindings.get(type.name) ?? type;
    case "app":
      return { kind: "app", fun: substitute(type.fun, bindings), arg: substitute(type.arg, bindings) };
    case "syn":
      return { kind: "syn", id: type.id, args: type.args.map((arg) => substitute(arg, bindings)) };
    default:
      return type; // struct and forall are not serialisable whatever they hold
  }
}

function fail(type: Type): never {
  throw unserializable(type);
}

const unserializable = (type: Type): FatalError =>
  new FatalError({
    phase: "preprocessing",
    class: "UnserializableType",
    message: `type ${showHead(type)} is not serialisable`,
  });

const missing = (id: DefinitionId): FatalError =>
  new FatalError({
    phase: "lookup",
    class: "MissingDefinition",
    message: `unknown data type ${showId(id)}`,
    reference: showId(id),
  });

function showHead(type: Type): string {
  switch (type.kind) {
    case "con":
    case "syn":
      return showId(type.id);
    case "builtin":
      return type.builtin;
    case "var":
      return type.name;
    default:
      return type.kind;
  }
}
