/** Which packages of the DAR a ledger in memory runs: all, until a script says otherwise. */
import type { PackageNameVersion } from "../ledger.js";
import type { ScriptPackages } from "../packages.js";
import { questionFailed } from "../stop.js";

export class Vetting {
  readonly #packages: ScriptPackages;
  readonly #unvetted = new Set<string>();

  constructor(packages: ScriptPackages) {
    this.#packages = packages;
  }

  vet(packages: readonly PackageNameVersion[]): void {
    for (const id of this.#idsOf(packages)) this.#unvetted.delete(id);
  }
  unvet(packages: readonly PackageNameVersion[]): void {
    for (const id of this.#idsOf(packages)) this.#unvetted.add(id);
  }
  isVetted(packageId: string): boolean {
    return !this.#unvetted.has(packageId);
  }

  vetted(): readonly PackageNameVersion[] {
    return nameVersions([...this.#packages.all].filter(({ id }) => this.isVetted(id)));
  }
  all(): readonly PackageNameVersion[] {
    return nameVersions([...this.#packages.all]);
  }

  /** The package of each name that runs; `preferred`, ids, win. One of them that does not run fails the question, whatever it tries. */
  preference(preferred: readonly string[]): ReadonlyMap<string, string> {
    for (const id of preferred) {
      const known = this.#packages.package(id);
      if (known === undefined) throw questionFailed("IllegalArgumentException", `No such PackageId ${id}`);
      if (!this.isVetted(id))
        throw questionFailed("IllegalArgumentException", `The preferred package ${known.name}-${known.version} is not vetted.`, {
          referenceText: `Package ${id} does not support Upgrades.`,
        });
    }
    return this.#packages.preference(this.#unvetted, preferred);
  }

  #idsOf(packages: readonly PackageNameVersion[]): readonly string[] {
    return packages.map((wanted) => {
      const found = [...this.#packages.all].find(({ name, version }) => name === wanted.name && version === wanted.version);
      if (found === undefined)
        throw questionFailed("IllegalArgumentException", `Unknown package ${wanted.name}-${wanted.version}`, {
          referenceText: `Unknown package ReadablePackageId(${wanted.name},${wanted.version})`,
        });
      return found.id;
    });
  }
}

/** Each once: the compiler's own packages have one name and version in every version of the language. */
const nameVersions = (packages: readonly PackageNameVersion[]): readonly PackageNameVersion[] => [
  ...new Map(packages.map(({ name, version }) => [`${name}-${version}`, { name, version }])).values(),
];
