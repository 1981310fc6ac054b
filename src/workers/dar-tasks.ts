/**
 * Listing and reading DARs and checking upgrades: package work that needs no ledger. What one task unpacked and found sound the next one
 * knows, as DARs that come together have most of their packages in common.
 */
import { assert } from "../base/assert.js";
import { fail, isFailure, ok, type Result } from "../base/result.js";
import { limits } from "../config.js";
import type { DarContents } from "../ledger/engine/index.js";
import {
  checkUpgrade,
  decodePackage,
  KnownEntries,
  loadArchives,
  openPackage,
  readDar,
  summarizePackage,
  type Archive,
  type ArchiveError,
  type Dar,
  type LoadedPackage,
  type LoadResult,
  type PackageReader,
  type PackageSummary,
} from "../lf/index.js";
import type { DarList, DarOutcome, FailedUpgrade, NewPackage, PackagePair } from "./messages.js";
import type { PackageCache } from "./package-cache.js";
import type { SoundPackage } from "./sound-packages.js";

export class DarTasks {
  readonly #packages: PackageCache;
  readonly #known = new KnownEntries(limits.darEntriesKnownMax);

  constructor(packages: PackageCache) {
    this.#packages = packages;
  }

  read(bytes: Uint8Array): DarOutcome {
    const dar = readDar(bytes, limits, this.#known);
    if (isFailure(dar)) return dar;
    const loaded = this.#load(dar.ok);
    if (isFailure(loaded)) return loaded;
    const packages: DarContents["packages"] = loaded.ok.packages.map((one) => {
      const stored = this.#packages.summary(one.package.id);
      if (stored !== undefined) return { summary: stored, payload: undefined };
      const { summary, payload } = this.#packages.sound.get(one.package.id) ?? this.#keep(one);
      return { summary, payload: payload.slice() }; // it is handed over
    });
    return ok({ mainPackageId: loaded.ok.main, packages });
  }

  /** Who asks will have it stored next, so it is read as for that; but one that may not be stored has its list, too. */
  list(bytes: Uint8Array): DarList {
    const dar = readDar(bytes, limits, this.#known);
    if (isFailure(dar)) return dar;
    const loaded = this.#load(dar.ok);
    for (const one of loaded.ok?.packages ?? []) if (this.#packages.getSound(one.package.id) === undefined) this.#keep(one);
    const summaries: PackageSummary[] = [];
    for (const archive of dar.ok.archives) {
      const summary = this.#summaryOf(archive);
      if (isFailure(summary)) return summary;
      summaries.push(summary.ok);
    }
    return ok(summaries);
  }

  #load(dar: Dar): LoadResult {
    return loadArchives(dar, { earlier: { get: (id) => this.#packages.getSound(id) } });
  }

  #summaryOf(archive: Archive): Result<PackageSummary, ArchiveError> {
    const { id } = archive,
      known = this.#packages.summary(id) ?? this.#packages.sound.get(id)?.summary;
    if (known !== undefined) return ok(known);
    const sound = this.#packages.getSound(id),
      decoded = sound === undefined ? decodePackage(id, archive.payload) : ok(sound);
    return isFailure(decoded) ? decoded : ok(summarizePackage(decoded.ok));
  }

  #keep({ package: package_, payload }: LoadedPackage): SoundPackage {
    const { id, directDependencies } = package_,
      bytes = new Uint8Array(payload), // by themselves, whatever they were a part of
      opened = openPackage(id, bytes, directDependencies);
    assert(!isFailure(opened), `package ${id} opens again`);
    const sound = { package: opened.ok, summary: summarizePackage(opened.ok), payload: bytes };
    this.#packages.sound.add(sound);
    return sound;
  }

  /** The first pair that is no upgrade. */
  checkUpgrades(pairs: readonly PackagePair[], added: readonly NewPackage[]): Result<true, FailedUpgrade> {
    const fresh = new Map(
      added.flatMap(({ packageId, payload }) =>
        this.#packages.getSound(packageId) === undefined ? [[packageId, decodePackage(packageId, payload).ok] as const] : [],
      ),
    );
    const reader: PackageReader = { getPackage: (id) => fresh.get(id) ?? this.#packages.getSound(id) };
    for (const pair of pairs) {
      const [older, newer] = [reader.getPackage(pair.older), reader.getPackage(pair.newer)];
      assert(older && newer, "only packages that are stored or new are vetted");
      const checked = checkUpgrade(older, newer, reader);
      if (isFailure(checked)) return fail({ pair, reason: checked.error.message });
    }
    return ok(true);
  }
}
