/** Which types are well-formed, and what they are once their synonyms are written out. */
import type { DefinitionId, DefTypeSyn, FieldWithType, Kind, Type, TypeConApp, TypeVarWithKind } from "../ast.js";
import { isWellFormedKind, kindOfBuiltin, kindOfDataType, sameKind } from "./kinds.js";
import { refused } from "./refusal.js";
import type { Scope } from "./scope.js";
import { showKind, showName, showType } from "./show.js";
import { substitute } from "./substitution.js";
import { alphaEquivalent } from "./type-equality.js";
import { nat, star } from "../type-forms.js";
import type { TypeMemo } from "./type-memo.js";

export class Types {
  readonly #scope: Scope;
  readonly #memo: TypeMemo;

  constructor(scope: Scope) {
    this.#scope = scope;
    this.#memo = scope.memo;
  }

  /** A type as written, brought to the names of its place. */
  checked(written: Type, kind: Kind = star): Type {
    const type = this.#scope.resolve(written);
    this.check(type, kind);
    return type;
  }

  check(type: Type, kind: Kind = star): void {
    const found = this.kindOf(type);
    if (!sameKind(found, kind))
      this.#scope.refuse("KindMismatch", `the type ${showType(type)} has kind ${showKind(found)}, expected is ${showKind(kind)}`);
  }

  kindOf(type: Type): Kind {
    this.#scope.budget.spend(1);
    switch (type.kind) {
      case "var":
        return this.#scope.kindOf(type.name);
      case "nat":
        return nat;
      case "builtin":
        return kindOfBuiltin(type.builtin);
      case "con":
        return kindOfDataType(this.#scope.dataType(type.id));
      case "app":
        return this.#kindOfApplication(type);
      case "syn":
      case "forall":
      case "struct":
        if (!this.#memo.sound.has(type) && this.#scope.isClosed(() => this.#checkCompound(type))) this.#memo.sound.add(type);
        return star;
    }
  }

  #checkCompound(type: Extract<Type, { kind: "syn" | "forall" | "struct" }>): void {
    switch (type.kind) {
      case "syn":
        return this.#checkSynonym(type);
      case "struct":
        return this.checkFields(type.fields);
      case "forall":
        return this.#checkForall(type.binder, type.body);
    }
  }

  /**
   * With arguments of the right kinds a synonym that is well-formed by itself stands for a well-formed type: it need not be written out.
   */
  #checkSynonym({ id, args }: Extract<Type, { kind: "syn" }>): void {
    const synonym = this.#synonymFor(id, args);
    args.forEach((arg, index) => this.check(arg, synonym.params[index]!.kind));
    if (!this.#isWellFormed(synonym)) this.check(this.#unfold(id, args));
  }

  /** What is wrong with one is told where it is written out. */
  #isWellFormed(synonym: DefTypeSyn): boolean {
    const { synonyms } = this.#memo;
    const known = synonyms.get(synonym);
    if (known !== undefined) return known;
    const wasRefused = refused(() => {
      const scope = this.#scope.outside(),
        types = new Types(scope);
      const check = synonym.params.reduceRight(
        (inner, { name, kind }) =>
          () =>
            scope.withBoundTypeVariable(name, kind, inner),
        () => types.check(synonym.type),
      );
      check();
    });
    synonyms.set(synonym, !wasRefused);
    return !wasRefused;
  }

  #kindOfApplication({ fun, arg }: Extract<Type, { kind: "app" }>): Kind {
    const kind = this.kindOf(fun);
    if (kind.kind !== "arrow")
      return this.#scope.refuse("ExpectedHigherKind", `the type ${showType(fun)} has kind ${showKind(kind)} and takes no argument`);
    this.check(arg, kind.param);
    return kind.result;
  }

  #checkForall(binder: TypeVarWithKind, body: Type): void {
    this.checkKind(binder.kind);
    this.#scope.withBoundTypeVariable(binder.name, binder.kind, () => this.check(body));
  }

  checkKind(kind: Kind): void {
    if (!isWellFormedKind(kind)) this.#scope.refuse("NatKindRightOfArrow", `a nat stands right of an arrow in the kind ${showKind(kind)}`);
  }

  checkFields(fields: readonly FieldWithType[]): void {
    const names = new Set<string>();
    for (const { name } of fields)
      if (names.size === names.add(name).size) this.#scope.refuse("DuplicateField", `the field ${name} stands twice in one record`);
    for (const { type } of fields) this.check(type);
  }

  /** Arguments of a data type, as many and of the kinds that it declares; brought to the names of the place. */
  checkedConstructor(written: TypeConApp): TypeConApp {
    const { params } = this.#scope.dataType(written.id);
    if (params.length !== written.args.length)
      this.#scope.refuse(
        "TypeConAppWrongArity",
        `the type ${showName(written.id)} takes ${params.length} arguments and gets ${written.args.length}`,
      );
    return { id: written.id, args: written.args.map((arg, index) => this.checked(arg, params[index]!.kind)) };
  }

  #synonymFor(id: DefinitionId, args: readonly Type[]): DefTypeSyn {
    const synonym = this.#scope.synonym(id),
      { params } = synonym;
    if (params.length !== args.length)
      this.#scope.refuse(
        "TypeSynAppWrongArity",
        `the type synonym ${showName(id)} takes ${params.length} arguments and gets ${args.length}`,
      );
    return synonym;
  }

  #unfold(id: DefinitionId, args: readonly Type[]): Type {
    const { params, type } = this.#synonymFor(id, args);
    return this.instantiate(params, args, type);
  }

  instantiate(params: readonly TypeVarWithKind[], args: readonly Type[], type: Type): Type {
    if (params.length === 0) return type;
    this.#scope.budget.spend(params.length);
    return substitute(new Map(params.map((param, index) => [param.name, args[index]!])), type, this.#memo);
  }

  /** Without synonyms; the same object if there were none. Only for types that passed `check`. */
  expand(type: Type): Type {
    switch (type.kind) {
      case "var":
      case "nat":
      case "builtin":
      case "con":
        return type;
      case "app": {
        this.#scope.budget.spend(1);
        const fun = this.expand(type.fun),
          arg = this.expand(type.arg);
        return fun === type.fun && arg === type.arg ? type : { kind: "app", fun, arg };
      }
      default:
        return this.#memo.expansions.get(type) ?? this.#memo.expansions.set(type, this.#expandOnce(type));
    }
  }

  #expandOnce(type: Extract<Type, { kind: "syn" | "forall" | "struct" }>): Type {
    switch (type.kind) {
      case "syn":
        return this.expand(this.#unfold(type.id, type.args));
      case "forall": {
        const body = this.expand(type.body);
        return body === type.body ? type : { kind: "forall", binder: type.binder, body };
      }
      case "struct": {
        const fields = type.fields.map((field) => ({ name: field.name, type: this.expand(field.type) }));
        return fields.every((field, index) => field.type === type.fields[index]!.type) ? type : { kind: "struct", fields };
      }
    }
  }

  /** Equal as written, or else with synonyms written out. */
  equal(left: Type, right: Type): boolean {
    const { budget } = this.#scope;
    if (alphaEquivalent(left, right, budget)) return true;
    const expandedLeft = this.expand(left),
      expandedRight = this.expand(right);
    return (expandedLeft !== left || expandedRight !== right) && alphaEquivalent(expandedLeft, expandedRight, budget);
  }
}
