/** DARs to run scripts of: opened and checked once, before threads get them. */
import { fail, isFailure, ok, type Result } from "../base/result.js";
import { limits } from "../config.js";
import { isStablePackageId, isUtilityPackage, loadDar, type Package, type PackageId, readSources } from "../lf/index.js";
import { findScripts, type FoundScript, unknownLibraries } from "./find-scripts.js";
import type { SourceLocation } from "./outcome.js";
import type { CheckedPackage, DarPackages } from "./packages.js";

export interface LoadedScripts {
  readonly dar: DarPackages;
  readonly main: Package;
  readonly packages: readonly Package[];
  readonly scripts: readonly FoundScript[];
  readonly sources: Sources;
  /** Those of the packages that it uses, each with what that package uses in turn, as if it was a DAR of its own. */
  dependencyScripts(): readonly DependencyScripts[];
}

export interface DependencyScripts {
  readonly dar: DarPackages;
  readonly scripts: readonly FoundScript[];
}

/** The sources of the main package, read when a failure shows a line of them. */
class Sources {
  #texts: ReadonlyMap<string, readonly string[]> | undefined;
  constructor(
    readonly main: Package,
    readonly bytes: Uint8Array,
  ) {}

  /** Undefined where it is of another package, or the DAR has no sources. */
  line({ package: package_, module, startLine }: SourceLocation): string | undefined {
    return this.isOwn(package_) ? (this.#texts ??= this.#read()).get(module)?.[startLine - 1] : undefined;
  }

  isOwn(package_: string): boolean {
    return package_ === "main" || package_ === `${this.main.name}-${this.main.version}`;
  }

  #read(): ReadonlyMap<string, readonly string[]> {
    const sources = readSources(this.bytes, limits);
    return new Map(isFailure(sources) ? [] : [...sources.ok].map(([module, text]) => [module, text.split(/\r?\n/)]));
  }
}

/** Keeps what it opened: DARs share most of their packages, and so do a DAR and its next build. */
export class DarLoader {
  readonly #opened = new Map<PackageId, Package>();
  readonly #checked = new Map<PackageId, CheckedPackage>();
  readonly #packagesMax: number;

  constructor(packagesMax: number = limits.scriptPackagesKeptMax) {
    this.#packagesMax = packagesMax;
  }

  load(file: string, bytes: Uint8Array): Result<LoadedScripts, string> {
    if (this.#opened.size > this.#packagesMax) {
      this.#opened.clear();
      this.#checked.clear();
    }
    const loaded = loadDar(bytes, limits, { earlier: this.#opened });
    if (isFailure(loaded)) return fail(`${file}: ${loaded.error.message}`);
    const packages = loaded.ok.packages.map(({ package: package_ }) => package_);
    for (const { package: package_, payload } of loaded.ok.packages) this.#keep(package_, payload);
    const main = this.#opened.get(loaded.ok.main)!;
    const find = (id: PackageId): Package | undefined => this.#opened.get(id);
    const scripts = findScripts(main, find),
      [unknown] = unknownLibraries(main, find);
    if (scripts.length === 0 && unknown !== undefined)
      return fail(`${file}: its scripts are of a library that is not known here: ${unknown}.`);
    return ok({
      dar: { file, main: main.id, packages: packages.map(({ id }) => this.#checked.get(id)!) },
      main,
      packages,
      scripts,
      sources: new Sources(main, bytes),
      dependencyScripts: () => packages.filter(({ id }) => id !== main.id).flatMap((each) => this.#dependencyScripts(file, each, packages)),
    });
  }

  #dependencyScripts(file: string, package_: Package, packages: readonly Package[]): readonly DependencyScripts[] {
    if (isStablePackageId(package_.id) || isUtilityPackage(package_)) return [];
    const dependency = `${package_.name}-${package_.version}`,
      found = findScripts(package_, (id) => packages.find((each) => each.id === id)).filter(
        ({ script, parameter }) => parameter === undefined && !/^Daml\.Script(?:\.|$)/.test(script.module),
      );
    if (found.length === 0) return [];
    const checked = withDependencies(package_, packages).map(({ id }) => this.#checked.get(id)!);
    return [
      {
        dar: { file, main: package_.id, packages: checked },
        scripts: found.map((each) => ({ ...each, script: { ...each.script, dependency } })),
      },
    ];
  }

  #keep(package_: Package, payload: Uint8Array): void {
    const { id, directDependencies } = package_;
    if (this.#opened.has(id)) return;
    this.#opened.set(id, package_);
    this.#checked.set(id, { id, payload: shared(payload), dependencies: [...directDependencies] });
  }
}

function withDependencies(package_: Package, packages: readonly Package[]): readonly Package[] {
  const needed = new Set([package_.id]);
  for (const id of needed) packages.find((each) => each.id === id)?.directDependencies.forEach((dependency) => needed.add(dependency));
  return packages.filter(({ id }) => needed.has(id));
}

/** All threads read the same bytes. */
function shared(bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length));
  copy.set(bytes);
  return copy;
}
