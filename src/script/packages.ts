/** The packages of a DAR, opened for running scripts. */
import { assert } from "../base/assert.js";
import { isFailure } from "../base/result.js";
import { limits } from "../config.js";
import {
  type DefinitionId,
  comparePackageVersions,
  Engine,
  type EngineOptions,
  isStablePackageId,
  isUtilityPackage,
  openPackage,
  type Package,
  type PackageId,
} from "../lf/index.js";
import { isLibrary, ScriptLibrary, withCast } from "./library.js";
import type { DefinitionName } from "./outcome.js";

/** One that passed all checks, as it crosses threads. */
export interface CheckedPackage {
  readonly id: PackageId;
  readonly payload: Uint8Array;
  readonly dependencies: readonly PackageId[];
}

export interface DarPackages {
  /** Where it came from, for people. */
  readonly file: string;
  readonly main: PackageId;
  readonly packages: readonly CheckedPackage[];
}

/** What a thread keeps over DARs: packages, which never change, and one engine with its compiled code. */
export class ScriptThread {
  readonly #packages = new Map<PackageId, Package>();
  readonly engine: Engine;
  /** Told what code says by `trace`; whoever runs a script sets it. */
  onTrace: (message: string) => void = () => undefined;

  constructor(options: Pick<EngineOptions, "languageVersions"> = {}) {
    this.engine = new Engine({
      ...options,
      packages: { getPackage: (id) => this.#packages.get(id) },
      limits,
      onTrace: (message) => this.onTrace(message),
    });
  }

  get packageCount(): number {
    return this.#packages.size;
  }

  open({ id, payload, dependencies }: CheckedPackage): Package {
    const known = this.#packages.get(id);
    if (known !== undefined) return known;
    const opened = openPackage(id, payload, new Set(dependencies));
    assert(!isFailure(opened), `package ${id} opens, since it was checked`);
    const made = withCast(opened.ok);
    this.#packages.set(id, made);
    return made;
  }
}

/** Modes of contract state: without contract keys exceptions roll back effects; with keys that is an error. */
export type ContractMode = "NoKey" | "NUCK";

export class ScriptPackages {
  readonly main: Package;
  readonly engine: Engine;
  readonly #packages: ReadonlyMap<PackageId, Package>;
  readonly #libraries = new Map<PackageId, ScriptLibrary>();

  constructor(
    { main, packages }: DarPackages,
    readonly thread: ScriptThread,
  ) {
    this.#packages = new Map(packages.map((package_) => [package_.id, thread.open(package_)]));
    this.main = this.#packages.get(main)!;
    this.engine = thread.engine;
  }

  get all(): Iterable<Package> {
    return this.#packages.values();
  }
  package(id: PackageId): Package | undefined {
    return this.#packages.get(id);
  }

  library(id: PackageId): ScriptLibrary {
    const known = this.#libraries.get(id);
    if (known !== undefined) return known;
    const own = this.#packages.get(id)!;
    const made = new ScriptLibrary([
      own,
      ...[...own.directDependencies]
        .flatMap((dependency) => this.#packages.get(dependency) ?? [])
        .filter(({ name }) => name.startsWith("daml-script")),
    ]);
    this.#libraries.set(id, made);
    return made;
  }

  /** With keys where the library knows them without uniqueness, or a package has them at all. */
  get contractMode(): ContractMode {
    const all = [...this.#packages.values()];
    const isNewer = all.some((package_) => isLibrary(package_) && comparePackageVersions(plainVersion(package_.version), "3.5.0") >= 0);
    return isNewer || all.some(({ id, lfVersion }) => lfVersion === "2.3" && !isStablePackageId(id)) ? "NUCK" : "NoKey";
  }

  /** The highest version of each name, but for those that are not vetted; `preferred` wins. */
  preference(unvetted: ReadonlySet<PackageId>, preferred: readonly PackageId[]): ReadonlyMap<string, PackageId> {
    const best = new Map<string, Package>();
    for (const candidate of this.#packages.values()) {
      if (isStablePackageId(candidate.id) || isUtilityPackage(candidate) || unvetted.has(candidate.id)) continue;
      const known = best.get(candidate.name);
      if (known === undefined || comparePackageVersions(candidate.version, known.version) > 0) best.set(candidate.name, candidate);
    }
    const preference = new Map([...best].map(([name, { id }]) => [name, id]));
    for (const id of preferred) preference.set(this.#packages.get(id)?.name ?? id, id);
    return preference;
  }

  nameOf({ packageId, module, name }: DefinitionId): DefinitionName {
    const package_ = this.#packages.get(packageId);
    return { package: package_?.name ?? packageId, version: package_?.version ?? "", module, name };
  }
}

/** The first three numbers: snapshots have more. */
const plainVersion = (version: string): string => version.split(".").slice(0, 3).join(".");
