/**
 * Which package id a command is given for each package name, as Canton's topology-aware selection finds it where one participant
 * hosts everybody: the highest version that is vetted. A package that was built with another one may be used without it, as
 * long as nothing needs that other one's name; where something does, only versions count whose own packages are vetted too.
 */
import { comparePackages } from "../../lf/index.js";
import type { PackageSummary } from "../interpretation/index.js";
import { isVettedAt, type VettablePackage } from "./package-registry.js";

export interface SelectionNeeds {
  /** What is vetted at this time counts; microseconds. */
  readonly at: bigint;
  /** The names that the command uses, as far as that is known. */
  readonly names: ReadonlySet<string>;
  /** Package ids: of their names no other version is taken. */
  readonly preferred: readonly string[];
}

export interface Selection {
  /** Names without a version that fits are left out. */
  readonly packages: ReadonlyMap<string, string>;
  /** Why there is none of a name. */
  reasonWithout(name: string): string;
}

export function selectPackages(records: readonly VettablePackage[], needs: SelectionNeeds): Selection {
  const selecting = new Selecting(records, needs),
    best = new Map<string, PackageSummary>();
  for (const summary of selecting.vetted()) {
    const current = best.get(summary.name);
    const isHigher = current === undefined || comparePackages(summary, current) > 0;
    if (isHigher && selecting.problemOf(summary) === undefined) best.set(summary.name, summary);
  }
  return {
    packages: new Map([...best].map(([name, { packageId }]) => [name, packageId])),
    reasonWithout: (name) => selecting.reasonWithout(name),
  };
}

export const showPackage = ({ name, version, packageId }: PackageSummary): string => `'${name}' v${version} (${packageId})`;

class Selecting {
  readonly #needs: SelectionNeeds;
  readonly #known: ReadonlyMap<string, VettablePackage>;
  /** By name, the ids that are preferred. */
  readonly #preferred = new Map<string, Set<string>>();
  /** By package id what it needs and cannot have; null: nothing. */
  readonly #missing = new Map<string, PackageSummary | null>();

  constructor(records: readonly VettablePackage[], needs: SelectionNeeds) {
    this.#needs = needs;
    this.#known = new Map(records.map((record) => [record.summary.packageId, record]));
    for (const id of needs.preferred) {
      const name = this.#known.get(id)?.summary.name;
      if (name !== undefined) this.#preferred.set(name, (this.#preferred.get(name) ?? new Set()).add(id));
    }
  }

  *vetted(): Generator<PackageSummary> {
    for (const { summary, vetting } of this.#known.values()) if (isVettedAt(vetting, this.#needs.at)) yield summary;
  }

  /** Why a vetted package cannot be taken all the same. */
  problemOf(summary: PackageSummary): string | undefined {
    const missing = this.#missingBelow(summary);
    if (missing !== undefined) return `${showPackage(summary)} was built with ${showPackage(missing)}, which is not vetted`;
    const preferred = this.#preferred.get(summary.name);
    if (preferred === undefined || preferred.has(summary.packageId)) return undefined;
    return `${showPackage(summary)} is not the one that packageIdSelectionPreference asks for`;
  }

  reasonWithout(name: string): string {
    const versions = [...this.vetted()].filter((summary) => summary.name === name);
    const problems = versions.map((summary) => this.problemOf(summary));
    const unvetted = [...(this.#preferred.get(name) ?? [])].filter((id) => !versions.some(({ packageId }) => packageId === id));
    if (versions.length === 0) return `No package with package-name '${name}' is vetted now by the participants that host the parties.`;
    return `No package with package-name '${name}' fits: ${[...unvetted.map((id) => `${id} is preferred, but not vetted`), ...problems].join("; ")}.`;
  }

  /** The first package below this one that is needed by its name and not vetted; what is not needed is looked through. */
  #missingBelow({ packageId, dependencies }: PackageSummary): PackageSummary | undefined {
    const found = this.#missing.get(packageId);
    if (found !== undefined) return found ?? undefined;
    let missing: PackageSummary | undefined;
    for (const id of dependencies) {
      const dependency = this.#known.get(id);
      if (dependency !== undefined) missing ??= this.#isMissing(dependency) ? dependency.summary : this.#missingBelow(dependency.summary);
    }
    this.#missing.set(packageId, missing ?? null);
    return missing;
  }

  #isMissing({ summary, vetting }: VettablePackage): boolean {
    return this.#needs.names.has(summary.name) && !isVettedAt(vetting, this.#needs.at);
  }
}
