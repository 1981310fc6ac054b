/**
 * What is known at a place in a definition: the packages, the variables in scope, and how to say where the place is.
 *
 * Type variables are called apart by their names, so an inner one that would hide an outer one gets a name of its own:
 * the type of a variable bound further out may still speak of the outer one. Types as written are brought to these
 * names by `resolve`.
 */
import {
  showId,
  type DefDataType,
  type DefException,
  type DefinitionId,
  type DefInterface,
  type DefTemplate,
  type DefTypeSyn,
  type DefValue,
  type InterfaceInstance,
  type Kind,
  type LfVersion,
  type TemplateChoice,
  type TemplateKey,
  type Type,
  type TypeVarWithKind,
  type VarWithType,
} from "../ast.js";
import type { PackageInterface } from "../package-interface.js";
import type { Budget } from "./budget.js";
import { type Rule, ValidationFailure } from "./refusal.js";
import { showName } from "./show.js";
import { freshName, substitute } from "./substitution.js";
import { sameId } from "./type-equality.js";
import { variable } from "../type-forms.js";
import type { TypeMemo } from "./type-memo.js";

export interface ScopeOptions {
  readonly packages: PackageInterface;
  readonly lfVersion: LfVersion;
  readonly memo: TypeMemo;
  /** The definition at hand, as messages name it. */
  readonly where: string;
}

/** What a name meant before it was bound again. */
export interface Hidden {
  readonly name: string;
  readonly type: Type | undefined;
}

/** `number`: how many were bound before. */
interface BoundKind {
  readonly kind: Kind;
  readonly number: number;
}

export class Scope {
  readonly packages: PackageInterface;
  readonly lfVersion: LfVersion;
  readonly memo: TypeMemo;
  readonly #where: string;
  readonly #kinds = new Map<string, BoundKind>();
  /** How many type variables are bound, and the least number that one had of those asked for. */
  #bound = 0;
  #outermost = Number.POSITIVE_INFINITY;
  readonly #types = new Map<string, Type>();
  #renamed: ReadonlyMap<string, Type> = new Map();

  constructor({ packages, lfVersion, memo, where }: ScopeOptions) {
    this.packages = packages;
    this.lfVersion = lfVersion;
    this.memo = memo;
    this.#where = where;
  }

  get budget(): Budget {
    return this.memo.budget;
  }

  /** Outside of all definitions: no variable is in scope. */
  outside(): Scope {
    return new Scope({ packages: this.packages, lfVersion: this.lfVersion, memo: this.memo, where: this.#where });
  }

  refuse(rule: Rule, what: string): never {
    throw new ValidationFailure(rule, this.#where, what);
  }

  kindOf(typeVariable: string): Kind {
    const found = this.#kinds.get(typeVariable) ?? this.refuse("UnknownTypeVar", `there is no type variable ${typeVariable}`);
    if (found.number < this.#outermost) this.#outermost = found.number;
    return found.kind;
  }

  /** Whether a check of a type asks for no type variable but those that it binds itself: then it says the same at every place. */
  isClosed(check: () => void): boolean {
    const outer = this.#outermost;
    this.#outermost = Number.POSITIVE_INFINITY;
    check();
    const isClosed = this.#outermost >= this.#bound;
    if (outer < this.#outermost) this.#outermost = outer;
    return isClosed;
  }
  typeOf(name: string): Type {
    return this.#types.get(name) ?? this.refuse("UnknownExprVar", `there is no variable ${name}`);
  }

  resolve(type: Type): Type {
    return this.#renamed.size === 0 ? type : substitute(this.#renamed, type, this.memo);
  }

  /** Runs a check with more variables. */
  withVariables<T>(variables: readonly VarWithType[], check: () => T): T {
    const hidden = variables.map(({ name, type }) => this.bind(name, type));
    const result = check();
    this.unbind(hidden);
    return result;
  }

  /** Binds a variable and gives what it hides, for `unbind`. */
  bind(name: string, type: Type): Hidden {
    const hidden = { name, type: this.#types.get(name) };
    this.#types.set(name, type);
    return hidden;
  }

  /** In reverse, so that a name bound twice ends as it began. */
  unbind(hidden: readonly Hidden[]): void {
    for (let index = hidden.length - 1; index >= 0; index--) {
      const { name, type } = hidden[index]!;
      if (type === undefined) this.#types.delete(name);
      else this.#types.set(name, type);
    }
  }

  /** A type variable for the expressions below; `check` is told its name here. */
  withTypeVariable<T>({ name, kind }: TypeVarWithKind, check: (name: string) => T): T {
    const renamed = this.#renamed;
    const own = this.#kinds.has(name) ? freshName(name) : name;
    if (own !== name || renamed.has(name)) this.#renamed = new Map(renamed).set(name, variable(own));
    const result = this.withBoundTypeVariable(own, kind, () => check(own));
    this.#renamed = renamed;
    return result;
  }

  /** A type variable that only a type's own body sees. */
  withBoundTypeVariable<T>(name: string, kind: Kind, check: () => T): T {
    const outer = this.#kinds.get(name);
    this.#kinds.set(name, { kind, number: this.#bound++ });
    const result = check();
    this.#bound--;
    if (outer === undefined) this.#kinds.delete(name);
    else this.#kinds.set(name, outer);
    return result;
  }

  dataType(id: DefinitionId): DefDataType {
    return this.packages.dataType(id) ?? this.#unknown("data type", id);
  }
  synonym(id: DefinitionId): DefTypeSyn {
    return this.packages.synonym(id) ?? this.#unknown("type synonym", id);
  }
  value(id: DefinitionId): DefValue {
    return this.packages.value(id) ?? this.#unknown("value", id);
  }
  template(id: DefinitionId): DefTemplate {
    return this.packages.template(id) ?? this.#unknown("template", id);
  }
  interface(id: DefinitionId): DefInterface {
    return this.packages.interface(id) ?? this.#unknown("interface", id);
  }
  exception(id: DefinitionId): DefException {
    return this.packages.exception(id) ?? this.#unknown("exception", id);
  }

  templateChoice(id: DefinitionId, choice: string): TemplateChoice {
    return this.template(id).choices.get(choice) ?? this.#unknown(`choice ${choice} of template`, id);
  }
  interfaceChoice(id: DefinitionId, choice: string): TemplateChoice {
    return this.interface(id).choices.get(choice) ?? this.#unknown(`choice ${choice} of interface`, id);
  }
  method(id: DefinitionId, method: string): Type {
    return this.interface(id).methods.get(method) ?? this.#unknown(`method ${method} of interface`, id);
  }
  templateKey(id: DefinitionId): TemplateKey {
    return this.template(id).key ?? this.#unknown("key of template", id);
  }

  /** An interface's instance stands in the template. */
  findInstance(interfaceId: DefinitionId, templateId: DefinitionId): InterfaceInstance | undefined {
    const instances = this.packages.template(templateId)?.implements ?? [];
    this.budget.spend(instances.length);
    return instances.find((instance) => sameId(instance.interface, interfaceId));
  }
  instance(interfaceId: DefinitionId, templateId: DefinitionId): void {
    this.interface(interfaceId);
    this.template(templateId);
    if (this.findInstance(interfaceId, templateId) === undefined)
      this.#unknown(`instance of interface ${showName(interfaceId)} in template`, templateId);
  }

  #unknown(what: string, id: DefinitionId): never {
    const package_ = this.packages.package(id.packageId);
    const missing =
      package_ === undefined
        ? `, for there is no package ${id.packageId}`
        : package_.modules.has(id.module)
          ? ""
          : `, for there is no module ${id.module}`;
    return this.refuse("UnknownDefinition", `there is no ${what} ${showId(id)}${missing}`);
  }
}
