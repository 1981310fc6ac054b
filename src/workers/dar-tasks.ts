/** Reading DARs and checking upgrades: package work that needs no ledger. */
import { fail, isFailure, ok } from "../base/result.js";
import { limits } from "../config.js";
import { type DarContents, recordedPayload } from "../ledger/engine/index.js";
import {
  checkUpgrade,
  comparePackages,
  decodePackage,
  isUtilityPackage,
  loadDar,
  summarizePackage,
  type Package,
  type PackageId,
  type PackageReader,
  type PackageSummary,
} from "../lf/index.js";
import type { DarOutcome, NewPackage, UpgradeOutcome } from "./messages.js";

/** Packages that passed when they were uploaded: an id is the hash of the bytes, so they need no second look. */
export interface StoredPackages extends PackageReader {
  summary(id: PackageId): PackageSummary | undefined;
}

export function readDarContents(bytes: Uint8Array, stored: StoredPackages): DarOutcome {
  const loaded = loadDar(bytes, limits, { earlier: { get: (id) => stored.getPackage(id) } });
  if (isFailure(loaded)) return loaded;
  const packages: DarContents["packages"] = loaded.ok.packages.map(({ package: package_, payload }) => {
    const known = stored.summary(package_.id);
    return known === undefined
      ? { summary: summarizePackage(package_), ...recordedPayload(payload) }
      : { summary: known, payload: undefined };
  });
  return ok({ mainPackageId: loaded.ok.main, packages });
}

/** Every neighbouring pair of versions of a name, in which a new package takes part, must be an upgrade. */
export function checkUpgrades(added: readonly NewPackage[], vetted: readonly string[], stored: PackageReader): UpgradeOutcome {
  const fresh = new Map<string, Package>();
  for (const { packageId, payload } of added) {
    const package_ = payload === undefined ? stored.getPackage(packageId) : decodePackage(packageId, payload).ok;
    if (package_ !== undefined) fresh.set(packageId, package_);
  }
  const reader: PackageReader = { getPackage: (id) => fresh.get(id) ?? stored.getPackage(id) };
  for (const [older, newer] of newPairs(fresh, vetted, reader)) {
    const checked = checkUpgrade(older, newer, reader);
    if (isFailure(checked)) return fail({ error: checked.error, older: label(older), newer: label(newer) });
  }
  return ok(true);
}

const label = ({ id, name, version }: Package): string => `${id} (${name} v${version})`;

function* newPairs(
  fresh: ReadonlyMap<string, Package>,
  vetted: readonly string[],
  reader: PackageReader,
): Generator<readonly [Package, Package]> {
  const names = new Set([...fresh.values()].filter((one) => !isUtilityPackage(one)).map(({ name }) => name));
  const lineages = new Map<string, Package[]>();
  for (const id of new Set([...vetted, ...fresh.keys()])) {
    const package_ = reader.getPackage(id);
    if (package_ && names.has(package_.name) && !isUtilityPackage(package_))
      lineages.set(package_.name, [...(lineages.get(package_.name) ?? []), package_]);
  }
  for (const lineage of lineages.values()) {
    lineage.sort((left, right) =>
      comparePackages({ version: left.version, packageId: left.id }, { version: right.version, packageId: right.id }),
    );
    for (let index = 1; index < lineage.length; index++) {
      const older = lineage[index - 1]!,
        newer = lineage[index]!;
      if (fresh.has(older.id) || fresh.has(newer.id)) yield [older, newer];
    }
  }
}
