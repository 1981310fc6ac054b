/** What the scripts of a package made use of: its own templates and choices, and those of the packages that it uses. */
import { isStablePackageId, isUtilityPackage, type Package } from "../../lf/index.js";
import type { Coverage } from "../outcome.js";

/** Names of all there are, and of those that were used. */
export interface Covered {
  readonly defined: readonly string[];
  readonly used: readonly string[];
}

export interface CoveragePart {
  readonly templates: Covered;
  readonly choices: Covered;
  readonly interfaceChoices: Covered;
  /** `template implements interface`. */
  readonly implementations: readonly string[];
}

export interface CoverageReport {
  readonly package: string;
  readonly internal: CoveragePart;
  readonly external: CoveragePart;
}

export function coverageReport(main: Package, packages: readonly Package[], runs: readonly Coverage[]): CoverageReport {
  const created = new Set(runs.flatMap((run) => run.created)),
    exercised = new Set(runs.flatMap((run) => run.exercised));
  const nameOf = (id: string): string => packages.find((each) => each.id === id)?.name ?? id;
  const part = (of: readonly Package[]): CoveragePart => partOf(of, created, exercised, nameOf);
  const others = packages.filter((each) => each.id !== main.id && !isStablePackageId(each.id) && !isUtilityPackage(each));
  return { package: `${main.name}-${main.version}`, internal: part([main]), external: part(others) };
}

/** Archive is a choice of templates only. */
const archive = "Archive";

function partOf(
  packages: readonly Package[],
  created: ReadonlySet<string>,
  exercised: ReadonlySet<string>,
  nameOf: (packageId: string) => string,
): CoveragePart {
  const templates = new Set<string>(),
    choices = new Set<string>(),
    interfaceChoices = new Set<string>(),
    implementations = new Set<string>();
  for (const { name: packageName, modules } of packages) {
    for (const module of modules.values()) {
      for (const { name, choices: own, implements: instances } of module.templates.values()) {
        const template = `${packageName}:${module.name}:${name}`;
        templates.add(template);
        for (const choice of own.keys()) choices.add(`${template}:${choice}`);
        for (const {
          interface: { packageId, module: of, name: called },
        } of instances)
          implementations.add(`${template} implements ${nameOf(packageId)}:${of}:${called}`);
      }
      for (const { name, choices: own } of module.interfaces.values()) {
        for (const choice of own.keys()) if (choice !== archive) interfaceChoices.add(`${packageName}:${module.name}:${name}:${choice}`);
      }
    }
  }
  return {
    templates: covered(templates, created),
    choices: covered(choices, exercised),
    interfaceChoices: covered(interfaceChoices, exercised),
    implementations: [...implementations].sort(),
  };
}

function covered(defined: ReadonlySet<string>, used: ReadonlySet<string>): Covered {
  const all = [...defined].sort();
  return { defined: all, used: all.filter((name) => used.has(name)) };
}

export const unused = ({ defined, used }: Covered): readonly string[] => {
  const known = new Set(used);
  return defined.filter((name) => !known.has(name));
};

/** Nothing of nothing is all of it. */
export const percentage = ({ defined, used }: Covered): string =>
  (defined.length === 0 ? 100 : (100 * used.length) / defined.length).toFixed(1);
