/** What a transaction depends on besides its contracts: packages and time. */
import { type LfVersion, type PackageId } from "../ast.js";
import { assert } from "../../base/assert.js";
import { FatalError } from "../errors.js";
import type { PackageInterface } from "../package-interface.js";
import type { TimeBoundaries, TransactionNode } from "../transaction/node.js";

/** 0001-01-01 and the last microsecond of 9999-12-31. */
export const unconstrainedTime: TimeBoundaries = { min: -62135596800000000n, max: 253402300799999999n };

export const dependsOnTime = ({ min, max }: TimeBoundaries): boolean => min !== unconstrainedTime.min || max !== unconstrainedTime.max;

/** The packages of a package and of everything it refers to; kept for the life of an engine. */
export class PackageClosures {
  readonly #packages: PackageInterface;
  readonly #known = new Map<PackageId, ReadonlySet<PackageId>>();

  constructor(packages: PackageInterface) { this.#packages = packages; }

  of(id: PackageId): ReadonlySet<PackageId> {
    const known = this.#known.get(id);
    if (known !== undefined) return known;
    const closure = new Set([id]);
    for (const member of closure) {
      const package_ = this.#packages.package(member);
      assert(package_ !== undefined, `package ${member} is loaded`);
      for (const dependency of package_.directDependencies) closure.add(dependency);
    }
    this.#known.set(id, closure);
    return closure;
  }
}

/** The packages of all templates and interfaces in the nodes with everything they refer to, sorted. */
export function usedPackages(nodes: readonly TransactionNode[], closures: PackageClosures): readonly PackageId[] {
  const direct = new Set<PackageId>();
  for (const node of nodes) {
    if (node.kind === "rollback") continue;
    direct.add(node.templateId.packageId);
    if ((node.kind === "exercise" || node.kind === "fetch") && node.interfaceId !== undefined) direct.add(node.interfaceId.packageId);
  }
  const used = new Set<PackageId>();
  for (const id of direct) for (const member of closures.of(id)) used.add(member);
  return [...used].sort();
}

/** Protocol version 34 (NoKey) knows no contract keys, hence no LF 2.3. */
export function checkLanguageVersions(used: readonly PackageId[], packages: PackageInterface, allowed: readonly LfVersion[]): void {
  for (const id of used) {
    const version = packages.package(id)?.lfVersion;
    if (version !== undefined && !allowed.includes(version)) {
      throw new FatalError({
        phase: "lookup", class: "AllowedLanguageVersion", reference: id,
        message: `package ${id} has language version ${version}; allowed here: ${allowed.join(", ")}`,
      });
    }
  }
}
