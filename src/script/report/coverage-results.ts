/**
 * What packages define and what scripts used of it, of one run or of several together. A package whose scripts run is local; names alone
 * tell what it defines, so that results of several runs of it add up, whatever its id was.
 */
import { type DefinitionId, isStablePackageId, isUtilityPackage, type Package, type PackageId } from "../../lf/index.js";
import type { Coverage, ScriptOutcome } from "../outcome.js";

/** Undefined: the local package. */
export type Origin = { readonly id: string; readonly name: string } | undefined;

/** A template or interface; `name` is `Module:Name`. */
export interface Definition {
  readonly name: string;
  readonly origin: Origin;
}

export interface Implementation {
  readonly template: Definition;
  readonly interface_: Definition;
}

/** By their keys, in order of which everything is told. */
class DefinitionMap<T> {
  readonly #entries = new Map<string, readonly [Definition, T]>();

  get(definition: Definition): T | undefined {
    return this.#entries.get(keyOf(definition))?.[1];
  }
  /** What is there, made where it was not. */
  at(definition: Definition, make: () => T): T {
    const key = keyOf(definition),
      [, known] = this.#entries.get(key) ?? [definition, make()];
    this.#entries.set(key, [definition, known]);
    return known;
  }
  [Symbol.iterator](): Iterator<readonly [Definition, T]> {
    return [...this.#entries]
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([, entry]) => entry)
      [Symbol.iterator]();
  }
}

/** Origins of scripts, by their keys. */
export type Origins = Map<string, Origin>;

const originKey = (origin: Origin): string => (origin === undefined ? "" : `${origin.id}\u0000${origin.name}`);
const keyOf = ({ name, origin }: Definition): string => `${name}\u0000${originKey(origin)}`;
const implementationKey = ({ template, interface_ }: Implementation): string => `${keyOf(template)}\u0001${keyOf(interface_)}`;

export class CoverageResults {
  readonly templates = new DefinitionMap<Set<string>>();
  readonly interfaces = new DefinitionMap<Set<string>>();
  readonly #implementations = new Map<string, Implementation>();
  /** By what the scripts are of that used it. */
  readonly created = new DefinitionMap<Origins>();
  /** By templates and names of choices: whatever interface they are of. */
  readonly exercised = new DefinitionMap<Map<string, Origins>>();

  get implementations(): readonly Implementation[] {
    return [...this.#implementations].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, each]) => each);
  }

  addTemplate(template: Definition, choices: Iterable<string>): void {
    addAll(
      this.templates.at(template, () => new Set()),
      choices,
    );
  }
  addInterface(interface_: Definition, choices: Iterable<string>): void {
    addAll(
      this.interfaces.at(interface_, () => new Set()),
      choices,
    );
  }
  addImplementation(implementation: Implementation): void {
    this.#implementations.set(implementationKey(implementation), implementation);
  }
  addCreated(template: Definition, by: Origin): void {
    this.created.at(template, () => new Map()).set(originKey(by), by);
  }
  addExercised(template: Definition, choice: string, by: Origin): void {
    const choices = this.exercised.at(template, () => new Map()),
      origins = choices.get(choice) ?? new Map<string, Origin>();
    choices.set(choice, origins.set(originKey(by), by));
  }

  /** What is in the others, too. */
  with(...others: readonly CoverageResults[]): CoverageResults {
    return [this, ...others].reduce((sum, each) => sum.#add(each, () => true), new CoverageResults());
  }

  /** Without choices that one of the patterns finds by their names. */
  withoutChoices(patterns: readonly RegExp[]): CoverageResults {
    return new CoverageResults().#add(this, (of, choice) => !patterns.some((pattern) => pattern.test(`${showDefined(of)}:${choice}`)));
  }

  #add(other: CoverageResults, keeps: (of: Definition, choice: string) => boolean): this {
    for (const [template, choices] of other.templates) {
      this.addTemplate(
        template,
        [...choices].filter((choice) => keeps(template, choice)),
      );
    }
    for (const [interface_, choices] of other.interfaces) {
      this.addInterface(
        interface_,
        [...choices].filter((choice) => keeps(interface_, choice)),
      );
    }
    for (const each of other.implementations) this.addImplementation(each);
    for (const [template, origins] of other.created) for (const by of origins.values()) this.addCreated(template, by);
    for (const [template, choices] of other.exercised)
      for (const [choice, origins] of choices)
        if (keeps(template, choice)) for (const by of origins.values()) this.addExercised(template, choice, by);
    return this;
  }
}

function addAll<T>(set: Set<T>, more: Iterable<T>): void {
  for (const each of more) set.add(each);
}

/** What is local has no package in front. */
export const showDefined = ({ name, origin }: Definition): string => (origin === undefined ? name : `${origin.name}:${name}`);

/** Archive is a choice of templates only. */
const archive = "Archive";

/** `withDependencies`: what those define counts too, as their scripts ran. */
export function resultsOf(
  { main, packages }: { readonly main: Package; readonly packages: readonly Package[] },
  outcomes: readonly Pick<ScriptOutcome, "script" | "coverage">[],
  withDependencies: boolean,
): CoverageResults {
  const results = new CoverageResults(),
    byId = new Map(packages.map((each) => [each.id, each]));
  const originOf = (id: PackageId): Origin => (id === main.id ? undefined : { id, name: byId.get(id)?.name ?? id }),
    definitionOf = ({ packageId, module, name }: DefinitionId): Definition => ({ name: `${module}:${name}`, origin: originOf(packageId) });
  const addInterface = (id: DefinitionId): void => {
    const choices = byId.get(id.packageId)?.modules.get(id.module)?.interfaces.get(id.name)?.choices.keys() ?? [];
    results.addInterface(
      definitionOf(id),
      [...choices].filter((choice) => choice !== archive),
    );
  };
  for (const { id: packageId, modules } of withDependencies ? packages.filter(isCounted) : [main]) {
    for (const { name: module, templates, interfaces } of modules.values()) {
      for (const { name, choices, implements: instances } of templates.values()) {
        const template = definitionOf({ packageId, module, name });
        results.addTemplate(template, choices.keys());
        for (const { interface: id } of instances) {
          results.addImplementation({ template, interface_: definitionOf(id) });
          addInterface(id); // of whatever package
        }
      }
      for (const { name } of interfaces.values()) addInterface({ packageId, module, name });
    }
  }
  for (const { script, coverage } of outcomes) {
    const of = script.dependency && packages.find(({ name, version }) => `${name}-${version}` === script.dependency);
    addCoverage(results, coverage, of ? originOf(of.id) : undefined, definitionOf);
  }
  return results;
}

const isCounted = (package_: Package): boolean => !isStablePackageId(package_.id) && !isUtilityPackage(package_);

function addCoverage(
  results: CoverageResults,
  { created, exercised }: Coverage,
  by: Origin,
  definitionOf: (id: DefinitionId) => Definition,
): void {
  const idOf = (parts: readonly string[]): DefinitionId => ({ packageId: parts[0]!, module: parts[1]!, name: parts[2]! }) as DefinitionId;
  for (const each of created) results.addCreated(definitionOf(idOf(each.split(":"))), by);
  for (const each of exercised) {
    const parts = each.split(":");
    results.addExercised(definitionOf(idOf(parts)), parts[3]!, by);
  }
}
