/** Kinds and types. `type` accepts only references to the table; `concrete` is for the table itself. */
import { limits } from "../../config.js";
import type { DefinitionId, FieldWithType, Kind, LfVersion, Type, TypeConApp, TypeVarWithKind, VarWithType } from "../ast.js";
import { numericScaleMax } from "../value/index.js";
import { builtinTypeFeatures, builtinTypes } from "./builtin.js";
import { parsing, tooLarge } from "./failure.js";
import { requireFeature, supports } from "./version.js";
import { onlyNumber, readMessage, tagOf, type Message, type Slice } from "./wire-reader.js";

const star: Kind = { kind: "star" };
const nat: Kind = { kind: "nat" };
const internedTypeTag = tagOf("Type", "internedType");

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
  readonly #kindDepths = new Map<Kind, number>();
  /** Of the type that was decoded last, and of the entries of the table: the nodes as if nothing were shared. */
  #depth = 1;
  #nodes = 1;
  readonly #depths: number[] = [];
  readonly #nodesOf: number[] = [];

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
    const index = onlyNumber(slice, internedTypeTag);
    return index === undefined ? this.#reference(slice) : this.#tables.type(index);
  }

  #reference(slice: Slice<"Type">): Type {
    const message = readMessage("Type", slice);
    if (message.case !== "internedType") throw parsing("a type stands outside the type table");
    return this.#tables.type(message.value);
  }

  concrete(slice: Slice<"Type"> | undefined): Type {
    if (slice === undefined) throw parsing("a type is missing");
    const index = onlyNumber(slice, internedTypeTag);
    return index === undefined ? this.#concreteOf(readMessage("Type", slice)) : this.#interned(index);
  }

  #interned(index: number): Type {
    const type = this.#tables.type(index);
    this.#depth = this.#depths[index] ?? 1;
    this.#nodes = this.#nodesOf[index] ?? 1;
    return type;
  }

  /** Of an entry of the table. Sharing makes exponential types cheap to write; whoever walks them must be able to afford it. */
  entry(index: number, message: Message<"Type">): Type {
    const type = this.#concreteOf(message);
    if (this.#depth > limits.lfTypeDepthMax) throw tooLarge(`a type is deeper than ${limits.lfTypeDepthMax}`);
    if (this.#nodes > limits.lfTypeNodesMax) throw tooLarge(`a type has more than ${limits.lfTypeNodesMax} nodes when expanded`);
    this.#depths[index] = this.#depth;
    this.#nodesOf[index] = this.#nodes;
    return type;
  }

  #sized(type: Type, depth: number, nodes: number): Type {
    this.#depth = depth;
    this.#nodes = nodes;
    return type;
  }

  #concreteOf(message: Message<"Type">): Type {
    switch (message.case) {
      case "internedType":
        return this.#interned(message.value);
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
        return this.#sized(natType(message.value), 1, 1);
      case "syn":
        return this.#synonym(readMessage("TypeSyn", message.value));
      case "tapp":
        return this.#application(readMessage("TypeApp", message.value));
      case undefined:
        throw parsing("a type is missing");
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
    let type = fun,
      depth = 1,
      nodes = 1;
    for (const slice of args) {
      type = { kind: "app", fun: type, arg: this.concrete(slice) };
      depth = Math.max(depth, this.#depth) + 1;
      nodes += this.#nodes + 1;
    }
    return this.#sized(type, depth, nodes);
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
    const binders = vars.map((slice) => this.typeVar(slice));
    const type = binders.reduceRight<Type>((inner, binder) => ({ kind: "forall", binder, body: inner }), this.concrete(body));
    return this.#sized(type, this.#depth + binders.length, this.#nodes + binders.length);
  }

  #struct({ fields: slices }: Message<"TypeStruct">): Type {
    if (slices.length === 0) throw parsing("a struct type has no field");
    let depth = 1,
      nodes = 1;
    const fields = slices.map((slice) => {
      const { fieldInternedStr, type } = readMessage("FieldWithType", slice);
      const field = { name: this.#tables.name(fieldInternedStr), type: this.concrete(type) };
      depth = Math.max(depth, this.#depth + 1);
      nodes += this.#nodes;
      return field;
    });
    fields.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
    for (const [index, { name }] of fields.entries())
      if (fields[index - 1]?.name === name) throw parsing(`a struct type has two fields ${name}`);
    return this.#sized({ kind: "struct", fields }, depth, nodes);
  }

  #synonym({ tysyn, args }: Message<"TypeSyn">): Type {
    const id = this.#tables.definitionId(tysyn);
    let depth = 1,
      nodes = 1;
    const types = args.map((slice) => {
      const arg = this.concrete(slice);
      depth = Math.max(depth, this.#depth + 1);
      nodes += this.#nodes;
      return arg;
    });
    return this.#sized({ kind: "syn", id, args: types }, depth, nodes);
  }

  #application({ lhs, rhs }: Message<"TypeApp">): Type {
    if (!this.#flat) throw parsing(`Daml-LF ${this.#tables.version} has no binary type application`);
    const fun = this.concrete(lhs),
      depth = this.#depth,
      nodes = this.#nodes;
    const arg = this.concrete(rhs);
    return this.#sized({ kind: "app", fun, arg }, Math.max(depth, this.#depth) + 1, nodes + this.#nodes + 1);
  }
}

function natType(value: bigint): Type {
  if (value < 0n || value > numericScaleMax) throw parsing(`a type-level number is between 0 and ${numericScaleMax}, not ${value}`);
  return { kind: "nat", value: Number(value) };
}
