/** The scripts of a package. */
import type { Package, PackageId, Type } from "../lf/index.js";
import { isScriptType } from "./library.js";
import type { ScriptName } from "./outcome.js";

/** A value of a script type, or a function of one argument that gives one. */
export interface FoundScript {
  readonly script: ScriptName;
  readonly parameter: Type | undefined;
  readonly result: Type;
  /** The package with the library's types. */
  readonly library: PackageId;
}

export type FindPackage = (id: PackageId) => Package | undefined;

/** In order of modules and names. Names that begin with `$` are the compiler's; inside it stands for what a name in Daml-LF cannot have. */
export function findScripts(package_: Package, find: FindPackage): readonly FoundScript[] {
  const found: FoundScript[] = [];
  for (const module of [...package_.modules.values()].sort(byName)) {
    for (const { name, type } of [...module.values.values()].sort(byName)) {
      if (name.startsWith("$")) continue;
      const script = scriptOf(type, find) ?? functionOf(type, find);
      if (script !== undefined) found.push({ script: { module: module.name, name }, ...script });
    }
  }
  return found;
}

const byName = (left: { readonly name: string }, right: { readonly name: string }): number =>
  left.name < right.name ? -1 : left.name > right.name ? 1 : 0;

function functionOf(type: Type, find: FindPackage): Omit<FoundScript, "script"> | undefined {
  if (type.kind !== "app" || type.fun.kind !== "app" || type.fun.fun.kind !== "builtin" || type.fun.fun.builtin !== "ARROW")
    return undefined;
  const result = scriptOf(type.arg, find);
  return result && { ...result, parameter: type.fun.arg };
}

function scriptOf(type: Type, find: FindPackage): Omit<FoundScript, "script"> | undefined {
  if (type.kind !== "app" || type.fun.kind !== "con") return undefined;
  const { id } = type.fun;
  return isScriptType(id, find(id.packageId)) ? { parameter: undefined, result: type.arg, library: id.packageId } : undefined;
}

/** Libraries that are not known, of values that look like scripts. */
export function unknownLibraries(package_: Package, find: FindPackage): readonly string[] {
  const names = new Set<string>();
  for (const { values } of package_.modules.values()) {
    for (const { type } of values.values()) {
      if (type.kind !== "app" || type.fun.kind !== "con") continue;
      const { id } = type.fun,
        library = find(id.packageId);
      if (id.name !== "Script" || !id.module.startsWith("Daml.Script") || isScriptType(id, library)) continue;
      names.add(library === undefined ? id.packageId : `${library.name}-${library.version}`);
    }
  }
  return [...names];
}
