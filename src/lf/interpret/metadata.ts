/** What a transaction depends on besides its contracts: packages and time. */
import type { LfVersion, Package, PackageId } from "../ast.js";
import { assert } from "../../base/assert.js";
import { limits } from "../../config.js";
import { FatalError } from "../errors.js";
import type { PackageInterface } from "../package-interface.js";
import type { TimeBoundaries } from "../transaction/index.js";

/** 0001-01-01 and the last microsecond of 9999-12-31. */
export const unconstrainedTime: TimeBoundaries = { min: -62135596800000000n, max: 253402300799999999n };

export const dependsOnTime = ({ min, max }: TimeBoundaries): boolean => min !== unconstrainedTime.min || max !== unconstrainedTime.max;

/** What packages depend on; kept for the life of an engine, as packages never change. */
export class PackageClosures {
  readonly #packages: PackageInterface;
  readonly #known = new Map<PackageId, ReadonlySet<PackageId>>();
  /** By the packages that transactions mentioned; there are few combinations of them in practice. */
  readonly #used = new Map<string, UsedPackages>();

  constructor(packages: PackageInterface) {
    this.#packages = packages;
  }

  /** `direct`: the packages of all templates and interfaces in the nodes of a transaction. */
  usedBy(direct: ReadonlySet<PackageId>): UsedPackages {
    const key = joined(direct);
    const known = this.#used.get(key);
    if (known !== undefined) return known;
    const ids = [...new Set([...direct].flatMap((id) => [...this.#of(id)]))].sort();
    const used = { ids, languageVersions: new Map(ids.map((id) => [this.#package(id).lfVersion, id])) };
    if (this.#used.size >= limits.usedPackagesKeptMax) this.#used.clear();
    this.#used.set(key, used);
    return used;
  }

  /** A package and everything that it refers to. */
  #of(id: PackageId): ReadonlySet<PackageId> {
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    const closure = new Set([id]);
    for (const member of closure) for (const dependency of this.#package(member).directDependencies) closure.add(dependency);
    this.#known.set(id, closure);
    return closure;
  }

  #package(id: PackageId): Package {
    const package_ = this.#packages.package(id);
    assert(package_ !== undefined, `package ${id} is loaded`);
    return package_;
  }
}

/** In one order whatever theirs is. */
function joined(ids: ReadonlySet<PackageId>): string {
  if (ids.size > 1) return [...ids].sort().join();
  for (const id of ids) return id;
  return "";
}

/** `ids` sorted; for each of their language versions a package that has it. */
export interface UsedPackages {
  readonly ids: readonly PackageId[];
  readonly languageVersions: ReadonlyMap<LfVersion, PackageId>;
}

/** Protocol version 34 (NoKey) knows no contract keys, hence no LF 2.3. */
export function checkLanguageVersions({ languageVersions }: UsedPackages, allowed: readonly LfVersion[]): void {
  for (const [version, id] of languageVersions) {
    if (allowed.includes(version)) continue;
    throw new FatalError({
      phase: "lookup",
      class: "AllowedLanguageVersion",
      reference: id,
      message: `package ${id} has language version ${version}; allowed here: ${allowed.join(", ")}`,
    });
  }
}
