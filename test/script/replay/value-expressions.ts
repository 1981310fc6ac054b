/** Values as expressions of a script. What no expression stands for, parties and contract ids, is asked of the caller. */
import { assert } from "../../../src/base/assert.js";
import type { DefinitionId, Expr, Type } from "../../../src/lf/ast.js";
import type { LedgerValue, PackageInterface } from "../../../src/lf/index.js";
import { expr, type as types } from "../../support/lf-builder.js";

export interface References {
  party(name: string): Expr;
  contract(contractId: string): Expr;
}

type Kind<K extends LedgerValue["kind"]> = Extract<LedgerValue, { readonly kind: K }>;

export class ValueExpressions {
  constructor(
    readonly packages: PackageInterface,
    readonly references: References,
  ) {}

  /** `value`: well typed and normalised, fields in the order declared. */
  of(type: Type, value: LedgerValue): Expr {
    const [head, ...args] = applied(type),
      [first, second] = args as [Type, Type];
    switch (value.kind) {
      case "unit":
        return expr.unit;
      case "bool":
        return expr.bool(value.value);
      case "int64":
        return expr.int64(value.value);
      case "numeric":
        return expr.numeric(value.unscaled, value.scale);
      case "date":
        return { kind: "lit", value: { kind: "date", value: value.days } };
      case "timestamp":
        return { kind: "lit", value: { kind: "timestamp", value: value.micros } };
      case "text":
        return expr.text(value.value);
      case "party":
        return this.references.party(value.value);
      case "contractId":
        return expr.apply(expr.applyTypes(expr.builtin("COERCE_CONTRACT_ID"), types.unit, first), this.references.contract(value.hex));
      case "optional":
        return value.value === undefined ? expr.none(first) : expr.some(first, this.of(first, value.value));
      case "list":
        return expr.list(first, ...value.elements.map((element) => this.of(first, element)));
      case "textMap":
        return value.entries.reduce(
          (map, [key, entry]) =>
            expr.apply(expr.applyTypes(expr.builtin("TEXTMAP_INSERT"), first), expr.text(key), this.of(first, entry), map),
          expr.applyTypes(expr.builtin("TEXTMAP_EMPTY"), first),
        );
      case "genMap":
        return value.entries.reduce(
          (map, [key, entry]) =>
            expr.apply(expr.applyTypes(expr.builtin("GENMAP_INSERT"), first, second), this.of(first, key), this.of(second, entry), map),
          expr.applyTypes(expr.builtin("GENMAP_EMPTY"), first, second),
        );
      case "enum":
        return expr.enum(idOf(head), value.constructor_);
      case "variant":
        return this.#variant(idOf(head), args, value);
      case "record":
        return this.#record(idOf(head), args, value);
    }
  }

  #record(id: DefinitionId, args: readonly Type[], { fields }: Kind<"record">): Expr {
    const declared = this.#fields(id, args);
    return expr.record(
      id,
      Object.fromEntries(declared.map(({ name, type }, index) => [name, this.of(type, fields[index]?.value ?? none)])),
      ...args,
    );
  }

  #variant(id: DefinitionId, args: readonly Type[], { constructor_, value }: Kind<"variant">): Expr {
    const declared = this.#fields(id, args).find(({ name }) => name === constructor_);
    assert(declared !== undefined, `constructor ${constructor_}`);
    return expr.variant(id, constructor_, this.of(declared.type, value), ...args);
  }

  /** Of a record, or the constructors of a variant. */
  #fields(id: DefinitionId, args: readonly Type[]): readonly { readonly name: string; readonly type: Type }[] {
    const definition = this.packages.dataType(id),
      cons = definition?.cons;
    assert(definition !== undefined && (cons?.kind === "record" || cons?.kind === "variant"), `data type ${id.name}`);
    const bound = new Map(definition.params.map(({ name }, index) => [name, args[index]!]));
    return (cons.kind === "record" ? cons.fields : cons.constructors).map(({ name, type }) => ({ name, type: substitute(type, bound) }));
  }
}

/** Fields at the end that are None may be left out of values. */
const none: LedgerValue = { kind: "optional", value: undefined };

const applied = (type: Type): readonly [Type, ...Type[]] => (type.kind === "app" ? [...applied(type.fun), type.arg] : [type]);

function idOf(type: Type): DefinitionId {
  assert(type.kind === "con", "records, variants and enums are of type constructors");
  return type.id;
}

function substitute(type: Type, bound: ReadonlyMap<string, Type>): Type {
  if (type.kind === "var") return bound.get(type.name)!;
  return type.kind === "app" ? { kind: "app", fun: substitute(type.fun, bound), arg: substitute(type.arg, bound) } : type;
}
