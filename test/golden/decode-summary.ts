/** What a decode recording tells of a package: counts, and the members of its templates, interfaces and exceptions. */
import { type DefTemplate, type Module, type Package, showId } from "../../src/lf/ast.js";
import { isUtilityPackage } from "../../src/lf/archive/index.js";
import { showType } from "./eval-values.js";
import type { Json, JsonObject } from "./scenario-values.js";

const total = (package_: Package, count: (module: Module) => number): number =>
  [...package_.modules.values()].reduce((sum, module) => sum + count(module), 0);

export function countsOf(package_: Package): JsonObject {
  return {
    id: package_.id,
    name: package_.name,
    version: package_.version,
    lf: package_.lfVersion,
    utility: isUtilityPackage(package_),
    modules: package_.modules.size,
    definitions: total(package_, (module) => module.dataTypes.size + module.synonyms.size + module.values.size),
    values: total(package_, (module) => module.values.size),
    serializableTypes: total(package_, (module) => [...module.dataTypes.values()].filter((type) => type.serializable).length),
    templates: total(package_, (module) => module.templates.size),
    choices: total(package_, (module) => [...module.templates.values()].reduce((sum, template) => sum + template.choices.size, 0)),
    interfaces: total(package_, (module) => module.interfaces.size),
    exceptions: total(package_, (module) => module.exceptions.size),
    directDeps: package_.directDependencies.size,
  };
}

/** Modules that have none of these are not listed. */
export const detailOf = (package_: Package): readonly Json[] =>
  [...package_.modules.values()]
    .filter((module) => module.templates.size + module.interfaces.size + module.exceptions.size > 0)
    .map((module) => detailOfModule(module));

const detailOfModule = ({ name, templates, interfaces, exceptions }: Module): Json => ({
  module: name,
  templates: byName(templates, detailOfTemplate),
  ...(interfaces.size === 0
    ? {}
    : {
        interfaces: byName(interfaces, ({ choices, methods, view }) => ({
          choices: names(choices),
          methods: names(methods),
          view: showType(view),
        })),
      }),
  ...(exceptions.size === 0 ? {} : { exceptions: names(exceptions) }),
});

const detailOfTemplate = ({ choices, key, implements: instances }: DefTemplate): Json => ({
  choices: names(choices),
  ...(key === undefined ? {} : { key: showType(key.type) }),
  ...(instances.length === 0 ? {} : { implements: instances.map((instance) => showId(instance.interface)).sort() }),
});

const names = (definitions: ReadonlyMap<string, unknown>): readonly string[] => [...definitions.keys()].sort();
const byName = <T>(definitions: ReadonlyMap<string, T>, show: (definition: T) => Json): JsonObject =>
  Object.fromEntries([...definitions].map(([name, definition]) => [name, show(definition)]));
