/**
 * The Daml Script library that a DAR carries. Its releases differ in what their types look like, and some say so nowhere:
 * answers are built by the names that the library declares, wherever it declares them.
 */
import type { DefDataType, DefinitionId, Module, Package, Type } from "../lf/index.js";
import { EnumValue, type RecordValue, unit, type Value, Variant } from "../lf/running-code.js";

/** Names that the package had over its releases. */
const libraryNames: ReadonlySet<string> = new Set(["daml-script", "daml3-script", "daml-script-lts"]);
const lowLevelModule = "Daml.Script.Internal.LowLevel";

export const isLibrary = (package_: Package): boolean => libraryNames.has(package_.name);
export const isScriptType = (id: DefinitionId, package_: Package | undefined): boolean =>
  id.name === "Script" && id.module === lowLevelModule && package_ !== undefined && isLibrary(package_);

/** The value that the library leaves to its runner: any value as one of another type. */
const castName = "dangerousCast";
const identity = (type: Type) =>
  ({
    name: castName,
    type,
    body: { kind: "abs", params: [{ name: "value", type: { kind: "builtin", builtin: "UNIT" } }], body: { kind: "var", name: "value" } },
  }) as const;

/** The library with its cast put in; other packages as they are. No type fits it, so nothing may be validated after this. */
export function withCast(package_: Package): Package {
  if (!isLibrary(package_)) return package_;
  const modules = new Map([...package_.modules].map(([name, module]) => [name, module.values.has(castName) ? castModule(module) : module]));
  return {
    id: package_.id,
    name: package_.name,
    version: package_.version,
    lfVersion: package_.lfVersion,
    modules,
    get directDependencies() {
      return package_.directDependencies;
    },
  };
}

function castModule(module: Module): Module {
  const { name, dataTypes, synonyms, templates, interfaces, exceptions, values } = module;
  const { type } = values.get(castName)!;
  return { name, dataTypes, synonyms, templates, interfaces, exceptions, values: new Map(values).set(castName, identity(type)) };
}

interface DeclaredConstructor {
  readonly rank: number;
  /** Undefined: it has no payload of several fields. */ readonly fields: readonly string[] | undefined;
}

export class ScriptLibrary {
  readonly #types = new Map<string, { readonly module: Module; readonly type: DefDataType } | undefined>();
  readonly #constructors = new Map<string, DeclaredConstructor | undefined>();

  /** `packages`: the one with the type `Script` first, then others that hold parts of the library. */
  constructor(readonly packages: readonly Package[]) {}

  declares(typeName: string): boolean {
    return this.#find(typeName) !== undefined;
  }

  /** A constructor around a value as it is. Undefined when this release lacks it. */
  variant(typeName: string, constructor_: string, payload: Value = unit): Value | undefined {
    const declared = this.#declared(typeName, constructor_);
    return declared && new Variant(declared.rank, constructor_, payload);
  }

  enumeration(typeName: string, constructor_: string): Value | undefined {
    const declared = this.#declared(typeName, constructor_);
    return declared && new EnumValue(declared.rank, constructor_);
  }

  /** A constructor with named fields, in the order declared. Undefined when this release lacks it, or has a field more. */
  variantOf(typeName: string, constructor_: string, given: Readonly<Record<string, Value | undefined>>): Value | undefined {
    const declared = this.#declared(typeName, constructor_);
    if (declared === undefined) return undefined;
    if (declared.fields === undefined) return new Variant(declared.rank, constructor_, unit);
    const payload = declared.fields.map((field) => given[field]);
    return payload.some((field) => field === undefined) ? undefined : new Variant(declared.rank, constructor_, payload as RecordValue);
  }

  #declared(typeName: string, constructor_: string): DeclaredConstructor | undefined {
    const key = `${typeName}.${constructor_}`;
    if (!this.#constructors.has(key)) this.#constructors.set(key, this.#readConstructor(typeName, constructor_));
    return this.#constructors.get(key);
  }

  #readConstructor(typeName: string, constructor_: string): DeclaredConstructor | undefined {
    const found = this.#find(typeName);
    const cons = found?.type.cons;
    if (cons?.kind === "enum") return ranked(cons.constructors.indexOf(constructor_), undefined);
    if (cons?.kind !== "variant") return undefined;
    // Fields with names stand in a record of their own, which is called as type and constructor.
    const payload = found!.module.dataTypes.get(`${typeName}.${constructor_}`)?.cons;
    return ranked(
      cons.constructors.findIndex(({ name }) => name === constructor_),
      payload?.kind === "record" ? payload.fields.map(({ name }) => name) : undefined,
    );
  }

  #find(typeName: string): { readonly module: Module; readonly type: DefDataType } | undefined {
    if (!this.#types.has(typeName)) this.#types.set(typeName, this.#search(typeName));
    return this.#types.get(typeName);
  }

  #search(typeName: string): { readonly module: Module; readonly type: DefDataType } | undefined {
    for (const { modules } of this.packages) {
      for (const module of modules.values()) {
        const type = module.dataTypes.get(typeName);
        if (type !== undefined && module.name.startsWith("Daml.Script")) return { module, type };
      }
    }
    return undefined;
  }
}

const ranked = (rank: number, fields: readonly string[] | undefined): DeclaredConstructor | undefined =>
  rank < 0 ? undefined : { rank, fields };
