/** DARs to run scripts of: opened and checked once, before threads get them. */
import { fail, isFailure, ok, type Result } from "../base/result.js";
import { limits } from "../config.js";
import { loadDar, type Package, type PackageId } from "../lf/index.js";
import { findScripts, type FoundScript, unknownLibraries } from "./find-scripts.js";
import type { CheckedPackage, DarPackages } from "./packages.js";

export interface LoadedScripts {
  readonly dar: DarPackages;
  readonly main: Package;
  readonly packages: readonly Package[];
  readonly scripts: readonly FoundScript[];
}

/** Keeps what it opened: DARs share most of their packages, and so do a DAR and its next build. */
export class DarLoader {
  readonly #opened = new Map<PackageId, Package>();
  readonly #checked = new Map<PackageId, CheckedPackage>();

  load(file: string, bytes: Uint8Array): Result<LoadedScripts, string> {
    const loaded = loadDar(bytes, limits, { earlier: this.#opened });
    if (isFailure(loaded)) return fail(`${file}: ${loaded.error.message}`);
    const packages = loaded.ok.packages.map(({ package: package_ }) => package_);
    for (const { package: package_, payload } of loaded.ok.packages) this.#keep(package_, payload);
    const main = this.#opened.get(loaded.ok.main)!;
    const find = (id: PackageId): Package | undefined => this.#opened.get(id);
    const scripts = findScripts(main, find), [unknown] = unknownLibraries(main, find);
    if (scripts.length === 0 && unknown !== undefined) return fail(`${file}: its scripts are of a library that is not known here: ${unknown}.`);
    return ok({ dar: { file, main: main.id, packages: packages.map(({ id }) => this.#checked.get(id)!) }, main, packages, scripts });
  }

  #keep(package_: Package, payload: Uint8Array): void {
    const { id, directDependencies } = package_;
    if (this.#opened.has(id)) return;
    this.#opened.set(id, package_);
    this.#checked.set(id, { id, payload: shared(payload), dependencies: [...directDependencies] });
  }
}

/** All threads read the same bytes. */
function shared(bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length));
  copy.set(bytes);
  return copy;
}
