/** Reading DARs and checking upgrades: package work that needs no ledger. */
import { assert } from "../base/assert.js";
import { fail, isFailure, ok, type Result } from "../base/result.js";
import { limits } from "../config.js";
import { type DarContents, recordedPayload } from "../ledger/engine/index.js";
import {
  checkUpgrade,
  decodePackage,
  loadDar,
  summarizePackage,
  type PackageId,
  type PackageReader,
  type PackageSummary,
} from "../lf/index.js";
import type { DarOutcome, FailedUpgrade, NewPackage, PackagePair } from "./messages.js";

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

/** The first pair that is no upgrade. */
export function checkUpgrades(
  pairs: readonly PackagePair[],
  added: readonly NewPackage[],
  stored: PackageReader,
): Result<true, FailedUpgrade> {
  const fresh = new Map(added.map(({ packageId, payload }) => [packageId, decodePackage(packageId, payload).ok]));
  const reader: PackageReader = { getPackage: (id) => fresh.get(id) ?? stored.getPackage(id) };
  for (const pair of pairs) {
    const [older, newer] = [reader.getPackage(pair.older), reader.getPackage(pair.newer)];
    assert(older && newer, "only packages that are stored or new are vetted");
    const checked = checkUpgrade(older, newer, reader);
    if (isFailure(checked)) return fail({ pair, reason: checked.error.message });
  }
  return ok(true);
}
