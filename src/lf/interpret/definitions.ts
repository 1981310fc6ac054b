/** Templates and interfaces as a run needs them: compiled code together with the types of its data. */
import type { DefinitionId, PackageId } from "../ast.js";
import type { CompiledInterface, CompiledPackages, CompiledTemplate } from "../runtime/index.js";
import type { ValueType, ValueTypes } from "../conversion/index.js";

type CompiledKey = NonNullable<CompiledTemplate["key"]>;

export interface KeyDefinition {
  readonly compiled: CompiledKey;
  readonly type: ValueType;
}
export interface TemplateDefinition {
  readonly id: DefinitionId;
  readonly compiled: CompiledTemplate;
  readonly type: ValueType;
  readonly key: KeyDefinition | undefined;
}

export const sameQualifiedName = (left: DefinitionId, right: DefinitionId): boolean =>
  left.name === right.name && left.module === right.module;
export const sameDefinition = (left: DefinitionId, right: DefinitionId): boolean =>
  left === right || (left.packageId === right.packageId && sameQualifiedName(left, right));

/** Kept for the life of an engine: packages never change. */
export class Definitions {
  readonly #compiled: CompiledPackages;
  readonly #templates = new Map<PackageId, Map<string, Map<string, TemplateDefinition>>>();
  /** By the ids of compiled code, which are one object each. */
  readonly #byIdentity = new WeakMap<DefinitionId, TemplateDefinition>();
  readonly #interfaces = new WeakMap<DefinitionId, CompiledInterface>();

  constructor(
    compiled: CompiledPackages,
    readonly types: ValueTypes,
  ) {
    this.#compiled = compiled;
  }

  template(id: DefinitionId): TemplateDefinition | undefined {
    return this.#byIdentity.get(id) ?? this.#byName(id);
  }

  #byName(id: DefinitionId): TemplateDefinition | undefined {
    const known = this.#templates.get(id.packageId)?.get(id.module)?.get(id.name);
    if (known !== undefined) return known;
    const compiled = this.#compiled.template(id);
    if (compiled === undefined) return undefined;
    const made = this.#define(compiled);
    inner(inner(this.#templates, id.packageId), id.module).set(id.name, made);
    this.#byIdentity.set(made.id, made);
    return made;
  }

  interface(id: DefinitionId): CompiledInterface | undefined {
    const known = this.#interfaces.get(id);
    if (known !== undefined) return known;
    const compiled = this.#compiled.interface(id);
    if (compiled !== undefined) this.#interfaces.set(compiled.id, compiled);
    return compiled;
  }

  #define(compiled: CompiledTemplate): TemplateDefinition {
    const { id, key } = compiled;
    return {
      id,
      compiled,
      type: this.types.ofData(id),
      key: key === undefined ? undefined : { compiled: key, type: this.types.of(key.type) },
    };
  }
}

function inner<K, L, V>(outer: Map<K, Map<L, V>>, key: K): Map<L, V> {
  const known = outer.get(key);
  if (known !== undefined) return known;
  const made = new Map<L, V>();
  outer.set(key, made);
  return made;
}
