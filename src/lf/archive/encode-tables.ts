/** The tables of a package while it is being encoded. Entries get their number when they are first met, parts before wholes. */
import type { DefinitionId, DottedName, Kind, PackageId, Type, TypeVarWithKind, VarWithType } from "../ast.js";
import { unreachable } from "../../base/assert.js";
import { builtinTypes } from "./builtin.js";
import type { MessageInput } from "./wire-writer.js";

const builtinTypeNumbers = new Map([...builtinTypes].map(([number, name]) => [name, number]));

class Interned<T> {
  readonly #indices = new Map<string, number>();
  readonly entries: T[] = [];
  index(key: string, entry: () => T): number {
    const known = this.#indices.get(key);
    if (known !== undefined) return known;
    const made = entry();
    this.#indices.set(key, this.entries.length);
    return this.entries.push(made) - 1;
  }
}

export class TableEncoder {
  readonly #self: PackageId;
  readonly #strings = new Interned<string>();
  readonly #dottedNames = new Interned<MessageInput<"InternedDottedName">>();
  readonly #types = new Interned<MessageInput<"Type">>();
  /** Types often share their parts; a part met again need not be walked again. */
  readonly #typeIndices = new Map<Type, number>();

  /** `appliesOneByOne`: a type application has one argument, and what binds names binds one, as in the flat archives of LF 2.2 and later. */
  constructor(
    self: PackageId,
    readonly appliesOneByOne: boolean,
  ) {
    this.#self = self;
  }

  get tables(): Pick<MessageInput<"Package">, "internedStrings" | "internedDottedNames" | "internedTypes"> {
    return { internedStrings: this.#strings.entries, internedDottedNames: this.#dottedNames.entries, internedTypes: this.#types.entries };
  }

  string(text: string): number {
    return this.#strings.index(text, () => text);
  }

  dottedName(name: DottedName): number {
    return this.#dottedNames.index(name, () => ({ segmentsInternedStr: name.split(".").map((segment) => this.string(segment)) }));
  }

  definitionId(id: DefinitionId): MessageInput<"TypeConId"> {
    const packageId = id.packageId === this.#self ? { selfPackageId: {} } : { importedPackageIdInternedStr: this.string(id.packageId) };
    return { module: { packageId, moduleNameInternedDname: this.dottedName(id.module) }, nameInternedDname: this.dottedName(id.name) };
  }

  kind(kind: Kind): MessageInput<"Kind"> {
    if (kind.kind === "star") return { star: {} };
    if (kind.kind === "nat") return { nat: {} };
    const params: MessageInput<"Kind">[] = [];
    let result: Kind = kind;
    for (; result.kind === "arrow" && !(this.appliesOneByOne && params.length === 1); result = result.result)
      params.push(this.kind(result.param));
    return { arrow: { params, result: this.kind(result) } };
  }

  typeVar({ name, kind }: TypeVarWithKind): MessageInput<"TypeVarWithKind"> {
    return { varInternedStr: this.string(name), kind: this.kind(kind) };
  }

  binder({ name, type }: VarWithType): MessageInput<"VarWithType"> {
    return { varInternedStr: this.string(name), type: this.type(type) };
  }

  /** A reference to the type table, the only form of a type outside it. */
  type(type: Type): MessageInput<"Type"> {
    let index = this.#typeIndices.get(type);
    if (index === undefined) {
      const concrete = this.#concrete(type);
      index = this.#types.index(typeKey(concrete), () => concrete);
      this.#typeIndices.set(type, index);
    }
    return { internedType: index };
  }

  #concrete(type: Type): MessageInput<"Type"> {
    if (type.kind === "app" && this.appliesOneByOne) return { tapp: { lhs: this.type(type.fun), rhs: this.type(type.arg) } };
    const args: Type[] = [];
    let head = type;
    for (; head.kind === "app"; head = head.fun) args.unshift(head.arg);
    switch (head.kind) {
      case "var":
        return { var: { varInternedStr: this.string(head.name), args: this.#typeList(args) } };
      case "con":
        return { con: { tycon: this.definitionId(head.id), args: this.#typeList(args) } };
      case "builtin":
        return { builtin: { builtin: builtinTypeNumbers.get(head.builtin)!, args: this.#typeList(args) } };
      default:
        return this.#unapplied(head);
    }
  }

  #typeList(types: readonly Type[]): MessageInput<"Type">[] {
    return types.map((type) => this.type(type));
  }

  #unapplied(type: Exclude<Type, { kind: "var" | "con" | "builtin" | "app" }>): MessageInput<"Type"> {
    switch (type.kind) {
      case "nat":
        return { nat: BigInt(type.value) };
      case "syn":
        return { syn: { tysyn: this.definitionId(type.id), args: this.#typeList(type.args) } };
      case "struct":
        return {
          struct: { fields: type.fields.map((field) => ({ fieldInternedStr: this.string(field.name), type: this.type(field.type) })) },
        };
      case "forall":
        return { forall: this.#forall(type) };
      default:
        return unreachable(type);
    }
  }

  #forall(type: Type): MessageInput<"TypeForall"> {
    const vars: MessageInput<"TypeVarWithKind">[] = [];
    let body = type;
    for (; body.kind === "forall" && !(this.appliesOneByOne && vars.length === 1); body = body.body) vars.push(this.typeVar(body.binder));
    return { vars, body: this.type(body) };
  }
}

/** Parts are references to the table already, so this is short. */
const typeKey = (type: MessageInput<"Type">): string =>
  JSON.stringify(type, (_key, value: unknown) => (typeof value === "bigint" ? String(value) : value));
