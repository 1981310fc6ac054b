/** Kinds and types. `type` accepts only references to the table; `concrete` is for the table itself. */
import { limits } from "../../config.js";
import type { DefinitionId, FieldWithType, Kind, LfVersion, Type, TypeConApp, TypeVarWithKind, VarWithType } from "../ast.js";
import { builtinTypeFeatures, builtinTypes } from "./builtin.js";
import { parsing, tooLarge } from "./failure.js";
import { ReferenceMemo } from "./reference-memo.js";
import { requireFeature, supports } from "./version.js";
import { readMessage, type Message, type Slice } from "./wire-reader.js";

const star: Kind = { kind: "star" };
const nat: Kind = { kind: "nat" };
const natMax = 37n;

export interface TypeSize {
  readonly depth: number;
  readonly nodes: number;
}
const leaf: TypeSize = { depth: 1, nodes: 1 };
type Compound = Extract<Type, { kind: "app" | "forall" | "struct" | "syn" }>;

/** What types refer to by number. */
interface Interned {
  readonly version: LfVersion;
  name(index: number): string;
  kind(index: number): Kind;
  type(index: number): Type;
  definitionId(slice: Slice<"TypeConId" | "TypeSynId" | "ValueId"> | undefined): DefinitionId;
}

export class TypeDecoder {
  readonly #tables: Interned;
  readonly #flat: boolean;
  readonly #sizes = new Map<Type, TypeSize>();
  readonly #kindDepths = new Map<Kind, number>();
  readonly #references = new ReferenceMemo<"Type", Type>((slice) => this.#reference(slice));

  constructor(tables: Interned) {
    this.#tables = tables;
    this.#flat = supports(tables.version, "Flat Archive");
  }

  kind(slice: Slice<"Kind"> | undefined): Kind {
    const message = slice === undefined ? undefined : readMessage("Kind", slice);
    switch (message?.case) {
      case "star":
        readMessage("Unit", message.value);
        return star;
      case "nat":
        readMessage("Unit", message.value);
        return nat;
      case "internedKind":
        return this.#tables.kind(message.value);
      case "arrow":
        return this.#arrow(readMessage("KindArrow", message.value));
      case undefined:
        throw parsing("a kind is missing");
    }
  }

  #arrow({ params, result }: Message<"KindArrow">): Kind {
    this.oneWhenFlat(params, "parameter of a kind");
    return params.map((param) => this.kind(param)).reduceRight<Kind>((rest, param) => this.#kindArrow(param, rest), this.kind(result));
  }

  #kindArrow(param: Kind, result: Kind): Kind {
    const depth = 1 + Math.max(this.#kindDepths.get(param) ?? 1, this.#kindDepths.get(result) ?? 1);
    if (depth > limits.lfTypeDepthMax) throw tooLarge(`a kind is deeper than ${limits.lfTypeDepthMax}`);
    const arrow: Kind = { kind: "arrow", param, result };
    this.#kindDepths.set(arrow, depth);
    return arrow;
  }

  /** For what is read after the table is complete. */
  type(slice: Slice<"Type"> | undefined): Type {
    if (slice === undefined) throw parsing("a type is missing");
    return this.#references.get(slice);
  }

  #reference(slice: Slice<"Type">): Type {
    const message = readMessage("Type", slice);
    if (message.case !== "internedType") throw parsing("a type stands outside the type table");
    return this.#tables.type(message.value);
  }

  concrete(slice: Slice<"Type"> | undefined): Type {
    if (slice === undefined) throw parsing("a type is missing");
    return this.concreteOf(readMessage("Type", slice));
  }

  concreteOf(message: Message<"Type">): Type {
    switch (message.case) {
      case "internedType":
        return this.#tables.type(message.value);
      case "var":
        return this.#var(readMessage("TypeVar", message.value));
      case "con":
        return this.#con(readMessage("TypeCon", message.value));
      case "builtin":
        return this.#builtin(readMessage("TypeBuiltin", message.value));
      case "forall":
        return this.#forall(readMessage("TypeForall", message.value));
      case "struct":
        return this.#struct(readMessage("TypeStruct", message.value));
      case "nat":
        return natType(message.value);
      case "syn":
        return this.#synonym(readMessage("TypeSyn", message.value));
      case "tapp":
        return this.#application(readMessage("TypeApp", message.value));
      case undefined:
        throw parsing("a type is missing");
    }
  }

  /** Of an entry of the table: the nodes of a type as if nothing were shared. */
  measure(entry: Type): TypeSize {
    const size = this.#sizeOf(entry);
    if (size !== leaf) this.#sizes.set(entry, size);
    return size;
  }

  #sizeOf(type: Type): TypeSize {
    switch (type.kind) {
      case "var":
      case "con":
      case "builtin":
      case "nat":
        return leaf;
      default:
        return this.#sizes.get(type) ?? this.#compoundSize(type);
    }
  }

  #compoundSize(type: Compound): TypeSize {
    switch (type.kind) {
      case "app":
        return above(above({ depth: 1, nodes: 1 }, this.#sizeOf(type.fun)), this.#sizeOf(type.arg));
      case "forall":
        return above({ depth: 1, nodes: 1 }, this.#sizeOf(type.body));
      case "struct":
        return type.fields.reduce<TypeSize>((size, field) => above(size, this.#sizeOf(field.type)), { depth: 1, nodes: 1 });
      case "syn":
        return type.args.reduce<TypeSize>((size, arg) => above(size, this.#sizeOf(arg)), { depth: 1, nodes: 1 });
    }
  }

  typeVar(slice: Slice<"TypeVarWithKind">): TypeVarWithKind {
    const { varInternedStr, kind } = readMessage("TypeVarWithKind", slice);
    return { name: this.#tables.name(varInternedStr), kind: this.kind(kind) };
  }

  binder(slice: Slice<"VarWithType"> | undefined): VarWithType {
    if (slice === undefined) throw parsing("a binder is missing");
    const { varInternedStr, type } = readMessage("VarWithType", slice);
    return { name: this.#tables.name(varInternedStr), type: this.type(type) };
  }

  fields(slices: readonly Slice<"FieldWithType">[]): FieldWithType[] {
    return slices.map((slice) => {
      const { fieldInternedStr, type } = readMessage("FieldWithType", slice);
      return { name: this.#tables.name(fieldInternedStr), type: this.type(type) };
    });
  }

  /** The type constructor written at record and variant expressions keeps its argument list in every version. */
  typeConApp(slice: Slice<"TypeCon"> | undefined): TypeConApp {
    if (slice === undefined) throw parsing("a type constructor is missing");
    const { tycon, args } = readMessage("TypeCon", slice);
    return { id: this.#tables.definitionId(tycon), args: args.map((arg) => this.type(arg)) };
  }

  oneWhenFlat(list: readonly unknown[], what: string): void {
    if (list.length === 0) throw parsing(`there is no ${what}`);
    if (this.#flat && list.length !== 1)
      throw parsing(`Daml-LF ${this.#tables.version} writes exactly one ${what}, but there are ${list.length}`);
  }

  #apply(fun: Type, args: readonly Slice<"Type">[]): Type {
    if (this.#flat && args.length > 0)
      throw parsing(`Daml-LF ${this.#tables.version} writes type applications one by one, but there is a list of ${args.length} arguments`);
    return args.reduce<Type>((applied, arg) => ({ kind: "app", fun: applied, arg: this.concrete(arg) }), fun);
  }

  #var({ varInternedStr, args }: Message<"TypeVar">): Type {
    return this.#apply({ kind: "var", name: this.#tables.name(varInternedStr) }, args);
  }

  #con({ tycon, args }: Message<"TypeCon">): Type {
    return this.#apply({ kind: "con", id: this.#tables.definitionId(tycon) }, args);
  }

  #builtin({ builtin: number, args }: Message<"TypeBuiltin">): Type {
    const builtin = builtinTypes.get(number);
    if (builtin === undefined) throw parsing(`there is no builtin type with number ${number}`);
    const feature = builtinTypeFeatures.get(builtin);
    if (feature !== undefined) requireFeature(this.#tables.version, feature);
    return this.#apply({ kind: "builtin", builtin }, args);
  }

  #forall({ vars, body }: Message<"TypeForall">): Type {
    this.oneWhenFlat(vars, "variable of a forall");
    return vars
      .map((slice) => this.typeVar(slice))
      .reduceRight<Type>((inner, binder) => ({ kind: "forall", binder, body: inner }), this.concrete(body));
  }

  #struct({ fields: slices }: Message<"TypeStruct">): Type {
    if (slices.length === 0) throw parsing("a struct type has no field");
    const fields = slices.map((slice) => {
      const { fieldInternedStr, type } = readMessage("FieldWithType", slice);
      return { name: this.#tables.name(fieldInternedStr), type: this.concrete(type) };
    });
    fields.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
    for (const [index, { name }] of fields.entries())
      if (fields[index - 1]?.name === name) throw parsing(`a struct type has two fields ${name}`);
    return { kind: "struct", fields };
  }

  #synonym({ tysyn, args }: Message<"TypeSyn">): Type {
    return { kind: "syn", id: this.#tables.definitionId(tysyn), args: args.map((arg) => this.concrete(arg)) };
  }

  #application({ lhs, rhs }: Message<"TypeApp">): Type {
    if (!this.#flat) throw parsing(`Daml-LF ${this.#tables.version} has no binary type application`);
    return { kind: "app", fun: this.concrete(lhs), arg: this.concrete(rhs) };
  }
}

function natType(value: bigint): Type {
  if (value < 0n || value > natMax) throw parsing(`a type-level number is between 0 and ${natMax}, not ${value}`);
  return { kind: "nat", value: Number(value) };
}

/** A part below what was measured so far. */
const above = ({ depth, nodes }: TypeSize, part: TypeSize): TypeSize => ({
  depth: Math.max(depth, part.depth + 1),
  nodes: nodes + part.nodes,
});
