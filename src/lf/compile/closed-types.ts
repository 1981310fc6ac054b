/** Run-time types: synonyms expanded, no type variables, and one object per type so that identity decides most comparisons. */
import { type BuiltinType, type DefinitionId, showId, type Type } from "../ast.js";
import type { PackageInterface } from "../package-interface.js";

const serializableBuiltins: ReadonlySet<BuiltinType> = new Set([
  "UNIT",
  "BOOL",
  "INT64",
  "DATE",
  "TIMESTAMP",
  "NUMERIC",
  "PARTY",
  "TEXT",
  "CONTRACT_ID",
  "OPTIONAL",
  "LIST",
  "GENMAP",
  "TEXTMAP",
]);

type Substitution = ReadonlyMap<string, Type>;
const nothing: Substitution = new Map();

export class ClosedTypes {
  readonly #packages: PackageInterface;
  readonly #canonicalId: (id: DefinitionId) => DefinitionId;
  readonly #known = new Map<string, Type>();

  constructor(packages: PackageInterface, canonicalId: (id: DefinitionId) => DefinitionId) {
    this.#packages = packages;
    this.#canonicalId = canonicalId;
  }

  /** Undefined when the type has variables or quantifiers, or names an unknown synonym. */
  close(type: Type): Type | undefined {
    const closed = this.#expand(type, nothing);
    if (closed === undefined) return undefined;
    const key = show(closed);
    const known = this.#known.get(key);
    if (known === undefined) this.#known.set(key, closed);
    return known ?? closed;
  }

  /** Of a closed type: data types say it themselves, of builtin ones all but functions, updates and the untyped. */
  isSerializable(type: Type): boolean {
    switch (type.kind) {
      case "con":
        return this.#packages.dataType(type.id)?.serializable ?? false;
      case "builtin":
        return serializableBuiltins.has(type.builtin);
      case "app":
        return this.isSerializable(type.fun) && this.isSerializable(type.arg);
      case "nat":
        return true;
      case "var":
      case "forall":
      case "syn":
      case "struct":
        return false;
    }
  }

  /** Of a closed record type, in order; undefined for any other type. */
  fieldTypes(type: Type): readonly Type[] | undefined {
    const args: Type[] = [];
    let head = type;
    for (; head.kind === "app"; head = head.fun) args.unshift(head.arg);
    const definition = head.kind === "con" ? this.#packages.dataType(head.id) : undefined;
    if (definition === undefined || definition.cons.kind !== "record") return undefined;
    const substitution = new Map(definition.params.map((param, index) => [param.name, args[index]!]));
    return combine(
      definition.cons.fields.map((field) => this.#expand(field.type, substitution)),
      (types) => types,
    );
  }

  #expand(type: Type, substitution: Substitution): Type | undefined {
    switch (type.kind) {
      case "var":
        return substitution.get(type.name);
      case "con":
        return { kind: "con", id: this.#canonicalId(type.id) };
      case "builtin":
      case "nat":
        return type;
      case "app":
        return combine(
          [type.fun, type.arg].map((each) => this.#expand(each, substitution)),
          ([fun, arg]) => ({ kind: "app", fun: fun!, arg: arg! }),
        );
      case "struct":
        return combine(
          type.fields.map((field) => this.#expand(field.type, substitution)),
          (types) => ({
            kind: "struct",
            fields: type.fields.map((field, index) => ({ name: field.name, type: types[index]! })),
          }),
        );
      case "forall":
        return undefined;
      case "syn":
        return this.#expandSynonym(type, substitution);
    }
  }

  #expandSynonym(type: Extract<Type, { kind: "syn" }>, substitution: Substitution): Type | undefined {
    const synonym = this.#packages.synonym(type.id);
    if (synonym === undefined) return undefined;
    const args = combine(
      type.args.map((arg) => this.#expand(arg, substitution)),
      (closed) => closed,
    );
    return args && this.#expand(synonym.type, new Map(synonym.params.map((param, index) => [param.name, args[index]!])));
  }
}

const combine = <T>(parts: readonly (Type | undefined)[], make: (parts: readonly Type[]) => T): T | undefined =>
  parts.some((part) => part === undefined) ? undefined : make(parts as readonly Type[]);

const show = (type: Type): string => {
  switch (type.kind) {
    case "con":
      return showId(type.id);
    case "builtin":
      return type.builtin;
    case "nat":
      return String(type.value);
    case "app":
      return `(${show(type.fun)} ${show(type.arg)})`;
    case "struct":
      return `<${type.fields.map((field) => `${field.name}: ${show(field.type)}`).join(", ")}>`;
    case "var":
    case "forall":
    case "syn":
      return type.kind; // never in a closed type
  }
};
