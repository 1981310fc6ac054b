/** The packages of the DARs that a scenario names, with the built-in stable ones. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { limits } from "../../src/config.js";
import { isFailure } from "../../src/base/result.js";
import type { Package, PackageId } from "../../src/lf/ast.js";
import { decodePackage, isStablePackageId, isUtilityPackage, readDar, stablePackages } from "../../src/lf/archive/index.js";
import type { PackageReader } from "../../src/lf/package-interface.js";
import { comparePackageVersions } from "../../src/lf/package-version.js";

export interface DarReference {
  readonly dar: string;
  readonly packageId: string;
}

const decoded = new Map<PackageId, Package>();

function decode(id: PackageId, payload: Uint8Array): Package {
  const known = decoded.get(id);
  if (known !== undefined) return known;
  const result = decodePackage(id, payload);
  if (isFailure(result)) throw new Error(`${id}: ${result.error.message}`);
  decoded.set(id, result.ok);
  return result.ok;
}

/** A file of the given folder, or undefined when the DAR is not there (the public ones are not copied). */
export function readPackages(folder: string, dars: readonly DarReference[]): ReadonlyMap<PackageId, Package> {
  const packages = new Map<PackageId, Package>(stablePackages().map(({ id, payload }) => [id, decode(id, payload)]));
  for (const { dar } of dars) {
    const opened = readDar(readFileSync(join(folder, `${dar}.dar`)), limits);
    if (isFailure(opened)) throw new Error(`${dar}: ${opened.error.message}`);
    for (const { id, payload } of opened.ok.archives) packages.set(id, decode(id, payload));
  }
  return packages;
}

export const packageReader = (packages: ReadonlyMap<PackageId, Package>): PackageReader => ({ getPackage: (id) => packages.get(id) });

/** The highest version of every package name, utility and stable packages excluded. */
export function highestVersions(packages: ReadonlyMap<PackageId, Package>): ReadonlyMap<string, PackageId> {
  const best = new Map<string, Package>();
  for (const candidate of packages.values()) {
    if (isStablePackageId(candidate.id) || isUtilityPackage(candidate)) continue;
    const known = best.get(candidate.name);
    if (known === undefined || comparePackageVersions(candidate.version, known.version) > 0) best.set(candidate.name, candidate);
  }
  return new Map([...best].map(([name, { id }]) => [name, id]));
}
