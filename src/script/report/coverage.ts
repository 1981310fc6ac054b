/** What scripts made use of, as it is told: templates and choices of the package whose scripts run, and of those that it uses. */
import { type CoverageResults, type Definition, type Origins, showDefined } from "./coverage-results.js";

/** Names of all there are, and of those that were used. */
export interface Covered {
  readonly defined: readonly string[];
  readonly used: readonly string[];
  /** Those of them that scripts of the package used, and those that scripts of a dependency did. */
  readonly usedByInternal: readonly string[];
  readonly usedByExternal: readonly string[];
}

export interface CoveragePart {
  readonly templates: Covered;
  readonly choices: Covered;
  readonly interfaceChoices: Covered;
  /** `template implements interface`. */
  readonly implementations: readonly string[];
  /** How many of them are of an interface of the package itself. */
  readonly ofInternalInterfaces: number;
}

export interface CoverageReport {
  /** Empty: there is none, as only results of earlier runs are told. */
  readonly package: string;
  readonly internal: CoveragePart;
  readonly external: CoveragePart;
}

export function coverageReport(package_: string, results: CoverageResults): CoverageReport {
  const part = (isLocal: boolean): CoveragePart => partOf(results, ({ origin }) => (origin === undefined) === isLocal);
  return { package: package_, internal: part(true), external: part(false) };
}

interface Use {
  readonly name: string;
  readonly by: Origins | undefined;
}

function partOf(results: CoverageResults, isOfPart: (definition: Definition) => boolean): CoveragePart {
  const { created, exercised } = results,
    templates = [...results.templates].filter(([template]) => isOfPart(template)),
    implementations = results.implementations.filter(({ template }) => isOfPart(template));
  const choiceOf = (template: Definition, choice: string): Use & { readonly choice: string } => ({
    choice,
    name: `${showDefined(template)}:${choice}`,
    by: exercised.get(template)?.get(choice),
  });
  return {
    templates: covered(templates.map(([template]) => ({ name: showDefined(template), by: created.get(template) }))),
    choices: covered(byChoice(templates.flatMap(([template, choices]) => [...choices].map((choice) => choiceOf(template, choice))))),
    interfaceChoices: covered(
      byChoice(
        implementations.flatMap(({ template, interface_ }) =>
          [...(results.interfaces.get(interface_) ?? [])].map((choice) => choiceOf(template, choice)),
        ),
      ),
    ),
    implementations: implementations.map(({ template, interface_ }) => `${showDefined(template)} implements ${showDefined(interface_)}`),
    ofInternalInterfaces: implementations.filter(({ interface_ }) => interface_.origin === undefined).length,
  };
}

/** In the reference's order: choices of one name stand together. */
const byChoice = <U extends { readonly choice: string }>(uses: readonly U[]): readonly U[] =>
  [...uses].sort((left, right) => (left.choice < right.choice ? -1 : left.choice > right.choice ? 1 : 0));

function covered(uses: readonly Use[]): Covered {
  const named = (isSo: (by: Origins) => boolean): readonly string[] =>
    uses.filter(({ by }) => by !== undefined && isSo(by)).map(({ name }) => name);
  return {
    defined: uses.map(({ name }) => name),
    used: named(() => true),
    usedByInternal: named((by) => by.has("")),
    usedByExternal: named((by) => by.size > (by.has("") ? 1 : 0)),
  };
}

export const unused = ({ defined, used }: Covered): readonly string[] => {
  const known = new Set(used);
  return defined.filter((name) => !known.has(name));
};

/** Nothing of nothing is all of it. */
export const percentage = (part: number, { defined }: Covered): string =>
  (defined.length === 0 ? 100 : (100 * part) / defined.length).toFixed(1);
