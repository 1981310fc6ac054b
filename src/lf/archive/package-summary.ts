/** What a ledger keeps about a package beside its bytes. */
import { showId, type Package } from "../ast.js";

export interface PackageSummary {
  readonly packageId: string;
  readonly name: string;
  readonly version: string;
  readonly lfVersion: string;
  readonly isUtility: boolean;
  readonly dependencies: readonly string[];
  /** `Module:Entity` */
  readonly templates: readonly string[];
  readonly interfaces: readonly string[];
  /** `Module:Entity` of a template -> full ids of the interfaces it implements. */
  readonly implements: Readonly<Record<string, readonly string[]>>;
}

/** Nothing that could be on a ledger: no template, no interface, no serializable type. */
export const isUtilityPackage = (package_: Package): boolean =>
  [...package_.modules.values()].every(
    (module) =>
      module.templates.size === 0 && module.interfaces.size === 0 && ![...module.dataTypes.values()].some((type) => type.serializable),
  );

export function summarizePackage(package_: Package): PackageSummary {
  const modules = [...package_.modules.values()];
  const templates = modules.flatMap((module) =>
    [...module.templates.values()].map((template) => ({ name: `${module.name}:${template.name}`, template })),
  );
  const implementing = templates.filter(({ template }) => template.implements.length > 0);
  return {
    packageId: package_.id,
    name: package_.name,
    version: package_.version,
    lfVersion: package_.lfVersion,
    isUtility: isUtilityPackage(package_),
    dependencies: [...package_.directDependencies].sort(),
    templates: templates.map(({ name }) => name),
    interfaces: modules.flatMap((module) => [...module.interfaces.keys()].map((name) => `${module.name}:${name}`)),
    implements: Object.fromEntries(
      implementing.map(({ name, template }) => [name, template.implements.map((instance) => showId(instance.interface))]),
    ),
  };
}
